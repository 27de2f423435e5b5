/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "tests/unit/command.h"

static void test_status_of_nothing_says_what_to_do(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_status, ""), CLI_OK);

    assert_has(s->out, "pandia install");
}

static void test_status_shows_program_and_interpreter(void **state)
{
    struct stage *s = *state;
    stage_venv(s, "venv");
    _cleanup_(drop_free) char *line = xasprintf("--python %s/venv", s->tree->root);
    assert_int_equal(stage_run(s, &command_install, line), CLI_OK);

    assert_int_equal(stage_run(s, &command_status, ""), CLI_OK);

    assert_has(s->out, "pandia-python (Pandia Python)");
    assert_has(s->out, s->cli.binary);
    assert_has(s->out, "venv/bin/python3");
    assert_null(strstr(s->out, "problem"));
}

static void test_status_names_what_is_gone(void **state)
{
    struct stage *s = *state;
    stage_venv(s, "venv");
    _cleanup_(drop_free) char *line = xasprintf("--python %s/venv", s->tree->root);
    assert_int_equal(stage_run(s, &command_install, line), CLI_OK);
    assert_int_equal(unlink(tree_path(s->tree, "venv/bin/python3")), 0);
    assert_int_equal(unlink(s->cli.binary), 0);

    assert_int_equal(stage_run(s, &command_status, ""), CLI_OK);

    assert_has(s->out, "problem      the program is gone");
    assert_has(s->out, "problem      no Python at");
}

static void test_status_json_is_an_array(void **state)
{
    struct stage *s = *state;
    struct err e = ERR_NONE;
    json_auto_t *list = NULL;
    assert_int_equal(stage_run(s, &command_install, ""), CLI_OK);

    assert_int_equal(stage_run(s, &command_status, "--json"), CLI_OK);

    assert_ok(json_parse(slice_of(s->out), &list, &e));
    assert_int_equal(json_array_size(list), 1);
    assert_true(json_is_null(json_object_get(json_array_get(list, 0), "python")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_status_of_nothing_says_what_to_do),
        TEST(test_status_shows_program_and_interpreter),
        TEST(test_status_names_what_is_gone),
        TEST(test_status_json_is_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
