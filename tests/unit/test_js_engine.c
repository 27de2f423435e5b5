/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "tests/unit/js_fixture.h"

static int open_with(struct js *js, const char *options, struct err *e)
{
    return js_engine_table(js->language)->open(js, NULL, slice_of(options), e);
}

static void test_memory_limit_is_a_catchable_error(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    struct err e = ERR_NONE;
    assert_ok(open_with(js, "{\"memory_bytes\": 16000000}", &e));

    const char *said =
        js_fixture_eval(js,
                        "let kept = []; try { for (;;) kept.push(new Array(1000).fill(1.5)) }"
                        " catch (error) { kept = null; String(error) }",
                        &out);

    assert_string_equal(said, "InternalError: out of memory");
    assert_string_equal(js_fixture_eval(js, "'x'.repeat(1000000).length", &out), "1000000");
    assert_string_equal(js_fixture_eval(js,
                                        "try { Buffer.from('x'.repeat(12e6)); 'no limit' }"
                                        " catch (error) { 'refused' }",
                                        &out),
                        "refused");
}

static void test_memory_limit_that_makes_no_sense_is_refused(void **state)
{
    static const char *const bad[] = {"{\"memory_bytes\": 5}", "{\"memory_bytes\": \"1G\"}",
                                      "{\"memory_bytes\": -1}"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;

        assert_err(open_with(*state, bad[i], &e), ERR_INPUT);

        assert_non_null(strstr(e.text, "memory_bytes"));
    }
}

static void test_policy_forbids_processes_and_network(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    struct err e = ERR_NONE;
    assert_ok(open_with(js, "{\"network\": false, \"processes\": false}", &e));

    const char *said = js_fixture_eval(js,
                                       "try { require('child_process').execSync('true') }"
                                       " catch (error) { error.code + error.message }",
                                       &out);

    assert_non_null(strstr(said, "ERR_ACCESS_DENIED"));
    assert_non_null(strstr(said, "not allowed in this context"));
}

static void test_languages_have_their_names(void **state)
{
    (void)state;
    assert_string_equal(js_engine_table(JS_LANGUAGE_JAVASCRIPT)->language, "javascript");
    assert_string_equal(js_engine_table(JS_LANGUAGE_TYPESCRIPT)->language, "typescript");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_policy_forbids_processes_and_network, js_fixture_new,
                                        js_fixture_done),
        cmocka_unit_test_setup_teardown(test_memory_limit_is_a_catchable_error, js_fixture_new,
                                        js_fixture_done),
        cmocka_unit_test_setup_teardown(test_memory_limit_that_makes_no_sense_is_refused,
                                        js_fixture_new, js_fixture_done),
        cmocka_unit_test(test_languages_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
