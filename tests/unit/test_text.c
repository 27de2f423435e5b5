/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "tests/unit/unit.h"

#define FFFD "\xef\xbf\xbd"

/* What each piece of bytes is: well-formed or not, what a repair makes of it (as Python's
 * bytes.decode("utf-8", "replace") does), and how much of it a stream decoder may hand on. */
static const struct {
    struct slice bytes;
    bool good;
    const char *repaired;
    size_t complete;
} cases[] = {
    {SLICE_ROW(""), true, "", 0},
    {SLICE_ROW("plain ASCII of more than eight bytes"), true,
     "plain ASCII of more than eight bytes", 36},
    {SLICE_ROW("gr\xc3\xbc\xc3\x9f"), true, "gr\xc3\xbc\xc3\x9f", 6},
    {SLICE_ROW("\xe2\x82\xac\xf0\x9f\x8c\x99"), true, "\xe2\x82\xac\xf0\x9f\x8c\x99", 7},
    {SLICE_ROW("\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80"), true,
     "\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80", 10},
    {SLICE_ROW("\x80"), false, FFFD, 1},
    {SLICE_ROW("\xc0\xaf"), false, FFFD FFFD, 2},                   /* overlong */
    {SLICE_ROW("\xc1\xbf"), false, FFFD FFFD, 2},                   /* overlong */
    {SLICE_ROW("\xe0\x9f\xbf"), false, FFFD FFFD FFFD, 3},          /* overlong */
    {SLICE_ROW("\xf0\x8f\xbf\xbf"), false, FFFD FFFD FFFD FFFD, 4}, /* overlong */
    {SLICE_ROW("\xed\xa0\x80"), false, FFFD FFFD FFFD, 3},          /* surrogate */
    {SLICE_ROW("\xf4\x90\x80\x80"), false, FFFD FFFD FFFD FFFD, 4}, /* above U+10FFFF */
    {SLICE_ROW("\xf5\x80\x80\x80"), false, FFFD FFFD FFFD FFFD, 4},
    {SLICE_ROW("\xff"), false, FFFD, 1},
    {SLICE_ROW("a\xc3"), false, "a" FFFD, 1},
    {SLICE_ROW("a\xe2\x82"), false, "a" FFFD, 1},
    {SLICE_ROW("a\xf0\x9f\x8c"), false, "a" FFFD, 1},
    {SLICE_ROW("a\xf0"), false, "a" FFFD, 1},
    {SLICE_ROW("\xe2\x82"
               "b"),
     false, FFFD "b", 3},
    {SLICE_ROW("\xf0\x9f\xe2\x82\xac"), false, FFFD "\xe2\x82\xac", 5},
    {SLICE_ROW("\x80\x80\x80\x80\x80"), false, FFFD FFFD FFFD FFFD FFFD, 5},
    {SLICE_ROW("12345678\xff"), false, "12345678" FFFD, 9},
};

static void test_text_is_utf8_table_is_judged_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (text_is_utf8(cases[i].bytes) != cases[i].good) {
            fail_msg("case %zu", i);
        }
    }
    assert_true(text_is_utf8(SLICE_NONE));
}

static void test_text_add_utf8_table_is_repaired_as_python_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(100);
        assert_int_equal(text_add_utf8(&out, cases[i].bytes), 0);
        assert_string_equal(buf_text(&out), cases[i].repaired);
    }
}

static void test_text_add_utf8_at_the_ceiling_adds_nothing(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(7);
    (void)buf_add_text(&out, "x");

    assert_int_equal(text_add_utf8(&out, SLICE_LIT("ab\xff\xff")), -1);
    assert_string_equal(buf_text(&out), "x");

    assert_int_equal(text_add_utf8(&out, SLICE_LIT("abc\xff")), 0);
    assert_string_equal(buf_text(&out), "xabc" FFFD);
}

static void test_text_complete_len_table_leaves_unfinished_sequences(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (text_complete_len(cases[i].bytes) != cases[i].complete) {
            fail_msg("case %zu: %zu", i, text_complete_len(cases[i].bytes));
        }
    }
}

/* A decoder that is fed piece by piece must come to the same text, wherever the cuts are. */
static void test_text_complete_len_split_stream_gives_the_same(void **state)
{
    (void)state;
    const struct slice whole =
        SLICE_LIT("a\xc3\xbc\xe2\x82\xac\xf0\x9f\x8c\x99z\xed\xa0\x80\xf0\x9f");
    _cleanup_(drop_buf) struct buf wanted = BUF_INIT(1000);
    (void)text_add_utf8(&wanted, whole);

    for (size_t cut = 0; cut <= whole.len; cut++) {
        struct slice first = {whole.data, cut};
        first.len = text_complete_len(first);
        struct slice second = {whole.data + first.len, whole.len - first.len};
        _cleanup_(drop_buf) struct buf got = BUF_INIT(1000);
        (void)text_add_utf8(&got, first);
        (void)text_add_utf8(&got, second);
        assert_string_equal(buf_text(&got), buf_text(&wanted));
    }
}

static void test_text_cut_never_splits_a_code_point(void **state)
{
    (void)state;
    const struct slice s = SLICE_LIT("a\xc3\xbc\xe2\x82\xac\xf0\x9f\x8c\x99");
    const size_t wanted[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10};

    for (size_t max = 0; max < ARRAY_LEN(wanted); max++) {
        assert_int_equal(text_cut(s, max).len, wanted[max]);
    }
}

static void test_text_cut_ill_formed_is_cut_anywhere(void **state)
{
    (void)state;

    assert_int_equal(text_cut(SLICE_LIT("\x80\x80\x80\x80\x80\x80\x80\x80"), 6).len, 6);
    assert_int_equal(text_cut(SLICE_LIT("\x80\x80\x80"), 1).len, 1);
    assert_int_equal(text_cut(SLICE_NONE, 0).len, 0);
}

static void test_text_code_points_and_offset_agree(void **state)
{
    (void)state;
    const struct slice s = SLICE_LIT("a\xc3\xbc\xe2\x82\xac\xf0\x9f\x8c\x99z");
    const size_t offsets[] = {0, 1, 3, 6, 10, 11, 11};

    assert_int_equal(text_code_points(s), 5);
    assert_int_equal(text_code_points(SLICE_NONE), 0);
    for (size_t i = 0; i < ARRAY_LEN(offsets); i++) {
        assert_int_equal(text_offset(s, i), offsets[i]);
    }
    assert_int_equal(text_offset(SLICE_NONE, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_utf8_table_is_judged_right),
        cmocka_unit_test(test_text_add_utf8_table_is_repaired_as_python_does),
        cmocka_unit_test(test_text_add_utf8_at_the_ceiling_adds_nothing),
        cmocka_unit_test(test_text_complete_len_table_leaves_unfinished_sequences),
        cmocka_unit_test(test_text_complete_len_split_stream_gives_the_same),
        cmocka_unit_test(test_text_cut_never_splits_a_code_point),
        cmocka_unit_test(test_text_cut_ill_formed_is_cut_anywhere),
        cmocka_unit_test(test_text_code_points_and_offset_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
