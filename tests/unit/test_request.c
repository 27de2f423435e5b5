/* SPDX-License-Identifier: MIT */
#include "contexts/worker/request.h"
#include "tests/unit/unit.h"

static const struct slice options[] = {
    {.data = "{\"execution_count\": 5}", .len = sizeof "{\"execution_count\": 5}" - 1}};

static struct wire_frame execute(const char *content)
{
    return (struct wire_frame){
        .type = WIRE_EXECUTE, .content = slice_of(content), .buffers = options, .buffer_count = 1};
}

static int set_up(void **state)
{
    static struct request_room room;
    request_room_init(&room);
    *state = &room;
    return 0;
}

static int tear_down(void **state)
{
    request_room_done(*state);
    return 0;
}

static void test_request_execute_whole_is_decoded(void **state)
{
    struct request_room *room = *state;
    struct exec_request r;
    struct err e = ERR_NONE;
    struct wire_frame frame =
        execute("{\"code\": \"a\\n\\u00e4\", \"silent\": false, \"store_history\": false, "
                "\"allow_stdin\": true, \"user_expressions\": {\"k\": \"v\"}}");

    assert_ok(request_execute(&frame, room, &r, &e));

    assert_slice_equal(r.code, "a\n\xc3\xa4");
    assert_slice_equal(r.user_expressions, "{\"k\": \"v\"}");
    assert_int_equal(r.execution_count, 5);
    assert_false(r.silent);
    assert_false(r.store_history);
    assert_true(r.allow_stdin);
}

static void test_request_execute_defaults_are_the_protocols(void **state)
{
    struct request_room *room = *state;
    struct exec_request r;
    struct err e = ERR_NONE;
    struct wire_frame frame = execute("{\"code\": \"\"}");

    assert_ok(request_execute(&frame, room, &r, &e));

    assert_false(r.silent);
    assert_true(r.store_history);
    assert_false(r.allow_stdin);
    assert_int_equal(r.user_expressions.len, 0);
}

static void test_request_execute_silent_stores_no_history(void **state)
{
    struct request_room *room = *state;
    struct exec_request r;
    struct err e = ERR_NONE;
    struct wire_frame frame =
        execute("{\"code\": \"\", \"silent\": true, \"store_history\": true}");

    assert_ok(request_execute(&frame, room, &r, &e));

    assert_true(r.silent);
    assert_false(r.store_history);
}

static void test_request_execute_wrong_types_are_refused(void **state)
{
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"code\": 5}",
        "{\"code\": \"\", \"silent\": 1}",
        "{\"code\": \"\", \"store_history\": \"no\"}",
        "{\"code\": \"\", \"allow_stdin\": 0}",
        "{\"code\": \"\", \"user_expressions\": []}",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct exec_request r;
        struct err e = ERR_NONE;
        struct wire_frame frame = execute(bad[i]);
        assert_err(request_execute(&frame, *state, &r, &e), ERR_INPUT);
    }
}

static void test_request_execute_without_options_is_refused(void **state)
{
    struct request_room *room = *state;
    struct exec_request r;
    struct err e = ERR_NONE;
    struct wire_frame frame = execute("{\"code\": \"\"}");
    frame.buffer_count = 0;

    assert_err(request_execute(&frame, room, &r, &e), ERR_PROTO);
}

static void test_request_code_cursor_is_kept_within_the_code(void **state)
{
    static const struct {
        const char *content;
        size_t cursor;
    } rows[] = {
        {"{\"code\": \"\\u00e4bc\", \"cursor_pos\": 1}", 1},
        {"{\"code\": \"\\u00e4bc\", \"cursor_pos\": 99}", 3},
        {"{\"code\": \"\\u00e4bc\", \"cursor_pos\": -1}", 3},
        {"{\"code\": \"\\u00e4bc\"}", 3},
    };
    struct request_room *room = *state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct code_request r;
        struct err e = ERR_NONE;
        struct wire_frame frame = {.type = WIRE_COMPLETE, .content = slice_of(rows[i].content)};
        buf_clear(&room->code);
        assert_ok(request_code(&frame, room, &r, &e));
        assert_int_equal(r.cursor, rows[i].cursor);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_request_execute_whole_is_decoded),
        TEST(test_request_execute_defaults_are_the_protocols),
        TEST(test_request_execute_silent_stores_no_history),
        TEST(test_request_execute_wrong_types_are_refused),
        TEST(test_request_execute_without_options_is_refused),
        TEST(test_request_code_cursor_is_kept_within_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
