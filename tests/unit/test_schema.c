/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/schema.h"
#include "tests/unit/unit.h"

struct sample {
    enum msg_type type;
    const char *content;
};

static void test_schema_check_requests_as_clients_send_them_are_accepted(void **state)
{
    (void)state;
    static const struct sample samples[] = {
        {MSG_KERNEL_INFO_REQUEST, "{}"},
        {MSG_EXECUTE_REQUEST, "{\"code\":\"1+1\"}"},
        {MSG_EXECUTE_REQUEST, "{\"code\":\"\",\"silent\":false,\"store_history\":true,"
                              "\"user_expressions\":{\"a\":\"b\"},\"allow_stdin\":true,"
                              "\"stop_on_error\":true,\"something_new\":[1]}"},
        {MSG_EXECUTE_REQUEST, "{\"code\":\"\",\"silent\":null,\"user_expressions\":null}"},
        {MSG_EXECUTE_REQUEST, "{\"c\\u006fde\":\"\\ud800 \\u0000\"}"},
        {MSG_COMPLETE_REQUEST, "{\"code\":\"pri\",\"cursor_pos\":3}"},
        {MSG_COMPLETE_REQUEST, "{\"code\":\"pri\",\"cursor_pos\":null}"},
        {MSG_INSPECT_REQUEST, "{\"code\":\"x\",\"cursor_pos\":1,\"detail_level\":0}"},
        {MSG_IS_COMPLETE_REQUEST, "{\"code\":\"for\"}"},
        {MSG_HISTORY_REQUEST, "{\"hist_access_type\":\"range\",\"raw\":true,\"output\":false,"
                              "\"session\":0,\"start\":-1,\"stop\":null}"},
        {MSG_COMM_INFO_REQUEST, "{\"target_name\":null}"},
        {MSG_COMM_OPEN, "{\"comm_id\":\"c\",\"target_name\":\"t\",\"data\":{}}"},
        {MSG_COMM_MSG, "{\"comm_id\":\"c\",\"data\":[1]}"},
        {MSG_COMM_CLOSE, "{\"comm_id\":\"c\"}"},
        {MSG_SHUTDOWN_REQUEST, "{\"restart\":false}"},
        {MSG_SHUTDOWN_REQUEST, "{}"},
        {MSG_INTERRUPT_REQUEST, "{}"},
        {MSG_INPUT_REPLY, "{\"status\":\"ok\",\"value\":\"yes\"}"},
        {MSG_UNKNOWN, "{\"code\":7}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        struct err e = ERR_NONE;
        assert_ok(schema_check(samples[i].type, slice_of(samples[i].content), &e));
    }
}

static void test_schema_check_bad_requests_name_type_and_field(void **state)
{
    (void)state;

    static const struct {
        struct sample sample;
        const char *text;
    } rows[] = {
        {{MSG_EXECUTE_REQUEST, "{}"},
         "execute_request: field \"code\" is missing, must be a string"},
        {{MSG_EXECUTE_REQUEST, "{\"code\":null}"},
         "execute_request: field \"code\" is null, must be a string"},
        {{MSG_EXECUTE_REQUEST, "{\"code\":[\"1\"]}"},
         "execute_request: field \"code\" is a list, must be a string"},
        {{MSG_EXECUTE_REQUEST, "{\"code\":\"\",\"silent\":\"no\"}"},
         "execute_request: field \"silent\" is a string, must be true or false"},
        {{MSG_EXECUTE_REQUEST, "{\"code\":\"\",\"user_expressions\":[]}"},
         "execute_request: field \"user_expressions\" is a list, must be an object"},
        {{MSG_EXECUTE_REQUEST, "[]"}, "execute_request: content is a list, must be an object"},
        {{MSG_KERNEL_INFO_REQUEST, "7"},
         "kernel_info_request: content is a number, must be an object"},
        {{MSG_COMPLETE_REQUEST, "{\"code\":\"\",\"cursor_pos\":\"3\"}"},
         "complete_request: field \"cursor_pos\" is a string, must be a whole number"},
        {{MSG_HISTORY_REQUEST, "{\"hist_access_type\":1}"},
         "history_request: field \"hist_access_type\" is a number, must be a string"},
        {{MSG_COMM_OPEN, "{\"comm_id\":\"c\"}"},
         "comm_open: field \"target_name\" is missing, must be a string"},
        {{MSG_COMM_MSG, "{\"data\":{}}"},
         "comm_msg: field \"comm_id\" is missing, must be a string"},
        {{MSG_SHUTDOWN_REQUEST, "{\"restart\":1}"},
         "shutdown_request: field \"restart\" is a number, must be true or false"},
        {{MSG_INPUT_REPLY, "{}"}, "input_reply: field \"value\" is missing, must be a string"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err e = ERR_NONE;
        assert_err(schema_check(rows[i].sample.type, slice_of(rows[i].sample.content), &e),
                   ERR_INPUT);
        assert_string_equal(e.text, rows[i].text);
    }
}

static void test_schema_check_of_equal_keys_the_last_counts(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    assert_ok(schema_check(MSG_IS_COMPLETE_REQUEST, SLICE_LIT("{\"code\":1,\"code\":\"x\"}"), &e));
    assert_err(schema_check(MSG_IS_COMPLETE_REQUEST, SLICE_LIT("{\"code\":\"x\",\"code\":1}"), &e),
               ERR_INPUT);
}

static void test_schema_check_nested_fields_do_not_count(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    assert_err(schema_check(MSG_EXECUTE_REQUEST, SLICE_LIT("{\"a\":{\"code\":\"x\"}}"), &e),
               ERR_INPUT);
}

static void test_schema_execute_fields_only_code_gives_defaults(void **state)
{
    (void)state;
    struct execute_fields fields;

    schema_execute_fields(SLICE_LIT("{ \"code\" : \"a\\nb\" , \"silent\" : null }"), &fields);

    assert_slice_equal(fields.code, "\"a\\nb\"");
    assert_false(fields.silent);
    assert_true(fields.store_history);
    assert_false(fields.allow_stdin);
    assert_true(fields.stop_on_error);
}

static void test_schema_execute_fields_given_values_are_read(void **state)
{
    (void)state;
    struct execute_fields fields;

    schema_execute_fields(SLICE_LIT("{\"store_history\":false,\"allow_stdin\":true,"
                                    "\"stop_on_error\":false,\"code\":\"\"}"),
                          &fields);

    assert_slice_equal(fields.code, "\"\"");
    assert_false(fields.store_history);
    assert_true(fields.allow_stdin);
    assert_false(fields.stop_on_error);
}

static void test_schema_execute_fields_silent_stores_no_history(void **state)
{
    (void)state;
    struct execute_fields fields;

    schema_execute_fields(SLICE_LIT("{\"code\":\"\",\"silent\":true,\"store_history\":true}"),
                          &fields);

    assert_true(fields.silent);
    assert_false(fields.store_history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schema_check_requests_as_clients_send_them_are_accepted),
        cmocka_unit_test(test_schema_check_bad_requests_name_type_and_field),
        cmocka_unit_test(test_schema_check_of_equal_keys_the_last_counts),
        cmocka_unit_test(test_schema_check_nested_fields_do_not_count),
        cmocka_unit_test(test_schema_execute_fields_only_code_gives_defaults),
        cmocka_unit_test(test_schema_execute_fields_given_values_are_read),
        cmocka_unit_test(test_schema_execute_fields_silent_stores_no_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
