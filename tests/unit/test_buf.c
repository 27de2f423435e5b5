/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "tests/unit/unit.h"

static void test_slice_eq_empty_and_null_are_equal(void **state)
{
    (void)state;

    assert_true(slice_eq(SLICE_NONE, SLICE_LIT("")));
    assert_true(slice_is(SLICE_LIT("ab"), "ab"));
    assert_false(slice_is(SLICE_LIT("ab"), "abc"));
    assert_false(slice_is(SLICE_LIT("ab"), "ac"));
}

static void test_buf_new_is_empty_text(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(10);

    assert_string_equal(buf_text(&b), "");
    assert_int_equal(buf_slice(&b).len, 0);
}

static void test_buf_add_up_to_the_ceiling_succeeds(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(5);

    assert_int_equal(buf_add(&b, "ab\0", 3), 0);
    assert_int_equal(buf_add_byte(&b, 'c'), 0);
    assert_int_equal(buf_add_text(&b, "d"), 0);

    assert_ok(buf_check(&b, &e));
    assert_int_equal(b.len, 5);
    assert_memory_equal(b.data, "ab\0cd", 6);
}

static void test_buf_add_past_the_ceiling_is_refused_whole(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(5);
    (void)buf_add_text(&b, "abc");

    assert_int_equal(buf_add_text(&b, "def"), -1);
    assert_int_equal(buf_addf(&b, "%d", 1234), -1);

    assert_string_equal(buf_text(&b), "abc");
    assert_err(buf_check(&b, &e), ERR_LIMIT);
    assert_non_null(strstr(e.text, "5"));
}

static void test_buf_check_remembers_until_clear(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(2);
    (void)buf_add_text(&b, "abc");
    (void)buf_add_text(&b, "ok");
    assert_err(buf_check(&b, &e), ERR_LIMIT);

    buf_clear(&b);

    assert_ok(buf_check(&b, &e));
    assert_string_equal(buf_text(&b), "");
}

static void test_buf_reserve_overflowing_length_is_refused(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(SIZE_MAX);
    (void)buf_add_text(&b, "abc");

    assert_null(buf_reserve(&b, SIZE_MAX));
    assert_null(buf_reserve(&b, SIZE_MAX - 3));

    assert_true(b.full);
    assert_string_equal(buf_text(&b), "abc");
}

static void test_buf_reserve_and_commit_terminate(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(100);
    (void)buf_add_text(&b, "ab");

    char *room = buf_reserve(&b, 90);
    memset(room, 'x', 90);
    buf_commit(&b, 3);

    assert_string_equal(buf_text(&b), "abxxx");
}

static void test_buf_addf_grows_for_long_text(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(10000);

    assert_int_equal(buf_addf(&b, "<%0*d>", 5000, 1), 0);

    assert_int_equal(b.len, 5002);
    assert_string_equal(b.data + 5000, "1>");
}

static void test_buf_shift_drops_the_front(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(100);
    (void)buf_add_text(&b, "abcdef");

    buf_shift(&b, 2);
    assert_string_equal(buf_text(&b), "cdef");

    buf_shift(&b, 99);
    assert_string_equal(buf_text(&b), "");
}

static void test_buf_truncate_takes_the_end_back(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(100);
    buf_truncate(&b, 0);
    (void)buf_add_text(&b, "abcdef");

    buf_truncate(&b, 6);
    assert_string_equal(buf_text(&b), "abcdef");
    buf_truncate(&b, 1);
    assert_string_equal(buf_text(&b), "a");
}

static void test_buf_take_gives_text_and_empties(void **state)
{
    (void)state;
    struct buf b = BUF_INIT(100);
    (void)buf_add_text(&b, "abc");

    _cleanup_(drop_free) char *first = buf_take(&b);
    _cleanup_(drop_free) char *second = buf_take(&b);

    assert_string_equal(first, "abc");
    assert_string_equal(second, "");
    assert_int_equal(b.limit, 100);
    assert_null(b.data);
}

static void test_buf_done_can_be_used_again(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(3);
    (void)buf_add_text(&b, "abc");

    buf_done(&b);
    buf_done(NULL);

    assert_int_equal(buf_add_text(&b, "de"), 0);
    assert_int_equal(buf_add_text(&b, "fg"), -1);
    assert_string_equal(buf_text(&b), "de");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_eq_empty_and_null_are_equal),
        cmocka_unit_test(test_buf_new_is_empty_text),
        cmocka_unit_test(test_buf_add_up_to_the_ceiling_succeeds),
        cmocka_unit_test(test_buf_add_past_the_ceiling_is_refused_whole),
        cmocka_unit_test(test_buf_check_remembers_until_clear),
        cmocka_unit_test(test_buf_reserve_overflowing_length_is_refused),
        cmocka_unit_test(test_buf_reserve_and_commit_terminate),
        cmocka_unit_test(test_buf_addf_grows_for_long_text),
        cmocka_unit_test(test_buf_shift_drops_the_front),
        cmocka_unit_test(test_buf_truncate_takes_the_end_back),
        cmocka_unit_test(test_buf_take_gives_text_and_empties),
        cmocka_unit_test(test_buf_done_can_be_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
