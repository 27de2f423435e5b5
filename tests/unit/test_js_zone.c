/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/bounds.h"
#include "tests/unit/js_fixture.h"

/* In the place of the library's: a zone that is looked up must not touch the environment, which a
 * thread of the resolver may be reading. */
static int changes;

void tzset(void)
{
    changes++;
}

static void test_zone_by_name_leaves_the_environment_alone(void **state)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    static const char code[] =
        "new Date(0).toLocaleTimeString('en-US', {timeZone: 'Asia/Tokyo', hour12: false})";
    const char *before = getenv("TZ");

    assert_string_equal(js_fixture_eval(*state, code, &out), "09:00:00");
    assert_int_equal(changes, 0);
    assert_ptr_equal(getenv("TZ"), before);
}

static void test_zone_that_is_no_file_of_zones_is_refused(void **state)
{
    static const char *const names[] = {"America",     "../zoneinfo/Asia/Tokyo", "/etc/localtime",
                                        "leapseconds", "Asia//../Asia/Tokyo",    "Asia/Tokyo/"};
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    _cleanup_(drop_buf) struct buf code = BUF_INIT(KIB);

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        buf_clear(&code);
        buf_addf(&code, "try { Intl.DateTimeFormat('en', {timeZone: '%s'}) } catch (e) { e.name }",
                 names[i]);

        assert_string_equal(js_fixture_eval(*state, buf_text(&code), &out), "RangeError");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zone_by_name_leaves_the_environment_alone),
        cmocka_unit_test(test_zone_that_is_no_file_of_zones_is_refused),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
