/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "tests/unit/pool_fixture.h"

static struct run *execute_timed(struct fixture *f, const char *code, int64_t timeout_ms,
                                 int64_t queue_timeout_ms)
{
    char content[256];
    (void)snprintf(content, sizeof content, "{\"code\": \"%s\"}", code);
    struct job_request request = {.type = WIRE_EXECUTE,
                                  .content = slice_of(content),
                                  .store_history = true,
                                  .timeout_ms = timeout_ms,
                                  .queue_timeout_ms = queue_timeout_ms};
    return fixture_submit(f, f->context, &request);
}

static void test_timeout_interrupts_and_says_timeout(void **state)
{
    struct fixture *f = *state;

    struct run *r = execute_timed(f, "loop", 100, 0);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_REPLIED);
    assert_true(r->failed);
    assert_non_null(strstr(buf_text(&r->output), "Execution timed out after 100 ms"));
    assert_null(strstr(buf_text(&r->output), "KeyboardInterrupt\""));
}

static void test_timeout_of_code_that_ignores_interrupts_kills(void **state)
{
    struct fixture *f = *state;

    struct run *r = execute_timed(f, "hang", 100, 0);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_DIED);
    assert_string_equal(r->ename, "TimeoutError");
}

static void test_timeout_counts_from_the_start_of_execution(void **state)
{
    struct fixture *f = *state;

    fixture_execute(f, f->context, "print first"); /* the process is made under it */
    struct run *r = execute_timed(f, "print quick", 5000, 0);
    fixture_wait(f, fixture_all_ended);

    assert_false(r->failed);
}

static bool second_ended(struct fixture *f)
{
    return f->runs[1].ended > 0;
}

static void test_queue_timeout_refuses_what_did_not_start(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "loop");
    struct run *waiting = execute_timed(f, "print never", 0, 100);

    fixture_wait(f, second_ended);

    assert_int_equal(waiting->end, JOB_REFUSED);
    assert_non_null(strstr(waiting->text, "queue_timeout_ms"));
    assert_int_equal(waiting->started, 0);
    context_kill(f->context, VERDICT_STOPPED);
    fixture_wait(f, fixture_all_ended);
}

static bool gone;

static void on_gone(void *arg)
{
    gone = true;
    fixture_look(arg);
}

static bool is_gone(struct fixture *f)
{
    (void)f;
    return gone;
}

static void test_context_delete_ends_jobs_and_frees(void **state)
{
    struct fixture *f = *state;
    struct context *c = fixture_context(f, "second", "mock");
    fixture_execute(f, c, "print going\\nloop");
    struct run *waiting = fixture_execute(f, c, "print never");
    gone = false;

    context_delete(c, on_gone, f);
    fixture_wait(f, is_gone);

    assert_null(pool_find(f->pool, "second"));
    assert_int_equal(waiting->end, JOB_ABORTED);
    fixture_wait(f, fixture_all_ended);
}

static void test_context_restart_gives_a_fresh_process(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);
    pid_t before = context_pid(f->context);

    context_restart(f->context);
    struct job_request ready = {.is_turn = true, .needs_process = true};
    fixture_submit(f, f->context, &ready);
    fixture_wait(f, fixture_all_ended);

    assert_true(context_pid(f->context) > 0);
    assert_true(context_pid(f->context) != before);
    assert_int_equal(context_execution_count(f->context), 0);
}

static void test_context_cancel_takes_one_out_of_the_queue(void **state)
{
    struct fixture *f = *state;
    struct run *first = fixture_execute(f, f->context, "print a");
    struct run *second = fixture_execute(f, f->context, "print b");
    struct run *third = fixture_execute(f, f->context, "print c");

    assert_true(context_cancel(f->context, second));
    assert_false(context_cancel(f->context, second));
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(first->end, JOB_REPLIED);
    assert_int_equal(second->end, JOB_ABORTED);
    assert_int_equal(third->end, JOB_REPLIED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_timeout_interrupts_and_says_timeout),
        pool_test(test_timeout_of_code_that_ignores_interrupts_kills),
        pool_test(test_timeout_counts_from_the_start_of_execution),
        pool_test(test_queue_timeout_refuses_what_did_not_start),
        pool_test(test_context_delete_ends_jobs_and_frees),
        pool_test(test_context_restart_gives_a_fresh_process),
        pool_test(test_context_cancel_takes_one_out_of_the_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
