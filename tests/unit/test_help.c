/* SPDX-License-Identifier: MIT */
#include "kernel/cli/commands.h"
#include "kernel/cli/help.h"
#include "tests/unit/unit.h"

static const struct option_spec specs[] = {
    {.name = "connection-file",
     .letter = 'f',
     .kind = OPTION_TEXT,
     .argument = "FILE",
     .help = "The file that says where the five sockets are, and which key signs the messages."},
    {.name = "an-option-with-quite-a-long-name", .kind = OPTION_FLAG, .help = "Has its own line."},
    OPTION_END,
};

static const struct command command = {.name = "kernel",
                                       .summary = "Runs a kernel.",
                                       .words = "[FILE]",
                                       .details = "Unknown options are skipped.\n\n  example line",
                                       .options = specs};

static void test_help_command_is_aligned_and_wrapped(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    help_command(out, &command);

    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text, "Usage: pandia kernel [options] [FILE]\n"
              "\n"
              "Runs a kernel.\n"
              "\n"
              "Options:\n"
              "  -f, --connection-file FILE  The file that says where the five sockets are, and\n"
              "                              which key signs the messages.\n"
              "      --an-option-with-quite-a-long-name\n"
              "                              Has its own line.\n"
              "  -h, --help                  Show this text.\n"
              "\n"
              "Unknown options are skipped.\n"
              "\n"
              "  example line\n");
    free(text);
}

static void test_help_wrap_never_passes_80_columns(void **state)
{
    (void)state;
    char words[1000];
    for (size_t i = 0; i < sizeof words - 1; i++) {
        words[i] = i % 7 == 6 ? ' ' : 'x';
    }
    words[sizeof words - 1] = '\0';
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    help_wrap(out, words, 0, 10);

    assert_int_equal(fclose(out), 0);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t columns = strcspn(line, "\n");
        assert_true(columns <= 80);
        assert_int_equal(strspn(line, " "), 10);
    }
    free(text);
}

static void test_help_overview_lists_the_commands(void **state)
{
    (void)state;
    const struct command *const table[] = {&command};
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    help_overview(out, table, ARRAY_LEN(table));

    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "\n  kernel  Runs a kernel.\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_command_is_aligned_and_wrapped),
        cmocka_unit_test(test_help_wrap_never_passes_80_columns),
        cmocka_unit_test(test_help_overview_lists_the_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
