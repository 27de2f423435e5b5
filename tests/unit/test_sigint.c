/* SPDX-License-Identifier: MIT */
#include "contexts/worker/sigint.h"
#include "tests/unit/unit.h"

/* Handlers have no argument. */
static volatile sig_atomic_t first_seen;
static volatile sig_atomic_t second_seen;

static void first(int signo)
{
    (void)signo;
    first_seen++;
}

static void second(int signo)
{
    (void)signo;
    second_seen++;
}

static int set_up(void **state)
{
    static struct sigint s;
    first_seen = 0;
    second_seen = 0;
    (void)signal(SIGINT, first);
    sigint_init(&s, SIGINT_CHANGES);
    *state = &s;
    return 0;
}

static void test_sigint_disarmed_signal_reaches_nobody(void **state)
{
    struct sigint *s = *state;

    (void)raise(SIGINT);
    sigint_arm(s);

    assert_int_equal(first_seen, 0);
}

static void test_sigint_armed_signal_reaches_the_language(void **state)
{
    struct sigint *s = *state;

    sigint_arm(s);
    sigint_arm(s);
    (void)raise(SIGINT);

    assert_int_equal(first_seen, 1);
}

static void test_sigint_handler_of_user_code_is_kept_for_the_next_cell(void **state)
{
    struct sigint *s = *state;
    sigint_arm(s);
    (void)signal(SIGINT, second);

    sigint_disarm(s);
    sigint_disarm(s);
    (void)raise(SIGINT);
    sigint_arm(s);
    (void)raise(SIGINT);

    assert_int_equal(first_seen, 0);
    assert_int_equal(second_seen, 1);
}

static void test_sigint_of_a_language_that_notes_it_is_left_in_place(void **state)
{
    struct sigint s;
    (void)state;
    (void)signal(SIGINT, first);
    sigint_init(&s, SIGINT_STAYS);

    (void)raise(SIGINT);
    sigint_arm(&s);
    (void)raise(SIGINT);
    sigint_disarm(&s);
    (void)raise(SIGINT);

    assert_int_equal(first_seen, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_sigint_disarmed_signal_reaches_nobody, set_up),
        cmocka_unit_test_setup(test_sigint_armed_signal_reaches_the_language, set_up),
        cmocka_unit_test_setup(test_sigint_handler_of_user_code_is_kept_for_the_next_cell, set_up),
        cmocka_unit_test_setup(test_sigint_of_a_language_that_notes_it_is_left_in_place, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
