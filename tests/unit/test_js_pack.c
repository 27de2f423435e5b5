/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_pack.h"
#include "tests/unit/unit.h"

static void test_pack_has_the_prelude_of_both_realms(void **state)
{
    (void)state;
    assert_true(js_pack_has("user/boot"));
    assert_true(js_pack_has("user/console"));
    assert_true(js_pack_has("tools/cell"));
    assert_true(js_pack_find("user/boot").len > 100);
}

static void test_pack_finds_whole_names_only(void **state)
{
    static const char *const absent[] = {"",           "user", "user/",      "user/boo",
                                         "user/bootx", "boot", "npm/nothing"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(absent); i++) {
        assert_false(js_pack_has(absent[i]));
        assert_int_equal(js_pack_find(absent[i]).len, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack_has_the_prelude_of_both_realms),
        cmocka_unit_test(test_pack_finds_whole_names_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
