/* SPDX-License-Identifier: MIT */
#include "tests/unit/broker_fixture.h"

static void test_run_execute_from_code_is_heard_to_its_end(void **state)
{
    struct fixture *f = *state;

    struct heard *h = fixture_execute(f, 0, "print hello\nresult 42", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(h->started, 1);
    assert_string_equal(buf_text(&h->shown), "\"print hello\\nresult 42\"");
    assert_non_null(strstr(buf_text(&h->output), "hello"));
    assert_int_equal(h->last_output, OUTPUT_RESULT);
    assert_int_equal(h->status, RUN_OK);
    assert_int_equal(h->execution_count, 1);
    assert_int_equal(h->exit_code, -1);
    assert_string_equal(h->context_id, "");
    assert_true(jscan_string_is(jscan_get(buf_slice(&h->content), "status"), "ok"));
}

static void test_run_first_line_and_metadata_select(void **state)
{
    struct fixture *f = *state;

    struct heard *line = fixture_execute(f, 0, "%%context mine\ncount", "{}");
    struct heard *metadata = fixture_execute(f, 0, "count", "{\"context\": \"mine\"}");
    struct heard *neither = fixture_execute(f, 0, "count", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_string_equal(line->context_id, "mine");
    assert_string_equal(metadata->context_id, "mine");
    assert_string_equal(neither->context_id, "");
    assert_int_equal(metadata->execution_count, 2);
    assert_int_equal(neither->execution_count, 1);
    assert_string_equal(buf_text(&line->shown), "\"%%context mine\\ncount\"");
}

static void test_run_that_cannot_be_ends_at_once_with_the_reason(void **state)
{
    struct fixture *f = *state;

    struct heard *absent = fixture_execute(f, 0, "count", "{\"context\": \"nosuch\"}");
    struct heard *wrong = fixture_execute(f, 0, "count", "{\"timeout_ms\": \"soon\"}");
    struct heard *comm = fixture_submit(
        f, 0,
        (struct request){.kind = REQUEST_COMM_MSG, .content = SLICE_LIT("{\"comm_id\": \"x\"}")});

    assert_int_equal(absent->started, 0);
    assert_int_equal(absent->status, RUN_FAILED);
    assert_string_equal(absent->ename, "InvalidRequest");
    assert_non_null(strstr(absent->reason, "nosuch"));
    assert_int_equal(absent->last_output, OUTPUT_ERROR);
    assert_non_null(strstr(wrong->reason, "metadata.timeout_ms"));
    assert_string_equal(comm->reason, "no such comm");
    assert_int_equal(comm->output_count, 0);
}

static void test_run_silent_shows_nothing_also_when_refused(void **state)
{
    struct fixture *f = *state;
    struct request request = {
        .kind = REQUEST_EXECUTE, .code = SLICE_LIT("print x"), .options = {.silent = true}};

    struct heard *quiet = fixture_submit(f, 0, request);
    request.metadata = SLICE_LIT("{\"context\": \"nosuch\"}");
    struct heard *refused = fixture_submit(f, 0, request);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(quiet->shown.len + quiet->output_count, 0);
    assert_int_equal(quiet->status, RUN_OK);
    assert_int_equal(refused->output_count, 0);
    assert_int_equal(refused->status, RUN_FAILED);
}

static void test_run_error_aborts_what_waits_and_drains_the_doors(void **state)
{
    struct fixture *f = *state;

    struct heard *bad = fixture_execute(f, 0, "sleep 20\nerror E v", "{}");
    struct heard *next = fixture_execute(f, 0, "count", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(bad->status, RUN_FAILED);
    assert_string_equal(bad->ename, "");
    assert_int_equal(next->status, RUN_ABORTED);
    assert_int_equal(next->started, 0);
    assert_string_equal(buf_text(&next->content), "{\"status\": \"aborted\"}");
    assert_true(f->doors[0].drains > 0 && f->doors[1].drains > 0);
}

static void test_run_death_is_named_with_what_follows(void **state)
{
    struct fixture *f = *state;

    struct heard *h = fixture_execute(f, 0, "print last\nsegv", "{}");
    fixture_wait(f, fixture_all_ended);
    struct heard *again = fixture_execute(f, 0, "count", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_string_equal(h->ename, "ContextCrashed");
    assert_string_equal(h->reason, "killed by SIGSEGV (Segmentation fault)");
    assert_non_null(strstr(buf_text(&h->content), "its variables are lost"));
    assert_non_null(strstr(buf_text(&h->output), "last"));
    assert_int_equal(again->status, RUN_OK);
    assert_int_equal(f->doors[0].default_deaths, 0); /* the cell has said it */
}

static bool has_been_asked(struct fixture *f)
{
    return f->heard[0].asked > f->heard[0].refuse_asks;
}

static void test_run_question_waits_for_who_connects_late(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct request request = {
        .kind = REQUEST_EXECUTE, .code = SLICE_LIT("input name"), .options = {.allow_stdin = true}};

    struct heard *h = &f->heard[0];
    h->refuse_asks = 2;
    assert_ptr_equal(fixture_submit(f, 0, request), h);
    fixture_wait(f, has_been_asked);
    assert_ok(run_answer(h->run, SLICE_LIT("{\"value\": \"me\"}"), &e));
    assert_err(run_answer(h->run, SLICE_LIT("{\"value\": \"twice\"}"), &e), ERR_STATE);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(h->asked, 3);
    assert_non_null(strstr(buf_text(&h->output), "me"));
}

static bool first_has_started(struct fixture *f)
{
    return f->heard[0].started > 0;
}

static void test_run_cancel_takes_only_what_waits(void **state)
{
    struct fixture *f = *state;
    struct heard *running = fixture_execute(f, 0, "loop", "{}");
    struct heard *waiting = fixture_execute(f, 0, "count", "{}");
    fixture_wait(f, first_has_started);

    assert_false(run_cancel(running->run));
    assert_true(run_cancel(waiting->run));

    assert_int_equal(waiting->status, RUN_ABORTED);
    assert_null(waiting->run);
    broker_interrupt(f->broker);
    fixture_wait(f, fixture_all_ended);
    assert_int_equal(running->status, RUN_FAILED);
}

static void test_run_turn_waits_for_what_runs_before_it(void **state)
{
    struct fixture *f = *state;

    struct heard *cell = fixture_execute(f, 0, "sleep 20", "{}");
    struct heard *turn = fixture_submit(f, 0, (struct request){.kind = REQUEST_TURN});
    fixture_wait(f, fixture_all_ended);

    assert_true(turn->order > cell->order);
    assert_int_equal(turn->status, RUN_OK);
    assert_int_equal(turn->content.len, 0);
}

static void test_run_history_tells_what_was_run(void **state)
{
    struct fixture *f = *state;

    fixture_execute(f, 0, "result 42", "{}");
    struct heard *h = fixture_submit(
        f, 0,
        (struct request){.kind = REQUEST_HISTORY,
                         .content = SLICE_LIT("{\"hist_access_type\": \"tail\", \"n\": 5, "
                                              "\"output\": true}")});
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(h->status, RUN_OK);
    assert_non_null(strstr(buf_text(&h->content), "[\"result 42\", \"42\"]"));
}

static void test_run_after_the_end_is_refused(void **state)
{
    struct fixture *f = *state;
    broker_shutdown(f->broker);

    struct heard *h = fixture_execute(f, 0, "count", "{}");

    assert_int_equal(h->status, RUN_FAILED);
    assert_string_equal(h->ename, "ServiceUnavailable");
    assert_non_null(strstr(h->reason, "shutting down"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        broker_test(test_run_execute_from_code_is_heard_to_its_end),
        broker_test(test_run_first_line_and_metadata_select),
        broker_test(test_run_that_cannot_be_ends_at_once_with_the_reason),
        broker_test(test_run_silent_shows_nothing_also_when_refused),
        broker_test(test_run_error_aborts_what_waits_and_drains_the_doors),
        broker_test(test_run_death_is_named_with_what_follows),
        broker_test(test_run_question_waits_for_who_connects_late),
        broker_test(test_run_cancel_takes_only_what_waits),
        broker_test(test_run_turn_waits_for_what_runs_before_it),
        broker_test(test_run_history_tells_what_was_run),
        broker_test(test_run_after_the_end_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
