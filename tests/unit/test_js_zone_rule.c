/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_zone_rule.h"
#include "tests/unit/unit.h"

/* date -u -d '2040-07-01' +%s */
#define JANUARY_2040 2209032000LL
#define JULY_2040    2224756800LL

static void assert_at(const char *rule, int64_t when, int32_t offset_s, const char *abbreviation)
{
    struct zone_moment found = {0};

    assert_true(zone_rule_at(slice_of(rule), when, &found));
    assert_int_equal(found.offset_s, offset_s);
    assert_string_equal(found.abbreviation, abbreviation);
}

static void test_rule_without_summer_time_holds_always(void **state)
{
    (void)state;
    assert_at("JST-9", JULY_2040, 9 * 3600, "JST");
    assert_at("<-03>3", 0, -3 * 3600, "-03");
    assert_at("<+0545>-5:45", JULY_2040, 5 * 3600 + 45 * 60, "+0545");
    assert_at("LMT0:01:02", 0, -62, "LMT");
}

static void test_rule_of_the_north_changes_at_its_seconds(void **state)
{
    static const char rule[] = "CET-1CEST,M3.5.0,M10.5.0/3";
    (void)state;
    assert_at(rule, JANUARY_2040, 3600, "CET");
    assert_at(rule, JULY_2040, 7200, "CEST");
    assert_at(rule, 2216250000 - 1, 3600, "CET"); /* 25 March 2040, 01:00 UTC */
    assert_at(rule, 2216250000, 7200, "CEST");
    assert_at(rule, 2234998800 - 1, 7200, "CEST"); /* 28 October 2040, 01:00 UTC */
    assert_at(rule, 2234998800, 3600, "CET");
}

static void test_rule_of_the_south_has_summer_over_new_year(void **state)
{
    (void)state;
    assert_at("AEST-10AEDT,M10.1.0,M4.1.0/3", JANUARY_2040, 11 * 3600, "AEDT");
    assert_at("AEST-10AEDT,M10.1.0,M4.1.0/3", JULY_2040, 10 * 3600, "AEST");
}

static void test_rule_with_winter_time_and_odd_hours(void **state)
{
    (void)state;
    assert_at("IST-1GMT0,M10.5.0,M3.5.0/1", JANUARY_2040, 0, "GMT");
    assert_at("IST-1GMT0,M10.5.0,M3.5.0/1", JULY_2040, 3600, "IST");
    assert_at("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", JULY_2040, -3600, "-01");
    assert_at("EST5EDT", JULY_2040, -4 * 3600, "EDT"); /* changes as in America */
}

static void test_rule_by_day_of_the_year(void **state)
{
    (void)state;
    assert_at("XXX0YYY,J60/0,J61/0", 68169600 - 1, 0, "XXX"); /* 29 February 1972 is not counted */
    assert_at("XXX0YYY,J60/0,J61/0", 68256000, 3600, "YYY");  /* 1 March 1972 */
    assert_at("XXX0YYY,59/0,60/0", 68169600, 3600, "YYY");    /* 29 February 1972 */
}

static void test_rule_far_away_is_found(void **state)
{
    (void)state;
    assert_at("CET-1CEST,M3.5.0,M10.5.0/3", 8640000000000LL, 7200, "CEST");  /* September 275760 */
    assert_at("CET-1CEST,M3.5.0,M10.5.0/3", -8640000000000LL, 7200, "CEST"); /* April -271821 */
}

static void test_rule_that_is_not_well_formed_is_refused(void **state)
{
    static const char *const rules[] = {
        "",
        "A",
        "AB1",
        "CET",
        "CET-25",
        "CET-1:60",
        "<CET-1",
        "<C>1",
        "CET-1CEST,",
        "CET-1CEST,M3.5.0",
        "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M0.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,J0,J1",
        "CET-1CEST,366,1",
        "CET-1CEST,M3.5.0/168,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0x",
        "CET-99999999999999999999",
        "ABCDEFGHIJKLMNOPQ1",
    };
    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        struct zone_moment found = {.offset_s = 7};
        if (zone_rule_at(slice_of(rules[i]), 0, &found)) {
            fail_msg("%s was read", rules[i]);
        }
        assert_int_equal(found.offset_s, 7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_without_summer_time_holds_always),
        cmocka_unit_test(test_rule_of_the_north_changes_at_its_seconds),
        cmocka_unit_test(test_rule_of_the_south_has_summer_over_new_year),
        cmocka_unit_test(test_rule_with_winter_time_and_odd_hours),
        cmocka_unit_test(test_rule_by_day_of_the_year),
        cmocka_unit_test(test_rule_far_away_is_found),
        cmocka_unit_test(test_rule_that_is_not_well_formed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
