/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "tests/unit/command.h"

static void test_doctor_whole_installation_is_well(void **state)
{
    struct stage *s = *state;
    tree_program(s->tree, "tools/jupyter");
    stage_env(s, "PATH", "tools");
    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_OK);

    assert_has(s->out, "ok    python: ");
    assert_has(s->out, "ok    embedded Python: 3.11.2 at ");
    assert_has(s->out, "warn  javascript: not in this build (no ");
    assert_has(s->out, "ok    kernel pandia-python: ");
    assert_has(s->out, "tools/jupyter\n");
    assert_null(strstr(s->out, "fail "));
}

static void test_doctor_missing_worker_fails_with_a_remedy(void **state)
{
    struct stage *s = *state;
    assert_int_equal(unlink(tree_path(s->tree, "libexec/pandia/pandia-python")), 0);

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_FAILED);

    assert_has(s->out, "fail  python: not in this build");
    assert_has(s->out, "      remedy: build or install pandia whole");
}

static void test_doctor_missing_template_fails(void **state)
{
    struct stage *s = *state;
    assert_int_equal(rename(tree_path(s->tree, "share"), tree_path(s->tree, "elsewhere")), 0);

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_FAILED);

    assert_has(s->out, "fail  python: the kernelspec template");
}

static void test_doctor_missing_embedded_python_fails(void **state)
{
    struct stage *s = *state;
    assert_int_equal(unlink(s->python.path), 0);

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_FAILED);

    assert_has(s->out, "fail  embedded Python: no Python at");
}

static void test_doctor_foreign_environment_warns_and_named_one_fails(void **state)
{
    struct stage *s = *state;
    const char *other = tree_program(s->tree, "conda/bin/python3");
    stage_env(s, "CONDA_PREFIX", "conda");
    _cleanup_(drop_free) char *line = xasprintf("--python %s", other);

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_OK);
    assert_has(s->out, "warn  interpreter: ");
    assert_int_equal(stage_run(s, &command_doctor, line), CLI_FAILED);
    assert_has(s->out, "fail  interpreter: ");
}

static void test_doctor_environment_of_the_build_runs_embedded(void **state)
{
    struct stage *s = *state;
    stage_venv(s, "venv");
    stage_env(s, "VIRTUAL_ENV", "venv");

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_OK);

    assert_has(s->out, "(Python 3.11.2, from $VIRTUAL_ENV), embedded host");
}

static void test_doctor_kernel_of_a_removed_program_is_a_warning(void **state)
{
    struct stage *s = *state;
    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);
    assert_int_equal(unlink(s->cli.binary), 0);

    assert_int_equal(stage_run(s, &command_doctor, ""), CLI_OK);

    assert_has(s->out, "warn  kernel pandia-python: ");
    assert_has(s->out, "      remedy: pandia install");
}

static void test_doctor_json_holds_the_findings(void **state)
{
    struct stage *s = *state;
    struct err e = ERR_NONE;
    json_auto_t *report = NULL;

    assert_int_equal(stage_run(s, &command_doctor, "--json"), CLI_OK);

    assert_ok(json_parse(slice_of(s->out), &report, &e));
    assert_true(json_is_true(json_object_get(report, "ok")));
    assert_true(json_array_size(json_object_get(report, "findings")) > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_doctor_whole_installation_is_well),
        TEST(test_doctor_missing_worker_fails_with_a_remedy),
        TEST(test_doctor_missing_template_fails),
        TEST(test_doctor_missing_embedded_python_fails),
        TEST(test_doctor_foreign_environment_warns_and_named_one_fails),
        TEST(test_doctor_environment_of_the_build_runs_embedded),
        TEST(test_doctor_kernel_of_a_removed_program_is_a_warning),
        TEST(test_doctor_json_holds_the_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
