/* SPDX-License-Identifier: MIT */
#include "kernel/cli/commands.h"
#include "tests/unit/command.h"

struct probe_values {
    const char *file;
    int64_t count;
};

static const struct option_spec probe_options[] = {
    {.name = "file",
     .letter = 'f',
     .kind = OPTION_TEXT,
     .argument = "FILE",
     .help = "A file.",
     .offset = offsetof(struct probe_values, file)},
    {.name = "count",
     .kind = OPTION_INT,
     .argument = "N",
     .help = "A number.",
     .offset = offsetof(struct probe_values, count)},
    OPTION_END,
};

static const struct probe_values probe_defaults = {.count = 7};

static int probe_run(struct cli *cli, const void *values, const struct words *words)
{
    const struct probe_values *v = values;
    fprintf(cli->out, "%s %d %zu", v->file != NULL ? v->file : "-", (int)v->count, words->count);
    return CLI_FAILED;
}

static const struct command probe = {.name = "probe",
                                     .summary = "Probes.",
                                     .options = probe_options,
                                     .values_size = sizeof(struct probe_values),
                                     .defaults = &probe_defaults,
                                     .run = probe_run};

static void test_cli_run_gives_values_and_exit_code_through(void **state)
{
    struct stage *s = *state;

    int code = stage_run(s, &probe, "-f x");

    assert_int_equal(code, CLI_FAILED);
    assert_string_equal(s->out, "x 7 0");
    assert_string_equal(s->err, "");
}

static void test_cli_run_bad_option_is_usage(void **state)
{
    struct stage *s = *state;

    int code = stage_run(s, &probe, "--fiel x");

    assert_int_equal(code, CLI_USAGE);
    assert_string_equal(s->out, "");
    assert_string_equal(s->err, "pandia probe: unknown option '--fiel': did you mean '--file'?\n");
}

static void test_cli_run_stray_word_is_usage(void **state)
{
    struct stage *s = *state;

    int code = stage_run(s, &probe, "word");

    assert_int_equal(code, CLI_USAGE);
    assert_has(s->err, "pandia probe: unexpected word 'word'");
    assert_one_line(s->err);
}

static void test_cli_run_command_help_is_shown_instead(void **state)
{
    struct stage *s = *state;

    int code = stage_run(s, &probe, "--help --nonsense");

    assert_int_equal(code, CLI_OK);
    assert_has(s->out, "Usage: pandia probe");
    assert_has(s->out, "--file FILE");
}

/* Runs a whole command line against a table with the one command. */
static int run_line(struct stage *s, int argc, const char *first)
{
    char *argv[] = {(char *)(uintptr_t) "pandia", (char *)(uintptr_t)first, NULL};
    const struct command *const table[] = {&probe};
    size_t out_len = 0;
    size_t err_len = 0;
    free(s->out);
    free(s->err);
    s->cli.out = open_memstream(&s->out, &out_len);
    s->cli.err = open_memstream(&s->err, &err_len);
    s->cli.table = table;
    s->cli.count = 1;
    s->cli.command = NULL;
    int code = cli_run(&s->cli, argc, argv);
    fclose(s->cli.out);
    fclose(s->cli.err);
    return code;
}

static void test_cli_run_alone_or_with_help_shows_the_commands(void **state)
{
    struct stage *s = *state;

    assert_int_equal(run_line(s, 1, NULL), CLI_OK);
    assert_has(s->out, "  probe  Probes.");
    assert_int_equal(run_line(s, 2, "--help"), CLI_OK);
    assert_has(s->out, "  probe  Probes.");
}

static void test_cli_run_version_is_one_line(void **state)
{
    struct stage *s = *state;

    assert_int_equal(run_line(s, 2, "--version"), CLI_OK);

    assert_one_line(s->out);
    assert_has(s->out, "pandia ");
}

static void test_cli_run_unknown_command_names_the_nearest(void **state)
{
    struct stage *s = *state;

    assert_int_equal(run_line(s, 2, "prboe"), CLI_USAGE);
    assert_string_equal(s->err, "pandia: unknown command 'prboe': did you mean 'probe'?\n");

    assert_int_equal(run_line(s, 2, "zzz"), CLI_USAGE);
    assert_has(s->err, "'pandia help'");

    assert_int_equal(run_line(s, 2, "--zzz"), CLI_USAGE);
    assert_one_line(s->err);
}

static void test_cli_run_full_disk_is_a_failure(void **state)
{
    struct stage *s = *state;
    char *argv[] = {(char *)(uintptr_t) "pandia", (char *)(uintptr_t) "--version", NULL};
    size_t err_len = 0;
    s->cli.out = fopen("/dev/full", "w");
    s->cli.err = open_memstream(&s->err, &err_len);

    int code = cli_run(&s->cli, 2, argv);

    fclose(s->cli.out);
    fclose(s->cli.err);
    assert_int_equal(code, CLI_FAILED);
    assert_has(s->err, "standard output");
}

static void test_cli_fail_err_maps_codes(void **state)
{
    struct stage *s = *state;
    size_t len = 0;
    s->cli.out = stdout;
    s->cli.err = open_memstream(&s->err, &len);
    const struct err input = {.code = ERR_INPUT, .text = "bad"};
    const struct err sys = {.code = ERR_SYS, .text = "failed"};

    assert_int_equal(cli_fail_err(&s->cli, &input), CLI_USAGE);
    assert_int_equal(cli_fail_err(&s->cli, &sys), CLI_FAILED);

    fclose(s->cli.err);
    assert_string_equal(s->err, "pandia: bad\npandia: failed\n");
}

static void test_env_get_wants_the_whole_name(void **state)
{
    (void)state;
    char longer[] = "HOMEWARD=x";
    char home[] = "HOME=/h=h";
    char empty[] = "EMPTY=";
    char *const env[] = {longer, home, empty, NULL};

    assert_string_equal(env_get(env, "HOME"), "/h=h");
    assert_null(env_get(env, "EMPTY"));
    assert_null(env_get(env, "HOM"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_cli_run_gives_values_and_exit_code_through),
        TEST(test_cli_run_bad_option_is_usage),
        TEST(test_cli_run_stray_word_is_usage),
        TEST(test_cli_run_command_help_is_shown_instead),
        TEST(test_cli_run_alone_or_with_help_shows_the_commands),
        TEST(test_cli_run_version_is_one_line),
        TEST(test_cli_run_unknown_command_names_the_nearest),
        TEST(test_cli_run_full_disk_is_a_failure),
        TEST(test_cli_fail_err_maps_codes),
        TEST(test_env_get_wants_the_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
