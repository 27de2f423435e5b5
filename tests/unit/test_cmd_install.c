/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "tests/unit/command.h"

#define KERNELS "home/.local/share/jupyter/kernels"

/* Gives the kernel.json of a registered kernel. */
static json_t *spec_of(struct stage *s, const char *file)
{
    struct err e = ERR_NONE;
    json_t *spec = NULL;
    _cleanup_(drop_free) char *text = tree_text(s->tree, file);
    assert_ok(json_parse(slice_of(text), &spec, &e));
    return spec;
}

static const char *argv_of(const json_t *spec, size_t index)
{
    return json_string_value(json_array_get(json_object_get(spec, "argv"), index));
}

static void test_install_registers_for_the_user_and_says_so(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);

    json_auto_t *spec = spec_of(s, KERNELS "/pandia-python/kernel.json");
    assert_string_equal(argv_of(spec, 0), s->cli.binary);
    assert_int_equal(json_array_size(json_object_get(spec, "argv")), 4);
    assert_true(tree_has(s->tree, KERNELS "/pandia-python/logo-64x64.png"));
    assert_has(s->out, "Registered pandia-python");
    assert_has(s->out, s->python.path);
    assert_has(s->out, "jupyter console --kernel pandia-python");
    assert_string_equal(s->err, "");
}

static void test_install_in_an_environment_records_its_interpreter(void **state)
{
    struct stage *s = *state;
    stage_venv(s, "venv");
    stage_env(s, "VIRTUAL_ENV", "venv");

    assert_int_equal(stage_run(s, &command_install, "--sys-prefix"), CLI_OK);

    json_auto_t *spec = spec_of(s, "venv/share/jupyter/kernels/pandia-python/kernel.json");
    assert_string_equal(argv_of(spec, 4), "--python");
    assert_string_equal(argv_of(spec, 5), tree_path(s->tree, "venv/bin/python3"));
    assert_has(s->out, "from $VIRTUAL_ENV");
}

static void test_install_records_the_preload_list(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_install, "--preload numpy,pandas --preload numpy,a.b"),
                     CLI_OK);

    json_auto_t *spec = spec_of(s, KERNELS "/pandia-python/kernel.json");
    assert_string_equal(argv_of(spec, 4), "--preload");
    assert_string_equal(argv_of(spec, 5), "numpy,pandas,a.b");
    assert_has(s->out, "preloads     numpy, pandas, a.b\n");
}

static void test_install_bad_preload_list_is_usage(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_install, "--preload numpy,,pandas"), CLI_USAGE);

    assert_one_line(s->err);
    assert_has(s->err, "--preload: '' is no module name");
    assert_false(tree_has(s->tree, "home"));
}

static void test_install_foreign_environment_is_refused(void **state)
{
    struct stage *s = *state;
    tree_program(s->tree, "conda/bin/python3");
    stage_env(s, "CONDA_PREFIX", "conda");

    assert_int_equal(stage_run(s, &command_install, ""), CLI_FAILED);

    assert_one_line(s->err);
    assert_has(s->err, "conda/bin/python3 (from $CONDA_PREFIX)");
    assert_has(s->err, "-m venv DIR");
    assert_false(tree_has(s->tree, "home"));
}

static void test_install_foreign_environment_can_be_overruled(void **state)
{
    struct stage *s = *state;
    tree_program(s->tree, "conda/bin/python3");
    stage_env(s, "CONDA_PREFIX", "conda");
    _cleanup_(drop_free) char *line = xasprintf("--python %s", s->python.path);

    assert_int_equal(stage_run(s, &command_install, line), CLI_OK);

    json_auto_t *spec = spec_of(s, KERNELS "/pandia-python/kernel.json");
    assert_string_equal(argv_of(spec, 5), s->python.path);
}

static void test_install_python_that_is_not_there_is_usage(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_install, "--python /none/python3"), CLI_USAGE);

    assert_one_line(s->err);
    assert_has(s->err, "no Python at /none/python3");
    assert_false(tree_has(s->tree, "home"));
}

static void test_install_twice_is_the_same_as_once(void **state)
{
    struct stage *s = *state;
    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);
    json_auto_t *first = spec_of(s, KERNELS "/pandia-python/kernel.json");

    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);

    json_auto_t *second = spec_of(s, KERNELS "/pandia-python/kernel.json");
    assert_true(json_equal(first, second));
}

static void test_install_never_overwrites_what_is_not_ours(void **state)
{
    struct stage *s = *state;
    tree_file(s->tree, KERNELS "/pandia-python/kernel.json", "{\"argv\": [\"other\"]}", 0644);

    assert_int_equal(stage_run(s, &command_install, ""), CLI_FAILED);

    assert_one_line(s->err);
    assert_has(s->err, KERNELS "/pandia-python is there already and is not pandia's");
    assert_has(s->err, "--name");
    _cleanup_(drop_free) char *text = tree_text(s->tree, KERNELS "/pandia-python/kernel.json");
    assert_string_equal(text, "{\"argv\": [\"other\"]}");
}

static void test_install_name_and_display_name_replace_the_defaults(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_install, "--name Mine --display-name Moon"), CLI_OK);

    json_auto_t *spec = spec_of(s, KERNELS "/mine/kernel.json");
    assert_string_equal(json_string_value(json_object_get(spec, "display_name")), "Moon");
    assert_false(tree_has(s->tree, KERNELS "/pandia-python"));
}

static void test_install_several_languages_are_registered_together(void **state)
{
    struct stage *s = *state;
    tree_program(s->tree, "libexec/pandia/pandia-javascript");
    tree_program(s->tree, "libexec/pandia/pandia-typescript");
    tree_file(s->tree, "share/pandia/kernelspec/pandia-javascript/kernel.json",
              "{\"argv\": [\"pandia\"]}", 0644);

    /* The template of TypeScript is missing: all or none. */
    assert_int_equal(stage_run(s, &command_install, "--name moon --display-name Moon"), CLI_FAILED);
    assert_has(s->err, "pandia-typescript/kernel.json");
    assert_false(tree_has(s->tree, "home"));

    tree_file(s->tree, "share/pandia/kernelspec/pandia-typescript/kernel.json",
              "{\"argv\": [\"pandia\"]}", 0644);
    assert_int_equal(stage_run(s, &command_install, "--name moon --display-name Moon"), CLI_OK);
    json_auto_t *spec = spec_of(s, KERNELS "/moon-javascript/kernel.json");
    assert_string_equal(json_string_value(json_object_get(spec, "display_name")),
                        "Moon JavaScript");
    assert_true(tree_has(s->tree, KERNELS "/moon-python"));
    assert_true(tree_has(s->tree, KERNELS "/moon-typescript"));
}

static void test_install_bad_name_is_usage(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_install, "--name a/b"), CLI_USAGE);
    assert_one_line(s->err);
    assert_int_equal(stage_run(s, &command_install, "--user --prefix /x"), CLI_USAGE);
    assert_one_line(s->err);
    assert_int_equal(stage_run(s, &command_install, "--sys-prefix"), CLI_USAGE);
    assert_one_line(s->err);
    assert_false(tree_has(s->tree, "home"));
}

static void test_install_prefix_that_jupyter_does_not_search_gets_a_hint(void **state)
{
    struct stage *s = *state;
    _cleanup_(drop_free) char *line = xasprintf("--prefix %s/p", s->tree->root);

    assert_int_equal(stage_run(s, &command_install, line), CLI_OK);

    _cleanup_(drop_free) char *hint = xasprintf("JUPYTER_PATH=%s/p/share/jupyter", s->tree->root);
    assert_has(s->out, hint);
}

static void test_install_impossible_folder_is_one_line(void **state)
{
    struct stage *s = *state;
    _cleanup_(drop_free) char *line = xasprintf("--prefix %s", s->cli.binary);

    assert_int_equal(stage_run(s, &command_install, line), CLI_FAILED);

    assert_one_line(s->err);
    assert_has(s->err, "bin/pandia is not a folder");
}

static void test_install_without_workers_is_one_line(void **state)
{
    struct stage *s = *state;
    assert_int_equal(unlink(tree_path(s->tree, "libexec/pandia/pandia-python")), 0);

    assert_int_equal(stage_run(s, &command_install, ""), CLI_FAILED);

    assert_one_line(s->err);
    assert_has(s->err, "libexec/pandia");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_install_registers_for_the_user_and_says_so),
        TEST(test_install_in_an_environment_records_its_interpreter),
        TEST(test_install_records_the_preload_list),
        TEST(test_install_bad_preload_list_is_usage),
        TEST(test_install_foreign_environment_is_refused),
        TEST(test_install_foreign_environment_can_be_overruled),
        TEST(test_install_python_that_is_not_there_is_usage),
        TEST(test_install_twice_is_the_same_as_once),
        TEST(test_install_never_overwrites_what_is_not_ours),
        TEST(test_install_name_and_display_name_replace_the_defaults),
        TEST(test_install_several_languages_are_registered_together),
        TEST(test_install_bad_name_is_usage),
        TEST(test_install_prefix_that_jupyter_does_not_search_gets_a_hint),
        TEST(test_install_impossible_folder_is_one_line),
        TEST(test_install_without_workers_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
