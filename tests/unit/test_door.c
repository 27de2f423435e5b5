/* SPDX-License-Identifier: MIT */
/* Several doors on one broker: each hears what concerns it, and none waits for another. */
#include <signal.h>

#include "tests/unit/broker_fixture.h"

static void test_door_hears_only_its_own_runs(void **state)
{
    struct fixture *f = *state;

    struct heard *first = fixture_execute(f, 0, "%%context a\nprint one", "{}");
    struct heard *second = fixture_execute(f, 1, "%%context b\nprint two", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_non_null(strstr(buf_text(&first->output), "one"));
    assert_null(strstr(buf_text(&first->output), "two"));
    assert_non_null(strstr(buf_text(&second->output), "two"));
}

static void test_door_contexts_are_shared_and_queue_in_order(void **state)
{
    struct fixture *f = *state;

    struct heard *first = fixture_execute(f, 0, "sleep 20\ncount", "{}");
    struct heard *second = fixture_execute(f, 1, "count", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_true(first->order < second->order);
    assert_non_null(strstr(buf_text(&second->output), "2\\n"));
}

static bool somebody_mourns(struct fixture *f)
{
    return f->doors[0].default_deaths + f->doors[1].default_deaths > 0;
}

static void test_door_death_of_the_default_is_told_to_those_who_used_it(void **state)
{
    struct fixture *f = *state;
    struct heard *h = fixture_execute(f, 0, "count", "{}");
    fixture_execute(f, 1, "%%context other\ncount", "{}");
    fixture_wait(f, fixture_all_ended);
    struct heard *made = fixture_order(f, 0, manage_restart, "{\"context_id\": \"default\"}");
    fixture_wait(f, fixture_all_ended);
    int64_t pid = 0;
    struct slice context = jscan_get(buf_slice(&made->content), "context");
    assert_true(jscan_int(jscan_get(context, "pid"), &pid) && pid > 0);
    assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
    f->doors[0].default_deaths = 0; /* of the restart itself */
    fixture_wait(f, somebody_mourns);

    assert_int_equal(h->status, RUN_OK);
    assert_int_equal(f->doors[0].default_deaths, 1);
    assert_int_equal(f->doors[1].default_deaths, 0);
}

static bool the_first_has_started(struct fixture *f)
{
    return f->heard[0].started > 0;
}

static bool both_have_started(struct fixture *f)
{
    return f->heard[0].started > 0 && f->heard[1].started > 0;
}

static bool the_first_has_ended(struct fixture *f)
{
    return f->heard[0].ended > 0;
}

static void test_door_interrupt_hits_only_contexts_it_uses(void **state)
{
    struct fixture *f = *state;
    struct heard *mine = fixture_execute(f, 0, "%%context a\nloop", "{}");
    struct heard *other = fixture_execute(f, 1, "%%context b\nloop", "{}");
    fixture_wait(f, both_have_started);

    fixture_order(f, 0, manage_interrupt, "{}");
    fixture_wait(f, the_first_has_ended);

    assert_int_equal(mine->status, RUN_FAILED);
    assert_int_equal(other->ended, 0);
    broker_interrupt(f->broker); /* a signal to the process hits both */
    fixture_wait(f, fixture_all_ended);
}

/* More than all buffers between a context and its reader take. */
#define FLOOD "flood 8000000"

static bool the_second_has_ended(struct fixture *f)
{
    return f->heard[1].ended > 0;
}

static bool the_flood_has_begun(struct fixture *f)
{
    return f->heard[0].output_count > 0;
}

static void test_door_that_is_behind_pauses_only_contexts_that_speak_to_it(void **state)
{
    struct fixture *f = *state;
    door_hold(f->doors[0].door);

    struct heard *slow = fixture_execute(f, 0, "%%context a\n" FLOOD, "{}");
    fixture_wait(f, the_flood_has_begun);
    struct heard *quick = fixture_execute(f, 1, "%%context b\n" FLOOD, "{}");
    fixture_wait(f, the_second_has_ended);

    assert_int_equal(quick->status, RUN_OK);
    assert_true(quick->output.len > 8000000);
    assert_int_equal(slow->ended, 0);
    assert_int_equal(slow->output_count, 1); /* it stops with the first */
    door_release(f->doors[0].door);
    fixture_wait(f, fixture_all_ended);
    assert_true(slow->output.len > 8000000);
}

static void test_door_that_is_behind_still_gets_the_rest_of_a_death(void **state)
{
    struct fixture *f = *state;
    door_hold(f->doors[0].door);

    struct heard *h = fixture_execute(f, 0, "print one\nprint two\nkill9", "{}");
    fixture_wait(f, fixture_all_ended);

    assert_string_equal(h->ename, "ContextCrashed");
    assert_non_null(strstr(buf_text(&h->output), "two"));
}

static void test_door_end_of_the_broker_is_told_to_all(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, 0, "hang", "{}");
    fixture_wait(f, the_first_has_started);

    broker_shutdown(f->broker);
    fixture_wait(f, fixture_has_stopped);

    for (size_t i = 0; i < MOCK_DOORS; i++) {
        assert_int_equal(f->doors[i].stops, 1);
        assert_int_equal(f->doors[i].closes, 0);
    }
    assert_non_null(strstr(buf_text(&f->heard[0].content), "shutting down"));
}

static void test_door_open_too_many_is_limit(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct door *d = NULL;
    struct mock_door more = {.fixture = f};

    for (int i = MOCK_DOORS; i < DOORS_MAX; i++) {
        assert_ok(door_open(f->broker, &mock_events, &more, &d, &e));
    }
    assert_err(door_open(f->broker, &mock_events, &more, &d, &e), ERR_LIMIT);

    broker_shutdown(f->broker);
    fixture_wait(f, fixture_has_stopped);
    assert_int_equal(more.stops, DOORS_MAX - MOCK_DOORS);
    broker_free(f->broker); /* before `more` goes */
    f->broker = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        broker_test(test_door_hears_only_its_own_runs),
        broker_test(test_door_contexts_are_shared_and_queue_in_order),
        broker_test(test_door_death_of_the_default_is_told_to_those_who_used_it),
        broker_test(test_door_interrupt_hits_only_contexts_it_uses),
        broker_test(test_door_that_is_behind_pauses_only_contexts_that_speak_to_it),
        broker_test(test_door_that_is_behind_still_gets_the_rest_of_a_death),
        broker_test(test_door_end_of_the_broker_is_told_to_all),
        broker_test(test_door_open_too_many_is_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
