/* SPDX-License-Identifier: MIT */
#include "kernel/core/run_options.h"
#include "tests/unit/unit.h"

static void test_run_options_read_all_of_them(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct job_request r = {0};

    assert_ok(run_options_read(SLICE_LIT("{\"timeout_ms\": 1500, \"queue_timeout_ms\": 20, "
                                         "\"output_bytes\": 4096, \"env\": {\"A\": \"1\"}, "
                                         "\"cellId\": \"x\"}"),
                               &r, &e));

    assert_int_equal(r.timeout_ms, 1500);
    assert_int_equal(r.queue_timeout_ms, 20);
    assert_int_equal(r.output_bytes, 4096);
    assert_slice_equal(r.env, "{\"A\": \"1\"}");
}

static void test_run_options_read_absent_and_null_leave_defaults(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct job_request r = {0};

    assert_ok(run_options_read(SLICE_LIT("{\"timeout_ms\": null, \"env\": null}"), &r, &e));

    assert_int_equal(r.timeout_ms, 0);
    assert_int_equal(r.env.len, 0);
}

static void test_run_options_read_bad_values_are_named(void **state)
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
        {"{\"timeout_ms\": 99999999999999}", "timeout_ms"},
        {"{\"queue_timeout_ms\": true}", "queue_timeout_ms"},
        {"{\"output_bytes\": []}", "output_bytes"},
        {"{\"env\": []}", "env"},
        {"{\"env\": {\"A\": 1}}", "'A'"},
        {"{\"env\": {\"A=B\": \"1\"}}", "A=B"},
        {"{\"env\": {\"\": \"1\"}}", "name"},
        {"{\"env\": {\"A\": \"x\\u0000y\"}}", "NUL"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        struct job_request r = {0};

        assert_err(run_options_read(slice_of(cases[i].metadata), &r, &e), ERR_INPUT);

        assert_non_null(strstr(e.text, cases[i].named));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_options_read_all_of_them),
        cmocka_unit_test(test_run_options_read_absent_and_null_leave_defaults),
        cmocka_unit_test(test_run_options_read_bad_values_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
