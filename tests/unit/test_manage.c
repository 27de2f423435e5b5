/* SPDX-License-Identifier: MIT */
#include "tests/unit/broker_fixture.h"

static struct slice context_of(const struct heard *h, const char *key)
{
    return jscan_get(jscan_get(buf_slice(&h->content), "context"), key);
}

static size_t listed(struct fixture *f)
{
    struct heard *h = fixture_order(f, 0, manage_list, "{}");
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    size_t count = 0;
    assert_int_equal(h->status, RUN_OK);
    jscan_iter_init(&it, jscan_get(buf_slice(&h->content), "contexts"));
    while (jscan_next(&it, &key, &value)) {
        count++;
    }
    return count;
}

static void test_manage_create_answers_when_the_context_is_ready(void **state)
{
    struct fixture *f = *state;

    struct heard *made = fixture_order(f, 0, manage_create, "{\"context_id\": \"a\"}");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(made->status, RUN_OK);
    assert_string_equal(made->context_id, "a");
    assert_true(jscan_string_is(context_of(made, "id"), "a"));
    assert_true(jscan_string_is(context_of(made, "state"), "idle"));
    assert_int_equal(listed(f), 2);
}

static void test_manage_create_what_cannot_be_leaves_nothing(void **state)
{
    struct fixture *f = *state;

    struct heard *wrong = fixture_order(f, 0, manage_create, "{\"context_id\": \"a b\"}");
    struct heard *unknown = fixture_order(f, 0, manage_create, "{\"memory\": 5}");
    struct heard *broken = fixture_order(f, 0, manage_create, "{\"language\": \"broken\"}");
    fixture_wait(f, fixture_all_ended);

    assert_string_equal(wrong->ename, "InvalidRequest");
    assert_non_null(strstr(unknown->reason, "'memory' is not an option"));
    assert_int_equal(broken->status, RUN_FAILED);
    assert_string_equal(broken->ename, "ContextNotStarted");
    fixture_execute(f, 0, "count", "{}"); /* it is taken away in the next turn of the loop */
    fixture_wait(f, fixture_all_ended);
    assert_int_equal(listed(f), 1);
}

static void test_manage_restart_brings_a_fresh_process(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, 0, "count", "{}");
    fixture_wait(f, fixture_all_ended);

    struct heard *fresh = fixture_order(f, 0, manage_restart, "{\"context_id\": \"default\"}");
    fixture_wait(f, fixture_all_ended);
    struct heard *again = fixture_execute(f, 0, "count", "{}");
    fixture_wait(f, fixture_all_ended);

    int64_t count = -1;
    assert_true(jscan_int(context_of(fresh, "execution_count"), &count));
    assert_int_equal(count, 0);
    assert_non_null(strstr(buf_text(&again->output), "1\\n"));
}

static void test_manage_delete_ends_context_and_requests(void **state)
{
    struct fixture *f = *state;
    fixture_order(f, 0, manage_create, "{\"context_id\": \"a\"}");
    fixture_wait(f, fixture_all_ended);

    struct heard *cell = fixture_execute(f, 0, "loop", "{\"context\": \"a\"}");
    struct heard *gone = fixture_order(f, 0, manage_delete, "{\"context_id\": \"a\"}");
    struct heard *twice = fixture_order(f, 0, manage_delete, "{\"context_id\": \"a\"}");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(gone->status, RUN_OK);
    assert_true(gone->order > cell->order);
    assert_int_equal(cell->status, RUN_FAILED);
    assert_non_null(strstr(buf_text(&cell->content), "it was deleted"));
    assert_non_null(strstr(twice->reason, "being deleted already"));
    assert_int_equal(listed(f), 1);
}

static void test_manage_delete_of_the_default_or_none_is_refused(void **state)
{
    struct fixture *f = *state;

    struct heard *own = fixture_order(f, 0, manage_delete, "{\"context_id\": \"default\"}");
    struct heard *none = fixture_order(f, 0, manage_delete, "{\"context_id\": \"nosuch\"}");

    assert_non_null(strstr(own->reason, "cannot be deleted"));
    assert_non_null(strstr(none->reason, "'nosuch'"));
}

static bool two_have_started(struct fixture *f)
{
    return f->heard[1].started > 0 && f->heard[2].started > 0;
}

static bool the_cell_has_ended(struct fixture *f)
{
    return f->heard[2].ended > 0;
}

static void test_manage_interrupt_without_id_spares_contexts_of_programs(void **state)
{
    struct fixture *f = *state;
    fixture_order(f, 0, manage_create, "{\"context_id\": \"program\"}");
    struct heard *program = fixture_execute(f, 0, "loop", "{\"context\": \"program\"}");
    struct heard *cell = fixture_execute(f, 0, "%%context line\nloop", "{}");
    fixture_wait(f, two_have_started);

    assert_int_equal(fixture_order(f, 0, manage_interrupt, "{}")->status, RUN_OK);
    fixture_wait(f, the_cell_has_ended);
    assert_int_equal(program->ended, 0);
    fixture_order(f, 0, manage_interrupt, "{\"context_id\": \"program\"}");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(program->status, RUN_FAILED);
    assert_int_equal(cell->status, RUN_FAILED);
}

static void test_manage_usage_and_comm_info_answer(void **state)
{
    struct fixture *f = *state;

    struct heard *usage = fixture_order(f, 0, manage_usage, "{}");
    struct heard *comms = fixture_order(f, 0, manage_comm_info, "{}");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(usage->status, RUN_OK);
    assert_true(usage->content.len > 0);
    assert_string_equal(buf_text(&comms->content), "{\"status\": \"ok\", \"comms\": {}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        broker_test(test_manage_create_answers_when_the_context_is_ready),
        broker_test(test_manage_create_what_cannot_be_leaves_nothing),
        broker_test(test_manage_restart_brings_a_fresh_process),
        broker_test(test_manage_delete_ends_context_and_requests),
        broker_test(test_manage_delete_of_the_default_or_none_is_refused),
        broker_test(test_manage_interrupt_without_id_spares_contexts_of_programs),
        broker_test(test_manage_usage_and_comm_info_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
