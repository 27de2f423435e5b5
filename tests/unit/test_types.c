/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/types.h"
#include "tests/unit/unit.h"

static void test_msg_type_parse_every_name_comes_back(void **state)
{
    (void)state;
    for (int type = MSG_UNKNOWN + 1; type < MSG_TYPES; type++) {
        const char *name = msg_type_name((enum msg_type)type);
        assert_int_equal(msg_type_parse(slice_of(name)), type);
    }
}

static void test_msg_type_parse_foreign_name_is_unknown(void **state)
{
    (void)state;
    assert_int_equal(msg_type_parse(SLICE_LIT("debug_request")), MSG_UNKNOWN);
    assert_int_equal(msg_type_parse(SLICE_LIT("unknown")), MSG_UNKNOWN);
    assert_int_equal(msg_type_parse(SLICE_LIT("execute_reques")), MSG_UNKNOWN);
    assert_int_equal(msg_type_parse(SLICE_LIT("execute_request\0")), MSG_UNKNOWN);
    assert_int_equal(msg_type_parse(SLICE_LIT("EXECUTE_REQUEST")), MSG_UNKNOWN);
    assert_int_equal(msg_type_parse(SLICE_NONE), MSG_UNKNOWN);
}

static void test_msg_type_allowed_follows_the_protocol(void **state)
{
    (void)state;
    assert_true(msg_type_allowed(MSG_KERNEL_INFO_REQUEST, CHANNEL_SHELL));
    assert_true(msg_type_allowed(MSG_KERNEL_INFO_REQUEST, CHANNEL_CONTROL));
    assert_true(msg_type_allowed(MSG_SHUTDOWN_REQUEST, CHANNEL_SHELL));
    assert_true(msg_type_allowed(MSG_INPUT_REPLY, CHANNEL_STDIN));
    assert_true(msg_type_allowed(MSG_EXECUTE_REQUEST, CHANNEL_CONTROL));

    assert_false(msg_type_allowed(MSG_INSPECT_REQUEST, CHANNEL_CONTROL));
    assert_false(msg_type_allowed(MSG_INTERRUPT_REQUEST, CHANNEL_SHELL));
    assert_false(msg_type_allowed(MSG_INPUT_REPLY, CHANNEL_SHELL));
}

static void test_msg_type_allowed_nothing_comes_in_that_only_the_kernel_sends(void **state)
{
    (void)state;
    for (int channel = 0; channel < CHANNELS; channel++) {
        assert_false(msg_type_allowed(MSG_UNKNOWN, (enum channel)channel));
        assert_false(msg_type_allowed(MSG_STATUS, (enum channel)channel));
        assert_false(msg_type_allowed(MSG_EXECUTE_REPLY, (enum channel)channel));
    }
    for (int type = MSG_UNKNOWN; type < MSG_TYPES; type++) {
        assert_false(msg_type_allowed((enum msg_type)type, CHANNEL_IOPUB));
        assert_false(msg_type_allowed((enum msg_type)type, CHANNEL_HEARTBEAT));
    }
}

static void test_channel_name_names_each(void **state)
{
    (void)state;
    assert_string_equal(channel_name(CHANNEL_SHELL), "shell");
    assert_string_equal(channel_name(CHANNEL_CONTROL), "control");
    assert_string_equal(channel_name(CHANNEL_STDIN), "stdin");
    assert_string_equal(channel_name(CHANNEL_IOPUB), "iopub");
    assert_string_equal(channel_name(CHANNEL_HEARTBEAT), "heartbeat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_msg_type_parse_every_name_comes_back),
        cmocka_unit_test(test_msg_type_parse_foreign_name_is_unknown),
        cmocka_unit_test(test_msg_type_allowed_follows_the_protocol),
        cmocka_unit_test(test_msg_type_allowed_nothing_comes_in_that_only_the_kernel_sends),
        cmocka_unit_test(test_channel_name_names_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
