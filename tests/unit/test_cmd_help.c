/* SPDX-License-Identifier: MIT */
#include "tests/unit/command.h"

static void test_help_alone_lists_the_commands(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_help, ""), CLI_OK);

    assert_has(s->out, "Commands:\n  help  ");
}

static void test_help_of_a_command_shows_its_usage(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_help, "help"), CLI_OK);

    assert_has(s->out, "Usage: pandia help [options] [COMMAND]");
}

static void test_help_of_the_unknown_is_usage(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_help, "hepl"), CLI_USAGE);
    assert_has(s->err, "did you mean 'help'?");

    assert_int_equal(stage_run(s, &command_help, "help help"), CLI_USAGE);
    assert_one_line(s->err);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_help_alone_lists_the_commands),
        TEST(test_help_of_a_command_shows_its_usage),
        TEST(test_help_of_the_unknown_is_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
