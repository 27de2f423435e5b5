/* SPDX-License-Identifier: MIT */
#include "base/proc.h"
#include "contexts/wire/msg.h"
#include "tests/unit/pool_fixture.h"

static void test_pool_add_context_duplicate_and_unknown_are_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct context *c = NULL;
    struct context_options same = {.id = "default", .language = "mock", .start = SLICE_LIT("{}")};
    struct context_options odd = {.id = "x", .language = "cobol", .start = SLICE_LIT("{}")};

    assert_err(pool_add_context(f->pool, &same, &c, &e), ERR_INPUT);
    assert_non_null(strstr(e.text, "default"));
    assert_err(pool_add_context(f->pool, &odd, &c, &e), ERR_INPUT);
    assert_non_null(strstr(e.text, "cobol"));
    assert_null(c);
}

static void test_pool_find_knows_ids(void **state)
{
    struct fixture *f = *state;

    assert_ptr_equal(pool_find(f->pool, "default"), f->context);
    assert_null(pool_find(f->pool, "other"));
}

static void test_pool_contexts_are_apart(void **state)
{
    struct fixture *f = *state;
    struct context *other = fixture_context(f, "other", "mock");

    fixture_execute(f, f->context, "count");
    fixture_execute(f, f->context, "count");
    struct run *r = fixture_execute(f, other, "count");
    fixture_wait(f, fixture_all_ended);

    assert_true(context_pid(other) != context_pid(f->context));
    assert_int_equal(r->execution_count, 1);
    assert_null(strstr(buf_text(&r->output), "2"));
}

static void test_pool_worker_that_cannot_start_refuses_jobs(void **state)
{
    struct fixture *f = *state;
    struct context *broken = fixture_context(f, "b", "broken");
    struct context *absent = fixture_context(f, "a", "absent");

    struct run *first = fixture_execute(f, broken, "print x");
    struct run *second = fixture_execute(f, absent, "print x");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(first->end, JOB_REFUSED);
    assert_non_null(strstr(first->text, "exit status 1"));
    assert_int_equal(second->end, JOB_REFUSED);
    assert_non_null(strstr(second->text, "/no/such/worker"));
}

/* Runs the loop for as long as another context needs for a cell: what could happen meanwhile has
 * happened. */
static bool last_ended(struct fixture *f)
{
    return f->runs[f->run_count - 1].ended > 0;
}

static bool first_has_output(struct fixture *f)
{
    return f->runs[0].outputs > 0;
}

static void run_elsewhere(struct fixture *f)
{
    struct context *other = pool_find(f->pool, "other");
    other = other != NULL ? other : fixture_context(f, "other", "mock");
    struct run *r = fixture_execute(f, other, "print elsewhere");
    fixture_wait(f, last_ended);
    assert_int_equal(r->end, JOB_REPLIED);
}

static void test_context_pause_holds_output_and_resume_delivers_it(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "print first");
    fixture_wait(f, fixture_all_ended);

    context_pause(f->context, 0);
    struct run *held = fixture_execute(f, f->context, "flood 3000000");
    run_elsewhere(f);
    assert_int_equal(held->outputs, 0);
    pool_resume(f->pool, 0);
    fixture_wait(f, fixture_all_ended);

    assert_true(held->output.len > 3000000);
}

/* Its frames are mostly read together: what follows the first one waits in the broker then. */
static void test_context_pause_in_output_stops_after_that_frame(void **state)
{
    struct fixture *f = *state;
    struct run *held = fixture_execute(f, f->context, "print one\\nresult two");
    held->pauses = true;

    fixture_wait(f, first_has_output);
    run_elsewhere(f);
    assert_int_equal(held->outputs, 1);
    assert_null(strstr(buf_text(&held->output), "two"));
    assert_int_equal(held->ended, 0);
    pool_resume(f->pool, 0);
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(buf_text(&held->output), "two"));
    assert_int_equal(held->end, JOB_REPLIED);
}

static void test_context_pause_lasts_until_every_reader_has_resumed(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "print first");
    fixture_wait(f, fixture_all_ended);
    context_pause(f->context, 0);
    context_pause(f->context, 31);
    struct run *held = fixture_execute(f, f->context, "print late");

    pool_resume(f->pool, 0);
    run_elsewhere(f);
    assert_int_equal(held->outputs, 0);
    pool_resume(f->pool, 7); /* has paused nothing */
    pool_resume(f->pool, 31);
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(buf_text(&held->output), "late"));
}

static void test_context_pause_does_not_keep_what_a_dead_process_left(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "print first");
    fixture_wait(f, fixture_all_ended);
    context_pause(f->context, 0);

    struct run *dead = fixture_execute(f, f->context, "print before\\nsegv");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(dead->end, JOB_DIED);
    assert_non_null(strstr(buf_text(&dead->output), "before"));
}

static void test_context_pause_holds_the_next_process_too(void **state)
{
    struct fixture *f = *state;
    context_pause(f->context, 0);

    struct run *held = fixture_execute(f, f->context, "print late");
    run_elsewhere(f);
    run_elsewhere(f);
    assert_int_equal(held->started, 0);
    pool_resume(f->pool, 0);
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(buf_text(&held->output), "late"));
}

static void test_context_readers_are_those_of_its_jobs(void **state)
{
    struct fixture *f = *state;
    struct context *other = fixture_context(f, "other", "mock");
    struct job_request third = {.is_turn = true, .reader = 3};
    struct job_request last = {.is_turn = true, .reader = 31};

    assert_int_equal(context_readers(f->context), 0);
    fixture_submit(f, f->context, &third);
    fixture_submit(f, f->context, &last);

    assert_true(context_readers(f->context) == (UINT32_C(1) << 3 | UINT32_C(1) << 31));
    assert_int_equal(context_readers(other), 0);
}

static bool zygote_said_hello(struct fixture *f)
{
    return pool_hello(f->pool, "mock") != NULL;
}

static bool zygote_is_gone(struct fixture *f)
{
    return pool_hello(f->pool, "mock") == NULL;
}

/* The zygote is the child of ours that is no context. */
static pid_t zygote_of(const struct fixture *f)
{
    pid_t children[8];
    size_t count = proc_children(children, ARRAY_LEN(children));
    for (size_t i = 0; i < count; i++) {
        if (children[i] != context_pid(f->context)) {
            return children[i];
        }
    }
    return -1;
}

static void test_pool_context_outlives_its_zygote_and_is_reaped(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);
    fixture_wait(f, zygote_said_hello);
    pid_t context = context_pid(f->context);

    kill(zygote_of(f), SIGKILL);
    fixture_wait(f, zygote_is_gone);
    struct run *same = fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);
    assert_int_equal(context_pid(f->context), context);
    assert_int_equal(same->execution_count, 2);

    struct run *dead = fixture_execute(f, f->context, "exit 9");
    fixture_wait(f, fixture_all_ended);
    struct run *fresh = fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(dead->text, "exit status 9")); /* the broker itself reaped it */
    assert_int_equal(fresh->end, JOB_REPLIED);
}

static void test_pool_stop_ends_everything(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);

    pool_stop(f->pool);
    fixture_wait(f, fixture_is_stopped);
    struct run *r = fixture_execute(f, f->context, "count");

    pid_t children[4];
    assert_int_equal(proc_children(children, ARRAY_LEN(children)), 0);
    assert_int_equal(r->end, JOB_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_pool_add_context_duplicate_and_unknown_are_refused),
        pool_test(test_pool_find_knows_ids),
        pool_test(test_pool_contexts_are_apart),
        pool_test(test_pool_worker_that_cannot_start_refuses_jobs),
        pool_test(test_context_pause_holds_output_and_resume_delivers_it),
        pool_test(test_context_pause_in_output_stops_after_that_frame),
        pool_test(test_context_pause_lasts_until_every_reader_has_resumed),
        pool_test(test_context_pause_does_not_keep_what_a_dead_process_left),
        pool_test(test_context_pause_holds_the_next_process_too),
        pool_test(test_context_readers_are_those_of_its_jobs),
        pool_test(test_pool_context_outlives_its_zygote_and_is_reaped),
        pool_test(test_pool_stop_ends_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
