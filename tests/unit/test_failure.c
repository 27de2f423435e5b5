/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "kernel/core/failure.h"
#include "tests/unit/unit.h"

static void test_failure_contents_carry_a_traceback_of_one_line(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    const char *evalue = "killed by \"SIGSEGV\"";

    failure_write_reply(&out, "ContextCrashed", evalue);
    assert_string_equal(buf_text(&out),
                        "{\"status\": \"error\", \"ename\": \"ContextCrashed\", "
                        "\"evalue\": \"killed by \\\"SIGSEGV\\\"\", "
                        "\"traceback\": [\"ContextCrashed: killed by \\\"SIGSEGV\\\"\"]}");
    buf_clear(&out);
    failure_write_output(&out, "ContextCrashed", evalue);
    assert_string_equal(
        buf_text(&out),
        "{\"ename\": \"ContextCrashed\", \"evalue\": \"killed by \\\"SIGSEGV\\\"\", "
        "\"traceback\": [\"ContextCrashed: killed by \\\"SIGSEGV\\\"\"]}");
    buf_clear(&out);
    failure_write_execute_reply(&out, "KeyboardInterrupt", "", 4);
    assert_string_equal(
        buf_text(&out),
        "{\"status\": \"error\", \"ename\": \"KeyboardInterrupt\", \"evalue\": \"\", "
        "\"traceback\": [\"KeyboardInterrupt\"], \"execution_count\": 4, "
        "\"payload\": [], \"user_expressions\": {}}");
}

static void test_failure_name_follows_the_code(void **state)
{
    (void)state;

    static const struct {
        enum err_code code;
        const char *name;
    } names[] = {
        {ERR_LIMIT, "LimitExceeded"},    {ERR_TIMEOUT, "TimeoutError"},
        {ERR_INPUT, "InvalidRequest"},   {ERR_STATE, "ServiceUnavailable"},
        {ERR_GONE, "ContextNotStarted"}, {ERR_SYS, "KernelError"},
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct err e = ERR_NONE;
        (void)err_set(&e, names[i].code, "why");
        assert_string_equal(failure_name(&e), names[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failure_contents_carry_a_traceback_of_one_line),
        cmocka_unit_test(test_failure_name_follows_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
