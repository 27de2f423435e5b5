/* SPDX-License-Identifier: MIT */
#include "kernel/core/start_options.h"
#include "tests/unit/unit.h"

static void test_start_options_write_what_is_given(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(1024);

    assert_ok(start_options_write(SLICE_LIT("{\"rich\": true, \"codegen\": \"deny\", "
                                            "\"memory_bytes\": 2000000, \"cwd\": \"/\"}"),
                                  "javascript", &out, &e));

    assert_string_equal(buf_text(&out),
                        "\"rich\": true, \"codegen\": \"deny\", \"memory_bytes\": 2000000, ");
}

static void test_start_options_absent_and_null_are_not_written(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(1024);

    assert_ok(start_options_write(SLICE_LIT("{\"rich\": null}"), "python", &out, &e));

    assert_int_equal(out.len, 0);
}

static void test_start_options_bad_values_are_named(void **state)
{
    (void)state;

    static const struct {
        const char *content;
        const char *language;
        const char *named;
    } bad[] = {
        {"{\"rich\": 1}", "javascript", "rich must be true or false"},
        {"{\"codegen\": \"maybe\"}", "typescript", "codegen must be \"allow\" or \"deny\""},
        {"{\"codegen\": true}", "javascript", "codegen must be"},
        {"{\"codegen\": \"deny\"}", "python", "not of python"},
        {"{\"memory_bytes\": 5}", "javascript", "memory_bytes must be"},
        {"{\"memory_bytes\": \"1G\"}", "javascript", "memory_bytes must be"},
        {"{\"memory_bytes\": 5000000}", "python", "not of python"},
        {"{\"network\": 1}", "javascript", "network must be true or false"},
        {"{\"processes\": false}", "python", "processes is an option of javascript"},
    };

    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(1024);

        assert_int_equal(start_options_write(slice_of(bad[i].content), bad[i].language, &out, &e),
                         -1);

        assert_int_equal(e.code, ERR_INPUT);
        assert_non_null(strstr(e.text, bad[i].named));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_options_write_what_is_given),
        cmocka_unit_test(test_start_options_absent_and_null_are_not_written),
        cmocka_unit_test(test_start_options_bad_values_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
