/* SPDX-License-Identifier: MIT */
#include "tests/unit/pool_fixture.h"

static void test_context_submit_runs_and_replies(void **state)
{
    struct fixture *f = *state;

    struct run *r = fixture_execute(f, f->context, "print hello\\nresult 42");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_REPLIED);
    assert_false(r->failed);
    assert_int_equal(r->started, 1);
    assert_non_null(strstr(buf_text(&r->output), "hello"));
    assert_non_null(strstr(buf_text(&r->output), "42"));
    assert_int_equal(context_state(f->context), CTX_IDLE);
}

static void test_context_submit_many_run_in_order_and_count(void **state)
{
    struct fixture *f = *state;

    struct run *first = fixture_execute(f, f->context, "count");
    struct run *second = fixture_execute(f, f->context, "count");
    struct run *third = fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);

    assert_true(first->order < second->order && second->order < third->order);
    assert_int_equal(first->execution_count, 1);
    assert_int_equal(third->execution_count, 3);
    assert_int_equal(context_execution_count(f->context), 3);
}

static void test_context_submit_silent_counts_nothing_and_says_nothing(void **state)
{
    struct fixture *f = *state;
    struct job_request request = {.type = WIRE_EXECUTE,
                                  .content = SLICE_LIT("{\"code\": \"print x\", \"silent\": true}"),
                                  .silent = true};

    struct run *r = fixture_submit(f, f->context, &request);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_REPLIED);
    assert_string_equal(buf_text(&r->output), "");
    assert_int_equal(context_execution_count(f->context), 0);
}

static void test_context_submit_turn_needs_no_process(void **state)
{
    struct fixture *f = *state;
    struct job_request request = {.is_turn = true};

    struct run *r = fixture_submit(f, f->context, &request);

    assert_int_equal(r->ended, 1); /* at once */
    assert_int_equal(r->end, JOB_TURN);
    assert_int_equal(context_state(f->context), CTX_NONE);
}

static void test_context_submit_turn_waits_behind_a_cell(void **state)
{
    struct fixture *f = *state;
    struct job_request request = {.is_turn = true};

    struct run *cell = fixture_execute(f, f->context, "print x");
    struct run *turn = fixture_submit(f, f->context, &request);
    assert_int_equal(turn->ended, 0);
    fixture_wait(f, fixture_all_ended);

    assert_true(cell->order < turn->order);
}

static void test_context_error_aborts_waiting_executes_only(void **state)
{
    struct fixture *f = *state;
    struct job_request question = {.type = WIRE_IS_COMPLETE,
                                   .content = SLICE_LIT("{\"code\":\"\"}")};

    struct run *bad = fixture_execute(f, f->context, "error ValueError no");
    struct run *aborted = fixture_execute(f, f->context, "print x");
    struct run *served = fixture_submit(f, f->context, &question);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(bad->end, JOB_REPLIED);
    assert_true(bad->failed);
    assert_int_equal(aborted->end, JOB_ABORTED);
    assert_int_equal(aborted->started, 0);
    assert_int_equal(served->end, JOB_REPLIED);
    assert_int_equal(f->drains, 1);
}

static void test_context_death_is_named_and_the_context_comes_back(void **state)
{
    struct fixture *f = *state;

    struct run *dead = fixture_execute(f, f->context, "print before\\nsegv");
    fixture_wait(f, fixture_all_ended);
    struct run *next = fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(dead->end, JOB_DIED);
    assert_string_equal(dead->ename, "ContextCrashed");
    assert_non_null(strstr(dead->text, "SIGSEGV"));
    assert_non_null(strstr(buf_text(&dead->output), "before"));
    assert_int_equal(next->end, JOB_REPLIED);
    assert_int_equal(next->execution_count, 1); /* a fresh life counts anew */
    assert_int_equal(f->deaths, 1);
}

static void test_context_death_keeps_what_lay_in_the_pipes(void **state)
{
    struct fixture *f = *state;

    struct run *r = fixture_execute(f, f->context, "rawout last-words\\nkill9");
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(buf_text(&r->output), "last-words"));
    assert_non_null(strstr(r->text, "SIGKILL"));
}

static void test_context_garbage_costs_the_context_not_the_pool(void **state)
{
    struct fixture *f = *state;

    struct run *garbage = fixture_execute(f, f->context, "garbage");
    fixture_wait(f, fixture_all_ended);
    struct run *huge = fixture_execute(f, f->context, "hugeframe");
    fixture_wait(f, fixture_all_ended);
    struct run *next = fixture_execute(f, f->context, "print fine");
    fixture_wait(f, fixture_all_ended);

    assert_string_equal(garbage->ename, "ContextProtocolError");
    assert_string_equal(huge->ename, "ContextProtocolError");
    assert_int_equal(next->end, JOB_REPLIED);
    assert_true(context_violations(f->context) >= 2);
}

static void test_context_exit_code_comes_with_the_end(void **state)
{
    struct fixture *f = *state;

    struct run *none = fixture_execute(f, f->context, "print x");
    struct run *zero = fixture_execute(f, f->context, "leave 0");
    struct run *some = fixture_execute(f, f->context, "leave 255\\nresult y");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(none->exit_code, -1);
    assert_int_equal(zero->exit_code, 0);
    assert_int_equal(some->exit_code, 255);
    assert_int_equal(context_violations(f->context), 0);
}

static void test_context_exit_code_that_cannot_be_is_counted_and_dropped(void **state)
{
    struct fixture *f = *state;

    struct run *r = fixture_execute(f, f->context, "badexit");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_REPLIED);
    assert_int_equal(r->exit_code, -1);
    assert_true(context_violations(f->context) > 0);
}

static void test_context_run_to_the_end_is_what_the_worker_gets(void **state)
{
    struct fixture *f = *state;
    struct job_request request = {
        .type = WIRE_EXECUTE, .content = SLICE_LIT("{\"code\": \"manner\"}"), .runs_to_end = true};

    struct run *program = fixture_submit(f, f->context, &request);
    struct run *cell = fixture_execute(f, f->context, "manner");
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(buf_text(&program->output), "program"));
    assert_non_null(strstr(buf_text(&cell->output), "cell"));
}

static void test_context_frames_out_of_state_are_counted_and_dropped(void **state)
{
    struct fixture *f = *state;

    struct run *bad = fixture_execute(f, f->context, "badstate");
    fixture_wait(f, fixture_all_ended);
    struct run *next = fixture_execute(f, f->context, "print fine");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(bad->ended, 1);
    assert_int_equal(next->end, JOB_REPLIED);
    assert_true(context_violations(f->context) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_context_submit_runs_and_replies),
        pool_test(test_context_submit_many_run_in_order_and_count),
        pool_test(test_context_submit_silent_counts_nothing_and_says_nothing),
        pool_test(test_context_submit_turn_needs_no_process),
        pool_test(test_context_submit_turn_waits_behind_a_cell),
        pool_test(test_context_error_aborts_waiting_executes_only),
        pool_test(test_context_death_is_named_and_the_context_comes_back),
        pool_test(test_context_death_keeps_what_lay_in_the_pipes),
        pool_test(test_context_garbage_costs_the_context_not_the_pool),
        pool_test(test_context_exit_code_comes_with_the_end),
        pool_test(test_context_exit_code_that_cannot_be_is_counted_and_dropped),
        pool_test(test_context_run_to_the_end_is_what_the_worker_gets),
        pool_test(test_context_frames_out_of_state_are_counted_and_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
