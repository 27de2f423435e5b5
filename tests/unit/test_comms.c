/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/core/comms.h"
#include "tests/unit/unit.h"

static int setup(void **state)
{
    *state = comms_new();
    return 0;
}

static int teardown(void **state)
{
    comms_free(*state);
    return 0;
}

static void test_comms_open_is_found_until_closed(void **state)
{
    struct err e = ERR_NONE;
    struct comms *c = *state;

    assert_ok(comms_open(c, SLICE_LIT("\"id1\""), SLICE_LIT("\"widget\""), "default", &e));
    assert_string_equal(comms_context(c, SLICE_LIT("\"id1\"")), "default");
    assert_string_equal(comms_context(c, SLICE_LIT("\"\\u0069d1\"")), "default");

    comms_close(c, SLICE_LIT("\"id1\""));
    assert_null(comms_context(c, SLICE_LIT("\"id1\"")));
    comms_close(c, SLICE_LIT("\"id1\"")); /* twice is harmless */
}

static void test_comms_open_bad_ids_are_refused(void **state)
{
    struct err e = ERR_NONE;
    struct comms *c = *state;

    assert_err(comms_open(c, SLICE_LIT("7"), SLICE_LIT("\"t\""), "x", &e), ERR_INPUT);
    assert_err(comms_open(c, SLICE_LIT("\"\""), SLICE_LIT("\"t\""), "x", &e), ERR_INPUT);
    assert_err(comms_open(c, SLICE_LIT("\"a\\u0000b\""), SLICE_LIT("\"t\""), "x", &e), ERR_INPUT);
}

static void test_comms_drop_context_takes_only_its_own(void **state)
{
    struct err e = ERR_NONE;
    struct comms *c = *state;
    assert_ok(comms_open(c, SLICE_LIT("\"a\""), SLICE_LIT("\"t\""), "one", &e));
    assert_ok(comms_open(c, SLICE_LIT("\"b\""), SLICE_LIT("\"t\""), "two", &e));
    assert_ok(comms_open(c, SLICE_LIT("\"c\""), SLICE_LIT("\"t\""), "one", &e));

    comms_drop_context(c, "one");

    assert_null(comms_context(c, SLICE_LIT("\"a\"")));
    assert_string_equal(comms_context(c, SLICE_LIT("\"b\"")), "two");
    assert_null(comms_context(c, SLICE_LIT("\"c\"")));
}

static void test_comms_write_info_filters_by_target(void **state)
{
    struct err e = ERR_NONE;
    struct comms *c = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    assert_ok(comms_open(c, SLICE_LIT("\"a\""), SLICE_LIT("\"one\""), "x", &e));
    assert_ok(comms_open(c, SLICE_LIT("\"b\""), SLICE_LIT("\"two\""), "x", &e));

    comms_write_info(c, SLICE_LIT("\"two\""), &out);

    struct slice comms = jscan_get(buf_slice(&out), "comms");
    assert_ok(jscan_check(buf_slice(&out), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    assert_int_equal(jscan_kind(jscan_get(comms, "a")), JSCAN_NONE);
    assert_true(jscan_string_is(jscan_get(jscan_get(comms, "b"), "target_name"), "two"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_comms_open_is_found_until_closed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_comms_open_bad_ids_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_comms_drop_context_takes_only_its_own, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_comms_write_info_filters_by_target, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
