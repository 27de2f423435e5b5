/* SPDX-License-Identifier: MIT */
#include "tests/unit/command.h"

#define KERNELS "home/.local/share/jupyter/kernels"

static void test_uninstall_removes_what_install_made(void **state)
{
    struct stage *s = *state;
    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);
    tree_file(s->tree, KERNELS "/other/kernel.json", "{}", 0644);

    assert_int_equal(stage_run(s, &command_uninstall, ""), CLI_OK);

    assert_has(s->out, "Removed pandia-python");
    assert_false(tree_has(s->tree, KERNELS "/pandia-python"));
    assert_true(tree_has(s->tree, KERNELS "/other"));
}

static void test_uninstall_goes_by_name(void **state)
{
    struct stage *s = *state;
    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);
    assert_int_equal(stage_run(s, &command_install, "--name mine"), CLI_OK);
    assert_int_equal(stage_run(s, &command_install, "--name mine-typescript"), CLI_OK);

    assert_int_equal(stage_run(s, &command_uninstall, "--name Mine"), CLI_OK);

    assert_false(tree_has(s->tree, KERNELS "/mine"));
    assert_false(tree_has(s->tree, KERNELS "/mine-typescript"));
    assert_true(tree_has(s->tree, KERNELS "/pandia-python"));
}

static void test_uninstall_of_nothing_is_a_failure(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_uninstall, ""), CLI_FAILED);

    assert_one_line(s->err);
    assert_has(s->err, "pandia status");
}

static void test_uninstall_leaves_what_is_not_ours(void **state)
{
    struct stage *s = *state;
    tree_file(s->tree, KERNELS "/pandia-python/kernel.json", "{}", 0644);

    assert_int_equal(stage_run(s, &command_uninstall, ""), CLI_FAILED);

    assert_one_line(s->err);
    assert_has(s->err, "is not pandia's");
    assert_true(tree_has(s->tree, KERNELS "/pandia-python/kernel.json"));
}

static void test_uninstall_name_with_a_slash_is_usage(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_uninstall, "--name ../kernels"), CLI_USAGE);

    assert_one_line(s->err);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_uninstall_removes_what_install_made),
        TEST(test_uninstall_goes_by_name),
        TEST(test_uninstall_of_nothing_is_a_failure),
        TEST(test_uninstall_leaves_what_is_not_ours),
        TEST(test_uninstall_name_with_a_slash_is_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
