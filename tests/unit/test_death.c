/* SPDX-License-Identifier: MIT */
#include <signal.h>

#include "contexts/pool/death.h"
#include "tests/unit/unit.h"

/* Statuses as waitpid gives them. */
enum { STATUS_EXIT_3 = 3 << 8, STATUS_SEGV = SIGSEGV, STATUS_KILL = SIGKILL };

static void test_death_describe_signal_is_named(void **state)
{
    (void)state;
    struct death d;
    int status = STATUS_SEGV;

    death_describe(&d, VERDICT_NONE, &status, NULL);

    assert_string_equal(d.ename, "ContextCrashed");
    assert_string_equal(d.text, "killed by SIGSEGV (Segmentation fault)");
    assert_true(d.has_status);
}

static void test_death_describe_exit_gives_its_status(void **state)
{
    (void)state;
    struct death d;
    int status = STATUS_EXIT_3;

    death_describe(&d, VERDICT_NONE, &status, NULL);

    assert_string_equal(d.ename, "ContextExited");
    assert_string_equal(d.text, "the process ended with exit status 3");
}

static void test_death_describe_verdict_wins_over_status(void **state)
{
    (void)state;
    struct death d;
    int status = STATUS_KILL;

    death_describe(&d, VERDICT_UNINTERRUPTIBLE, &status, NULL);

    assert_string_equal(d.ename, "ContextKilled");
    assert_non_null(strstr(d.text, "did not react to interrupts"));
}

static void test_death_describe_without_status_says_so(void **state)
{
    (void)state;
    struct death d;

    death_describe(&d, VERDICT_NONE, NULL, NULL);

    assert_false(d.has_status);
    assert_non_null(strstr(d.text, "status could not be had"));
}

static void test_death_describe_long_detail_is_cut_and_terminated(void **state)
{
    (void)state;
    struct death d;
    char detail[1000];
    memset(detail, 'x', sizeof detail - 1);
    detail[sizeof detail - 1] = '\0';

    death_describe(&d, VERDICT_NOT_STARTED, NULL, detail);

    assert_int_equal(strlen(d.text), sizeof d.text - 1);
    assert_non_null(strstr(d.text, "could not be started: xxx"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_death_describe_signal_is_named),
        cmocka_unit_test(test_death_describe_exit_gives_its_status),
        cmocka_unit_test(test_death_describe_verdict_wins_over_status),
        cmocka_unit_test(test_death_describe_without_status_says_so),
        cmocka_unit_test(test_death_describe_long_detail_is_cut_and_terminated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
