/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tests/unit/unit.h"

static void test_clock_never_goes_back(void **state)
{
    (void)state;
    int64_t before = clock_us();
    for (int i = 0; i < 1000; i++) {
        int64_t now = clock_us();
        assert_true(now >= before);
        before = now;
    }
    assert_true(clock_ms() >= before / 1000);
    assert_true(clock_ms() - before / 1000 < 10000);
}

static void test_clock_iso_utc_is_the_present_moment(void **state)
{
    (void)state;
    char text[CLOCK_ISO_SIZE];
    time_t before = time(NULL);

    clock_iso_utc(text);

    struct tm tm = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    time_t seen = timegm(&tm);
    assert_non_null(rest);
    assert_in_range(seen, before - 1, time(NULL));
    assert_int_equal(strlen(text), CLOCK_ISO_SIZE - 1);
    assert_int_equal(rest[0], '.');
    assert_int_equal(strspn(rest + 1, "0123456789"), 6);
    assert_string_equal(rest + 7, "Z");
}

static void test_clock_parse_iso_reads_every_form_a_client_sends(void **state)
{
    (void)state;

    static const struct {
        const char *text;
        int64_t ms;
    } moments[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"1970-01-01T00:00:01.5Z", 1500},
        {"2026-01-31T12:00:00.123456Z", 1769860800123},
        {"2026-01-31T12:00:00.123+00:00", 1769860800123},
        {"2026-01-31T14:00:00.123+02:00", 1769860800123},
        {"2026-01-31T10:30:00.123-0130", 1769860800123},
        {"2026-01-31T12:00:00.1239999999999999999999999999", 1769860800123},
        {"2026-01-31T12:00:00", 1769860800000},
    };

    for (size_t i = 0; i < ARRAY_LEN(moments); i++) {
        struct err e = ERR_NONE;
        int64_t ms = -1;

        assert_ok(clock_parse_iso(moments[i].text, &ms, &e));

        assert_int_equal(ms, moments[i].ms);
    }
}

static void test_clock_parse_iso_of_something_else_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "now",
                                        "2026-01-31",
                                        "2026-13-31T12:00:00Z",
                                        "2026-01-31T12:00:00Zebra",
                                        "2026-01-31T12:00:00.x"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct err e = ERR_NONE;
        int64_t ms = 7;

        assert_err(clock_parse_iso(texts[i], &ms, &e), ERR_INPUT);

        assert_int_equal(ms, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_parse_iso_reads_every_form_a_client_sends),
        cmocka_unit_test(test_clock_parse_iso_of_something_else_is_refused),
        cmocka_unit_test(test_clock_never_goes_back),
        cmocka_unit_test(test_clock_iso_utc_is_the_present_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
