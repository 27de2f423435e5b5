/* SPDX-License-Identifier: MIT */
#include "tests/unit/command.h"

static void test_version_is_one_line_with_a_number(void **state)
{
    struct stage *s = *state;

    assert_int_equal(stage_run(s, &command_version, ""), CLI_OK);

    assert_one_line(s->out);
    assert_int_equal(strncmp(s->out, "pandia ", 7), 0);
    assert_int_equal(strspn(s->out + 7, "0123456789."), strlen(s->out) - 8);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_version_is_one_line_with_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
