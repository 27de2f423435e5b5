/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_collate.h"
#include "tests/unit/unit.h"

static void test_collate_orders_ascii_as_dictionaries_do(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        int order;
    } rows[] = {
        {"", "", 0},         {"", "a", -1},           {"a", "b", -1},    {"a", "B", -1},
        {"B", "a", 1},       {"a", "A", -1},          {"A", "a", 1},     {"ab", "aB", -1},
        {"aB", "ac", -1},    {"item10", "item9", -1}, {"_", "-", -1},    {" ", "_", -1},
        {"$", "0", -1},      {"9", "a", -1},          {"a b", "ab", -1}, {"a", "aa", -1},
        {"Zoo", "apple", 1}, {"z", "\x01", -1},       {"Ab", "aB", 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int order = 7;

        assert_true(js_collate(slice_of(rows[i].a), slice_of(rows[i].b), &order));
        assert_int_equal(order, rows[i].order);
    }
}

static void test_collate_leaves_other_letters_to_the_prelude(void **state)
{
    int order = 7;
    (void)state;

    assert_false(js_collate(slice_of("\xc3\xa9"), slice_of("e"), &order));
    assert_false(js_collate(slice_of("aa"), slice_of("a\xc3\xa9"), &order));
    assert_int_equal(order, 7);

    assert_true(js_collate(slice_of("a\xc3\xa9"), slice_of("b"), &order));
    assert_int_equal(order, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collate_orders_ascii_as_dictionaries_do),
        cmocka_unit_test(test_collate_leaves_other_letters_to_the_prelude),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
