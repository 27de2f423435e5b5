/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/core/environment.h"
#include "tests/unit/unit.h"

static void test_environment_write_withholds_what_is_the_brokers(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    char *list[] = {(char[]){"HOME=/h"},          (char[]){"JPY_PARENT_PID=7"},
                    (char[]){"PANDIA_SCALE=1"},   (char[]){"PANDIA_JEDI=1"},
                    (char[]){"TOKEN=user's own"}, NULL};

    environment_write(&out, list, SLICE_NONE);

    struct slice json = buf_slice(&out);
    assert_ok(jscan_check(json, JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    assert_true(jscan_string_is(jscan_get(json, "HOME"), "/h"));
    assert_true(jscan_string_is(jscan_get(json, "TOKEN"), "user's own"));
    assert_int_equal(jscan_kind(jscan_get(json, "JPY_PARENT_PID")), JSCAN_NONE);
    assert_int_equal(jscan_kind(jscan_get(json, "PANDIA_SCALE")), JSCAN_NONE);
    assert_true(jscan_string_is(jscan_get(json, "PANDIA_JEDI"), "1"));
}

static void test_environment_write_odd_entries_stay_json(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    char *list[] = {(char[]){"A=quote \" newline \n $(x)"}, (char[]){"NOEQUALS"}, (char[]){"=x"},
                    (char[]){"B="}, NULL};

    environment_write(&out, list, SLICE_NONE);

    struct slice json = buf_slice(&out);
    assert_ok(jscan_check(json, JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    assert_true(jscan_string_is(jscan_get(json, "A"), "quote \" newline \n $(x)"));
    assert_true(jscan_string_is(jscan_get(json, "B"), ""));
}

static void test_environment_write_too_large_is_refused(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(16);
    char *list[] = {(char[]){"LONG=0123456789012345678901234567890"}, NULL};

    environment_write(&out, list, SLICE_NONE);

    assert_err(buf_check(&out, &e), ERR_LIMIT);
}

static void test_environment_write_overlay_comes_last(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    char *list[] = {(char[]){"HOME=/h"}, NULL};

    environment_write(&out, list, SLICE_LIT("{\"HOME\": \"/other\", \"NEW\": \"1\"}"));

    assert_string_equal(buf_text(&out), "{\"HOME\": \"/h\", \"HOME\": \"/other\", \"NEW\": \"1\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_environment_write_withholds_what_is_the_brokers),
        cmocka_unit_test(test_environment_write_odd_entries_stay_json),
        cmocka_unit_test(test_environment_write_too_large_is_refused),
        cmocka_unit_test(test_environment_write_overlay_comes_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
