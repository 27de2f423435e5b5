/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "kernel/cli/paths.h"
#include "tests/unit/tree.h"

static void test_path_join_puts_one_slash(void **state)
{
    (void)state;
    _cleanup_(drop_free) char *plain = path_join("/a", "b");
    _cleanup_(drop_free) char *slashed = path_join("/a/", "b");
    _cleanup_(drop_free) char *root = path_join("/", "b");

    assert_string_equal(plain, "/a/b");
    assert_string_equal(slashed, "/a/b");
    assert_string_equal(root, "/b");
}

static void test_path_parent_stops_at_the_root(void **state)
{
    (void)state;
    _cleanup_(drop_free) char *deep = path_parent("/a/b/c");
    _cleanup_(drop_free) char *top = path_parent("/a");
    _cleanup_(drop_free) char *bare = path_parent("a");

    assert_string_equal(deep, "/a/b");
    assert_string_equal(top, "/");
    assert_string_equal(bare, ".");
    assert_string_equal(path_name("/a/b"), "b");
    assert_string_equal(path_name("b"), "b");
}

static void test_path_absolute_keeps_links(void **state)
{
    struct tree *t = *state;
    const char *target = tree_program(t, "real/python3.11");
    const char *link = tree_link(t, "venv/bin/python3", target);

    _cleanup_(drop_free) char *absolute = path_absolute(link);

    assert_string_equal(absolute, link);
}

static void test_path_absolute_starts_at_the_working_folder(void **state)
{
    (void)state;
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    _cleanup_(drop_free) char *wanted = xasprintf("%s/venv/bin", here);

    _cleanup_(drop_free) char *plain = path_absolute("venv/bin");
    _cleanup_(drop_free) char *dotted = path_absolute("./venv/bin/");
    _cleanup_(drop_free) char *dot = path_absolute(".");
    _cleanup_(drop_free) char *dot_slash = path_absolute("./");

    assert_string_equal(plain, wanted);
    assert_string_equal(dotted, wanted);
    assert_string_equal(dot, here);
    assert_string_equal(dot_slash, here);
}

static void test_path_absolute_resolves_only_the_folder_of_a_dotted_path(void **state)
{
    struct tree *t = *state;
    const char *target = tree_program(t, "real/python3.11");
    const char *link = tree_link(t, "venv/bin/python3", target);

    _cleanup_(drop_free) char *absolute = path_absolute(tree_path(t, "real/../venv/bin/python3"));
    _cleanup_(drop_free) char *up = path_absolute(tree_path(t, "real/.."));
    _cleanup_(drop_free) char *dots = path_absolute("/a..b/c");

    assert_string_equal(absolute, link);
    assert_string_equal(up, t->root);
    assert_string_equal(dots, "/a..b/c");
}

static void test_path_same_follows_links(void **state)
{
    struct tree *t = *state;
    const char *target = tree_program(t, "a");
    const char *link = tree_link(t, "b", "a");

    assert_true(path_same(link, target));
    assert_false(path_same(tree_program(t, "c"), target));
    assert_false(path_same(tree_path(t, "none"), tree_path(t, "none")));
}

static void test_path_is_program_wants_a_file_that_can_run(void **state)
{
    struct tree *t = *state;

    assert_true(path_is_program(tree_program(t, "x/run")));
    assert_false(path_is_program(tree_file(t, "x/data", "", 0644)));
    assert_false(path_is_program(tree_path(t, "x")));
    assert_false(path_is_program(tree_link(t, "x/dangling", "nowhere")));
    assert_true(path_is_folder(tree_path(t, "x")));
    assert_false(path_is_folder(tree_path(t, "x/run")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_setup, tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_path_join_puts_one_slash),
        TEST(test_path_parent_stops_at_the_root),
        TEST(test_path_absolute_keeps_links),
        TEST(test_path_absolute_starts_at_the_working_folder),
        TEST(test_path_absolute_resolves_only_the_folder_of_a_dotted_path),
        TEST(test_path_same_follows_links),
        TEST(test_path_is_program_wants_a_file_that_can_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
