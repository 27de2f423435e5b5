/* SPDX-License-Identifier: MIT */
#include "kernel/core/options.h"
#include "tests/unit/unit.h"

static void test_options_read_run_all_of_them(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct run_options r = {0};

    assert_ok(options_read_run(SLICE_LIT("{\"timeout_ms\": 1500, \"queue_timeout_ms\": 20, "
                                         "\"output_bytes\": 4096, \"env\": {\"A\": \"1\"}, "
                                         "\"context\": \"mine\", \"cellId\": \"x\"}"),
                               &r, &e));

    assert_int_equal(r.timeout_ms, 1500);
    assert_int_equal(r.queue_timeout_ms, 20);
    assert_int_equal(r.output_bytes, 4096);
    assert_slice_equal(r.env, "{\"A\": \"1\"}");
    assert_slice_equal(r.context, "mine");
}

static void test_options_read_run_absent_null_and_unknown_leave_defaults(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct run_options r = {0};

    assert_ok(options_read_run(
        SLICE_LIT("{\"timeout_ms\": null, \"env\": null, \"tags\": [], \"limits\": 5}"), &r, &e));

    assert_int_equal(r.timeout_ms, 0);
    assert_int_equal(r.env.len, 0);
    assert_int_equal(r.context.len, 0);
}

static void test_options_read_run_bad_values_are_named(void **state)
{
    (void)state;

    static const struct {
        const char *metadata;
        const char *named;
    } cases[] = {
        {"{\"timeout_ms\": -1}", "timeout_ms"},
        {"{\"timeout_ms\": 0}", "timeout_ms"},
        {"{\"timeout_ms\": 1.5}", "timeout_ms"},
        {"{\"timeout_ms\": \"5\"}", "timeout_ms"},
        {"{\"timeout_ms\": 99999999999999}",
         "metadata.timeout_ms must be a whole number from 1 to"},
        {"{\"queue_timeout_ms\": true}", "queue_timeout_ms"},
        {"{\"output_bytes\": []}", "output_bytes"},
        {"{\"context\": 7}", "metadata.context must be a context id"},
        {"{\"context\": \"../x\"}", "metadata.context"},
        {"{\"env\": []}", "env"},
        {"{\"env\": {\"A\": 1}}", "'A'"},
        {"{\"env\": {\"A=B\": \"1\"}}", "A=B"},
        {"{\"env\": {\"\": \"1\"}}", "name"},
        {"{\"env\": {\"A\": \"x\\u0000y\"}}", "NUL"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        struct run_options r = {0};

        assert_err(options_read_run(slice_of(cases[i].metadata), &r, &e), ERR_INPUT);

        assert_non_null(strstr(e.text, cases[i].named));
    }
}

static void test_options_read_context_hands_the_engine_its_own(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_context_wish) struct context_wish wish;
    context_wish_init(&wish);

    assert_ok(options_read_context(
        SLICE_LIT("{\"rich\": true, \"codegen\": \"deny\", \"memory_bytes\": 2000000, "
                  "\"cwd\": \"/\", \"context_id\": \"a\", \"language\": \"javascript\"}"),
        "python", &wish, &e));

    assert_string_equal(buf_text(&wish.engine),
                        "\"rich\": true, \"codegen\": \"deny\", \"memory_bytes\": 2000000");
    assert_string_equal(buf_text(&wish.cwd), "/");
    assert_string_equal(buf_text(&wish.id), "a");
    assert_string_equal(buf_text(&wish.language), "javascript");
}

static void test_options_read_context_limits_are_what_stands_beside_them(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_context_wish) struct context_wish wish;
    context_wish_init(&wish);

    assert_ok(options_read_context(SLICE_LIT("{\"limits\": {\"memory_bytes\": 2000000}}"),
                                   "javascript", &wish, &e));

    assert_string_equal(buf_text(&wish.engine), "\"memory_bytes\": 2000000");
}

static void test_options_read_context_absent_and_null_are_not_kept(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_context_wish) struct context_wish wish;
    context_wish_init(&wish);

    assert_ok(options_read_context(SLICE_LIT("{\"rich\": null, \"limits\": null, \"env\": null}"),
                                   "python", &wish, &e));

    assert_int_equal(wish.engine.len, 0);
    assert_int_equal(wish.env.len, 0);
}

static void test_options_read_context_bad_values_are_named(void **state)
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
        {"{\"codegen\": \"deny\", \"language\": \"python\"}", "javascript", "not of python"},
        {"{\"memory_bytes\": 5}", "javascript", "memory_bytes must be"},
        {"{\"memory_bytes\": \"1G\"}", "javascript", "memory_bytes must be"},
        {"{\"memory_bytes\": 5000000}", "python", "not of python"},
        {"{\"network\": 1}", "javascript", "network must be true or false"},
        {"{\"processes\": false}", "python", "processes is an option of javascript"},
        {"{\"limits\": {\"memory_bytes\": \"lots\"}}", "javascript", "limits.memory_bytes must be"},
        {"{\"limits\": {\"memory_bytes\": 5000000}}", "python", "limits.memory_bytes is an option"},
        {"{\"limits\": {\"memory\": 5}}", "javascript", "'limits.memory' is not an option"},
        {"{\"limits\": 5}", "javascript", "limits must be an object"},
        {"{\"langauge\": \"python\"}", "python", "'langauge' is not an option of a context"},
        {"{\"langauge\": null}", "python", "there are context_id, language, cwd"},
        {"{\"context_id\": 7}", "python", "context_id must be a text"},
        {"{\"context_id\": \"a b\"}", "python", "'a b'"},
        {"{\"cwd\": []}", "python", "cwd must be a text"},
        {"[]", "python", "must be an object"},
    };

    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_context_wish) struct context_wish wish;
        context_wish_init(&wish);

        assert_int_equal(options_read_context(slice_of(bad[i].content), bad[i].language, &wish, &e),
                         -1);

        assert_int_equal(e.code, ERR_INPUT);
        assert_non_null(strstr(e.text, bad[i].named));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_read_run_all_of_them),
        cmocka_unit_test(test_options_read_run_absent_null_and_unknown_leave_defaults),
        cmocka_unit_test(test_options_read_run_bad_values_are_named),
        cmocka_unit_test(test_options_read_context_hands_the_engine_its_own),
        cmocka_unit_test(test_options_read_context_limits_are_what_stands_beside_them),
        cmocka_unit_test(test_options_read_context_absent_and_null_are_not_kept),
        cmocka_unit_test(test_options_read_context_bad_values_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
