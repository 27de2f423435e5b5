/* SPDX-License-Identifier: MIT */
#include "kernel/cli/nearest.h"
#include "tests/unit/unit.h"

static size_t distance(const char *a, const char *b)
{
    return nearest_distance(slice_of(a), slice_of(b));
}

static const char *best_of(const char *wanted, const char *const *names, size_t count)
{
    struct nearest n = NEAREST_INIT(slice_of(wanted));
    for (size_t i = 0; i < count; i++) {
        nearest_offer(&n, names[i]);
    }
    return n.best;
}

static const char *const commands[] = {"install", "uninstall", "status", "help"};

static void test_nearest_distance_counts_each_kind_of_change(void **state)
{
    (void)state;

    assert_int_equal(distance("python", "python"), 0);
    assert_int_equal(distance("pyhton", "python"), 1);
    assert_int_equal(distance("pythn", "python"), 1);
    assert_int_equal(distance("pythoon", "python"), 1);
    assert_int_equal(distance("pyXhon", "python"), 1);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("kitten", "sitting"), 3);
}

static void test_nearest_distance_of_a_long_name_is_its_length(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'x', sizeof text);

    size_t far = nearest_distance((struct slice){.data = text, .len = sizeof text}, slice_of("x"));

    assert_int_equal(far, sizeof text);
}

static void test_nearest_offer_keeps_the_closest(void **state)
{
    (void)state;

    assert_string_equal(best_of("isntall", commands, ARRAY_LEN(commands)), "install");
    assert_string_equal(best_of("unistall", commands, ARRAY_LEN(commands)), "uninstall");
    assert_string_equal(best_of("statsu", commands, ARRAY_LEN(commands)), "status");
}

static void test_nearest_offer_takes_a_beginning(void **state)
{
    (void)state;

    assert_string_equal(best_of("uninst", commands, ARRAY_LEN(commands)), "uninstall");
}

static void test_nearest_offer_unlike_names_are_not_kept(void **state)
{
    (void)state;

    assert_null(best_of("zzzz", commands, ARRAY_LEN(commands)));
    assert_null(best_of("x", commands, ARRAY_LEN(commands)));
    assert_null(best_of("", commands, ARRAY_LEN(commands)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_distance_counts_each_kind_of_change),
        cmocka_unit_test(test_nearest_distance_of_a_long_name_is_its_length),
        cmocka_unit_test(test_nearest_offer_keeps_the_closest),
        cmocka_unit_test(test_nearest_offer_takes_a_beginning),
        cmocka_unit_test(test_nearest_offer_unlike_names_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
