/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/jscan.h"
#include "contexts/worker/content.h"
#include "mime/bundle.h"
#include "tests/unit/unit.h"

static int set_up(void **state)
{
    static struct buf out;
    out = BUF_INIT(MIB);
    *state = &out;
    return 0;
}

static int tear_down(void **state)
{
    buf_done(*state);
    return 0;
}

static void assert_well_formed(const struct buf *out)
{
    struct err e = ERR_NONE;
    assert_ok(jscan_check(buf_slice(out), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
}

static void test_content_execute_reply_ok_has_all_members(void **state)
{
    struct buf *out = *state;
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);

    content_execute_reply(out, &outcome, 3);

    assert_slice_equal(buf_slice(out), "{\"status\": \"ok\", \"execution_count\": 3, "
                                       "\"payload\": [], \"user_expressions\": {}}");
}

static void test_content_execute_reply_error_is_well_formed_whatever_the_texts(void **state)
{
    struct buf *out = *state;
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    outcome.failed = true;
    buf_add_text(&outcome.ename, "E\"");
    buf_add_text(&outcome.evalue, "bad \xff byte\n");
    buf_add_text(&outcome.traceback, "[\"line\"]");

    content_execute_reply(out, &outcome, 4);

    assert_well_formed(out);
    struct slice reply = buf_slice(out);
    assert_true(jscan_string_is(jscan_get(reply, "status"), "error"));
    assert_true(jscan_string_is(jscan_get(reply, "ename"), "E\""));
    assert_true(jscan_string_is(jscan_get(reply, "evalue"), "bad \xef\xbf\xbd byte\n"));
    assert_slice_equal(jscan_get(reply, "traceback"), "[\"line\"]");
    assert_slice_equal(jscan_get(reply, "execution_count"), "4");
}

static void test_content_error_has_the_three_members(void **state)
{
    struct buf *out = *state;
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    outcome.failed = true;
    buf_add_text(&outcome.ename, "N");

    content_error(out, &outcome);

    assert_slice_equal(buf_slice(out), "{\"ename\": \"N\", \"evalue\": \"\", \"traceback\": []}");
}

static void test_content_result_carries_count_and_bundle(void **state)
{
    struct buf *out = *state;
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, KIB);
    assert_int_equal(bundle_add_text(&bundle, "text/plain", SLICE_LIT("2")), 0);

    content_result(out, &bundle, 9);

    assert_well_formed(out);
    assert_slice_equal(jscan_get(buf_slice(out), "execution_count"), "9");
    assert_slice_equal(jscan_get(buf_slice(out), "data"), "{\"text/plain\": \"2\"}");
    assert_slice_equal(jscan_get(buf_slice(out), "metadata"), "{}");
}

static void test_content_display_without_transient_has_an_empty_object(void **state)
{
    struct buf *out = *state;
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, KIB);

    content_display(out, &bundle, SLICE_NONE);

    assert_well_formed(out);
    assert_slice_equal(jscan_get(buf_slice(out), "transient"), "{}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_content_execute_reply_ok_has_all_members),
        TEST(test_content_execute_reply_error_is_well_formed_whatever_the_texts),
        TEST(test_content_error_has_the_three_members),
        TEST(test_content_result_carries_count_and_bundle),
        TEST(test_content_display_without_transient_has_an_empty_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
