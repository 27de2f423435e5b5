/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/json.h"
#include "kernel/protocol/codec.h"
#include "kernel/protocol/reply.h"
#include "tests/unit/unit.h"

static const struct language_info PYTHON = {
    .name = "python",
    .version = "3.11.2",
    .mimetype = "text/x-python",
    .file_extension = ".py",
    .pygments_lexer = "ipython3",
    .codemirror_mode = "ipython",
    .codemirror_version = 3,
    .nbconvert_exporter = "python",
    .banner = "Pandia \"0.1\"",
    .implementation_version = "0.1.0",
};

/* The content must be JSON and equal, as a value, to `expected`. */
static void assert_json(const struct buf *content, const char *expected)
{
    struct err e = ERR_NONE;
    json_auto_t *seen = NULL;
    json_auto_t *wanted = NULL;
    assert_ok(json_parse(buf_slice(content), &seen, &e));
    assert_ok(json_parse(slice_of(expected), &wanted, &e));
    if (!json_equal(seen, wanted)) {
        fail_msg("is  %s\nnot %s", buf_text(content), expected);
    }
}

static void test_reply_kernel_info_full_language_has_all_fields(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB * 4);

    assert_ok(reply_kernel_info(&out, &PYTHON, &e));

    assert_json(&out,
                "{\"status\":\"ok\",\"protocol_version\":\"" PROTOCOL_VERSION "\","
                "\"implementation\":\"pandia\",\"implementation_version\":\"0.1.0\","
                "\"language_info\":{\"name\":\"python\",\"version\":\"3.11.2\","
                "\"mimetype\":\"text/x-python\",\"file_extension\":\".py\","
                "\"pygments_lexer\":\"ipython3\","
                "\"codemirror_mode\":{\"name\":\"ipython\",\"version\":3},"
                "\"nbconvert_exporter\":\"python\"},\"banner\":\"Pandia \\\"0.1\\\"\","
                "\"help_links\":[],\"supported_features\":[\"contexts\"],\"debugger\":false}");
}

static void test_reply_kernel_info_spare_language_leaves_fields_out(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct language_info info = {
        .name = "javascript", .codemirror_mode = "javascript", .implementation_version = "0.1.0"};
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB * 4);

    assert_ok(reply_kernel_info(&out, &info, &e));

    assert_json(&out, "{\"status\":\"ok\",\"protocol_version\":\"" PROTOCOL_VERSION "\","
                      "\"implementation\":\"pandia\",\"implementation_version\":\"0.1.0\","
                      "\"language_info\":{\"name\":\"javascript\","
                      "\"codemirror_mode\":\"javascript\"},\"banner\":\"\",\"help_links\":[],"
                      "\"supported_features\":[\"contexts\"],\"debugger\":false}");
}

static void test_reply_kernel_info_small_ceiling_is_limit(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(100);

    assert_err(reply_kernel_info(&out, &PYTHON, &e), ERR_LIMIT);
}

static void test_reply_small_contents_are_as_the_protocol_says(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

    assert_int_equal(reply_status(&out, "busy"), 0);
    assert_json(&out, "{\"execution_state\":\"busy\"}");
    buf_clear(&out);
    assert_int_equal(reply_shutdown(&out, true), 0);
    assert_json(&out, "{\"status\":\"ok\",\"restart\":true}");
    buf_clear(&out);
    assert_int_equal(reply_shutdown(&out, false), 0);
    assert_json(&out, "{\"status\":\"ok\",\"restart\":false}");
    buf_clear(&out);
    assert_int_equal(reply_welcome(&out, SLICE_LIT("to\"pic\n")), 0);
    assert_json(&out, "{\"subscription\":\"to\\\"pic\\n\"}");
}

static void test_reply_execute_input_keeps_the_code_as_it_came(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

    assert_int_equal(reply_execute_input(&out, SLICE_LIT("\"\\ud800 \\u0000 \\u00e9\""), 3), 0);

    assert_string_equal(buf_text(&out),
                        "{\"code\": \"\\ud800 \\u0000 \\u00e9\", \"execution_count\": 3}");
}

static void test_reply_execute_input_bytes_that_are_not_utf8_are_repaired(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

    assert_int_equal(reply_execute_input(&out, SLICE_LIT("\"a\xff\xe2\""), 3), 0);

    assert_json(&out, "{\"code\":\"a\\ufffd\\ufffd\",\"execution_count\":3}");
}

static void test_reply_contents_are_appended_to_what_is_there(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

    assert_int_equal(reply_status(&out, "busy"), 0);
    assert_int_equal(reply_status(&out, "idle"), 0);

    assert_string_equal(buf_text(&out),
                        "{\"execution_state\": \"busy\"}, {\"execution_state\": \"idle\"}");
}

static void test_reply_small_ceiling_fails(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(20);

    assert_int_equal(reply_status(&out, "starting"), -1);
    buf_clear(&out);
    assert_int_equal(reply_execute_input(&out, SLICE_LIT("\"print('hello')\""), 1), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reply_kernel_info_full_language_has_all_fields),
        cmocka_unit_test(test_reply_kernel_info_spare_language_leaves_fields_out),
        cmocka_unit_test(test_reply_kernel_info_small_ceiling_is_limit),
        cmocka_unit_test(test_reply_small_contents_are_as_the_protocol_says),
        cmocka_unit_test(test_reply_execute_input_keeps_the_code_as_it_came),
        cmocka_unit_test(test_reply_execute_input_bytes_that_are_not_utf8_are_repaired),
        cmocka_unit_test(test_reply_contents_are_appended_to_what_is_there),
        cmocka_unit_test(test_reply_small_ceiling_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
