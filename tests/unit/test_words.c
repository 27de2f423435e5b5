/* SPDX-License-Identifier: MIT */
#include "kernel/cli/words.h"
#include "tests/unit/unit.h"

static void test_words_add_copies_the_text(void **state)
{
    (void)state;
    _cleanup_(drop_words) struct words w = {0};
    char text[] = "one";

    words_add(&w, text);
    text[0] = 'X';
    words_add(&w, "two");

    assert_int_equal(w.count, 2);
    assert_string_equal(w.items[0], "one");
    assert_string_equal(w.items[1], "two");
}

static void test_words_has_finds_whole_words_only(void **state)
{
    (void)state;
    _cleanup_(drop_words) struct words w = {0};

    words_add(&w, "python");

    assert_true(words_has(&w, "python"));
    assert_false(words_has(&w, "pyth"));
    assert_false(words_has(&w, ""));
}

static void test_words_done_leaves_an_empty_list(void **state)
{
    (void)state;
    struct words w = {0};
    words_add(&w, "one");

    words_done(&w);
    words_done(&w);

    assert_int_equal(w.count, 0);
    assert_null(w.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_add_copies_the_text),
        cmocka_unit_test(test_words_has_finds_whole_words_only),
        cmocka_unit_test(test_words_done_leaves_an_empty_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
