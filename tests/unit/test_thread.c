/* SPDX-License-Identifier: MIT */
#include <signal.h>

#include "base/thread.h"
#include "tests/unit/unit.h"

enum { STACK_BYTES = 64 * 1024 };

struct seen {
    int value;
    bool blocks_sigint;
};

static void *look(void *arg)
{
    struct seen *seen = arg;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    seen->blocks_sigint = sigismember(&mask, SIGINT) == 1;
    seen->value = 7;
    return seen;
}

static void test_thread_start_runs_with_signals_blocked(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct seen seen = {0};
    pthread_t thread;
    void *result = NULL;
    sigset_t mask;
    struct thread_options options = {
        .name = "look", .stack_bytes = STACK_BYTES, .run = look, .arg = &seen};

    assert_ok(thread_start(&options, &thread, &e));

    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &seen);
    assert_int_equal(seen.value, 7);
    assert_true(seen.blocks_sigint);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_int_equal(sigismember(&mask, SIGINT), 0); /* ours is as it was */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thread_start_runs_with_signals_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
