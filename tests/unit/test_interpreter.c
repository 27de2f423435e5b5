/* SPDX-License-Identifier: MIT */
#include "kernel/cli/interpreter.h"
#include "tests/unit/tree.h"

struct fixture {
    struct tree *tree;
    struct python_build build;
    struct interpreter in;
};

static char *const no_env[] = {NULL};

static int setup(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->tree = tree_new();
    f->build = (struct python_build){.path = tree_program(f->tree, "usr/bin/python3.11"),
                                     .version = "3.11.2"};
    tree_link(f->tree, "usr/bin/python3", "python3.11");
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    interpreter_done(&f->in);
    tree_free(f->tree);
    free(f);
    return 0;
}

/* Writes venv/pyvenv.cfg with `home` in the tree. */
static void config(struct fixture *f, const char *home, const char *rest)
{
    _cleanup_(drop_free) char *text = xasprintf("home = %s/%s\n%s", f->tree->root, home, rest);
    tree_file(f->tree, "venv/pyvenv.cfg", text, 0644);
}

static void inspect(struct fixture *f, const char *path)
{
    interpreter_done(&f->in);
    interpreter_inspect(&f->build, path, &f->in);
}

static void test_interpreter_inspect_the_build_itself_is_served(void **state)
{
    struct fixture *f = *state;

    inspect(f, tree_path(f->tree, "usr/bin/python3"));

    assert_int_equal(f->in.state, INTERPRETER_SERVED);
    assert_string_equal(f->in.path, tree_path(f->tree, "usr/bin/python3"));
    assert_string_equal(f->in.version, "3.11.2");
    assert_null(f->in.prefix);
}

static void test_interpreter_inspect_linked_venv_of_the_build_is_served(void **state)
{
    struct fixture *f = *state;
    const char *python = tree_link(f->tree, "venv/bin/python3", f->build.path);
    config(f, "usr/bin", "include-system-site-packages = false\nversion = 3.11.9\n");

    inspect(f, python);

    assert_int_equal(f->in.state, INTERPRETER_SERVED);
    assert_string_equal(f->in.path, python);
    assert_string_equal(f->in.prefix, tree_path(f->tree, "venv"));
    assert_string_equal(f->in.version, "3.11.9");
}

static void test_interpreter_inspect_copied_venv_of_the_build_is_served(void **state)
{
    struct fixture *f = *state;
    const char *python = tree_program(f->tree, "venv/bin/python3");
    config(f, "usr/bin", "VERSION_INFO=3.11.2.final.0\n");

    inspect(f, python);

    assert_int_equal(f->in.state, INTERPRETER_SERVED);
    assert_string_equal(f->in.version, "3.11.2");
}

static void test_interpreter_inspect_merged_folders_count_as_one(void **state)
{
    struct fixture *f = *state;
    tree_link(f->tree, "bin", "usr/bin");
    const char *python = tree_link(f->tree, "venv/bin/python3", "../../bin/python3");
    config(f, "bin", "version = 3.11.2\n");

    inspect(f, python);

    assert_int_equal(f->in.state, INTERPRETER_SERVED);
}

static void test_interpreter_inspect_venv_of_another_version_beside_is_foreign(void **state)
{
    struct fixture *f = *state;
    const char *other = tree_program(f->tree, "usr/bin/python3.9");
    const char *python = tree_link(f->tree, "venv/bin/python3", other);
    config(f, "usr/bin", "version = 3.9.2\n");

    inspect(f, python);
    assert_int_equal(f->in.state, INTERPRETER_FOREIGN);
    assert_string_equal(f->in.version, "3.9.2");

    /* Without a version the link alone must tell. */
    config(f, "usr/bin", "");
    inspect(f, python);
    assert_int_equal(f->in.state, INTERPRETER_FOREIGN);
}

static void test_interpreter_inspect_venv_of_another_build_is_foreign(void **state)
{
    struct fixture *f = *state;
    const char *other = tree_program(f->tree, "pyenv/bin/python3.11");
    const char *python = tree_link(f->tree, "venv/bin/python3", other);
    config(f, "pyenv/bin", "version = 3.11.2\n");

    inspect(f, python);

    assert_int_equal(f->in.state, INTERPRETER_FOREIGN);
}

static void test_interpreter_inspect_venv_whose_home_is_gone_is_foreign(void **state)
{
    struct fixture *f = *state;
    const char *python = tree_program(f->tree, "venv/bin/python3");
    config(f, "removed/bin", "version = 3.11.2\n");

    inspect(f, python);

    assert_int_equal(f->in.state, INTERPRETER_FOREIGN);
}

static void test_interpreter_inspect_other_build_tells_version_by_name(void **state)
{
    struct fixture *f = *state;
    tree_program(f->tree, "conda/bin/python3.12");
    const char *python = tree_link(f->tree, "conda/bin/python3", "python3.12");

    inspect(f, python);

    assert_int_equal(f->in.state, INTERPRETER_FOREIGN);
    assert_string_equal(f->in.version, "3.12");
}

static void test_interpreter_inspect_folder_means_its_interpreter(void **state)
{
    struct fixture *f = *state;
    tree_link(f->tree, "venv/bin/python", f->build.path);
    config(f, "usr/bin", "version = 3.11.2\n");

    inspect(f, tree_path(f->tree, "venv"));
    assert_string_equal(f->in.path, tree_path(f->tree, "venv/bin/python"));

    tree_link(f->tree, "venv/bin/python3", "python");
    inspect(f, tree_path(f->tree, "venv/"));
    assert_string_equal(f->in.path, tree_path(f->tree, "venv/bin/python3"));
    assert_int_equal(f->in.state, INTERPRETER_SERVED);
}

static void test_interpreter_inspect_nothing_there_is_missing(void **state)
{
    struct fixture *f = *state;

    inspect(f, tree_path(f->tree, "venv/bin/python3"));
    assert_int_equal(f->in.state, INTERPRETER_MISSING);

    inspect(f, tree_file(f->tree, "text", "", 0644));
    assert_int_equal(f->in.state, INTERPRETER_MISSING);
}

static void test_interpreter_choose_takes_the_first_source(void **state)
{
    struct fixture *f = *state;
    char *env[] = {xasprintf("CONDA_PREFIX=%s/conda", f->tree->root),
                   xasprintf("VIRTUAL_ENV=%s/venv", f->tree->root), NULL};

    static const enum interpreter_origin wanted[] = {
        INTERPRETER_FROM_OPTION, INTERPRETER_FROM_VIRTUAL_ENV, INTERPRETER_FROM_CONDA,
        INTERPRETER_FROM_BUILD};

    char *const conda_only[] = {env[0], NULL};
    char *const *envs[] = {env, env, conda_only, no_env};
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        interpreter_done(&f->in);

        interpreter_choose(&f->build, i == 0 ? f->build.path : NULL, envs[i], &f->in);

        assert_int_equal(f->in.origin, wanted[i]);
    }
    assert_int_equal(f->in.state, INTERPRETER_SERVED);
    free(env[0]);
    free(env[1]);
}

static void test_interpreter_choose_empty_variable_does_not_count(void **state)
{
    struct fixture *f = *state;
    char variable[] = "VIRTUAL_ENV=";
    char *const env[] = {variable, NULL};

    interpreter_choose(&f->build, NULL, env, &f->in);

    assert_int_equal(f->in.origin, INTERPRETER_FROM_BUILD);
}

static void test_interpreter_problem_names_the_remedy(void **state)
{
    struct fixture *f = *state;
    inspect(f, tree_program(f->tree, "conda/bin/python3.12"));

    _cleanup_(drop_free) char *foreign = interpreter_problem(&f->build, &f->in);
    inspect(f, tree_path(f->tree, "none"));
    _cleanup_(drop_free) char *missing = interpreter_problem(&f->build, &f->in);
    inspect(f, f->build.path);
    char *none = interpreter_problem(&f->build, &f->in);

    _cleanup_(drop_free) char *remedy = xasprintf("'%s -m venv DIR'", f->build.path);
    assert_non_null(strstr(foreign, "another build of Python, 3.12"));
    assert_non_null(strstr(foreign, remedy));
    assert_non_null(strstr(missing, "--python"));
    assert_null(none);
}

static void test_interpreter_choose_lenient_unfit_environment_gives_way(void **state)
{
    struct fixture *f = *state;
    tree_program(f->tree, "conda/bin/python3");
    _cleanup_(drop_free) char *variable = xasprintf("CONDA_PREFIX=%s/conda", f->tree->root);
    char *const env[] = {variable, NULL};
    _cleanup_(drop_free) char *warning = NULL;

    interpreter_choose_lenient(&f->build, NULL, env, &f->in, &warning);

    assert_int_equal(f->in.origin, INTERPRETER_FROM_BUILD);
    assert_int_equal(f->in.state, INTERPRETER_SERVED);
    assert_non_null(strstr(warning, "$CONDA_PREFIX"));
}

static void test_interpreter_choose_lenient_keeps_what_was_named(void **state)
{
    struct fixture *f = *state;
    const char *other = tree_program(f->tree, "conda/bin/python3");
    char *warning = NULL;

    interpreter_choose_lenient(&f->build, other, no_env, &f->in, &warning);

    assert_int_equal(f->in.state, INTERPRETER_FOREIGN);
    assert_null(warning);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_interpreter_inspect_the_build_itself_is_served),
        TEST(test_interpreter_inspect_linked_venv_of_the_build_is_served),
        TEST(test_interpreter_inspect_copied_venv_of_the_build_is_served),
        TEST(test_interpreter_inspect_merged_folders_count_as_one),
        TEST(test_interpreter_inspect_venv_of_another_version_beside_is_foreign),
        TEST(test_interpreter_inspect_venv_of_another_build_is_foreign),
        TEST(test_interpreter_inspect_venv_whose_home_is_gone_is_foreign),
        TEST(test_interpreter_inspect_other_build_tells_version_by_name),
        TEST(test_interpreter_inspect_folder_means_its_interpreter),
        TEST(test_interpreter_inspect_nothing_there_is_missing),
        TEST(test_interpreter_choose_takes_the_first_source),
        TEST(test_interpreter_choose_empty_variable_does_not_count),
        TEST(test_interpreter_problem_names_the_remedy),
        TEST(test_interpreter_choose_lenient_unfit_environment_gives_way),
        TEST(test_interpreter_choose_lenient_keeps_what_was_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
