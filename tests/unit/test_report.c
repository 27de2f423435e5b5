/* SPDX-License-Identifier: MIT */
#include "kernel/cli/report.h"
#include "tests/unit/unit.h"

static void test_report_worst_is_the_highest_level(void **state)
{
    (void)state;
    _cleanup_(drop_report) struct report r = {0};

    assert_int_equal(report_worst(&r), FINDING_OK);
    report_add(&r, FINDING_OK, "a", NULL, "x");
    report_add(&r, FINDING_FAIL, "b", NULL, "x");
    report_add(&r, FINDING_WARN, "c", NULL, "x");

    assert_int_equal(report_worst(&r), FINDING_FAIL);
}

static void test_report_print_shows_remedies_below(void **state)
{
    (void)state;
    _cleanup_(drop_report) struct report r = {0};
    report_add(&r, FINDING_OK, "pidfd", NULL, "there");
    report_add(&r, FINDING_WARN, "jupyter", "pip install jupyterlab", "not in %s", "$PATH");
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    report_print(&r, out);

    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "ok    pidfd: there\n"
                              "warn  jupyter: not in $PATH\n"
                              "      remedy: pip install jupyterlab\n");
    free(text);
}

static void test_report_json_tells_ok_and_every_finding(void **state)
{
    (void)state;
    _cleanup_(drop_report) struct report r = {0};
    report_add(&r, FINDING_WARN, "a", NULL, "x");
    report_add(&r, FINDING_FAIL, "b", "do", "y");

    json_auto_t *json = report_json(&r);

    json_auto_t *wanted =
        json_pack("{s:b, s:[{s:s, s:s, s:s, s:n}, {s:s, s:s, s:s, s:s}]}", "ok", 0, "findings",
                  "level", "warn", "what", "a", "detail", "x", "remedy", "level", "fail", "what",
                  "b", "detail", "y", "remedy", "do");
    assert_true(json_equal(json, wanted));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report_worst_is_the_highest_level),
        cmocka_unit_test(test_report_print_shows_remedies_below),
        cmocka_unit_test(test_report_json_tells_ok_and_every_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
