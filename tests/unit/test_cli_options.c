/* SPDX-License-Identifier: MIT */
#include "kernel/cli/options.h"
#include "tests/unit/unit.h"

struct values {
    bool quiet;
    const char *file;
    int64_t timeout;
    int64_t any;
    struct words paths;
};

static const struct option_spec specs[] = {
    {.name = "quiet", .letter = 'q', .kind = OPTION_FLAG, .offset = offsetof(struct values, quiet)},
    {.name = "file",
     .letter = 'f',
     .kind = OPTION_TEXT,
     .argument = "FILE",
     .offset = offsetof(struct values, file)},
    {.name = "timeout",
     .kind = OPTION_INT,
     .argument = "SECONDS",
     .offset = offsetof(struct values, timeout),
     .min = 1,
     .max = 60},
    {.name = "any", .kind = OPTION_INT, .argument = "N", .offset = offsetof(struct values, any)},
    {.name = "path",
     .letter = 'p',
     .kind = OPTION_LIST,
     .argument = "DIR",
     .offset = offsetof(struct values, paths)},
    OPTION_END,
};

struct fixture {
    struct values values;
    struct options_result result;
    struct err e;
};

static int setup(void **state)
{
    static struct fixture f;
    f = (struct fixture){.e = ERR_NONE};
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    options_done(specs, &f->values, &f->result);
    return 0;
}

/* Parses a NULL-terminated list of arguments. */
static int parse(struct fixture *f, enum options_mode mode, const char *const *words)
{
    char *argv[16] = {NULL};
    struct args args = {.count = 0, .items = argv};
    for (; words[args.count] != NULL; args.count++) {
        argv[args.count] = (char *)(uintptr_t)words[args.count];
    }
    return options_parse(specs, mode, args, &f->values, &f->result, &f->e);
}

#define PARSE(f, mode, ...) parse((f), (mode), (const char *const[]){__VA_ARGS__, NULL})

static void test_options_parse_every_form_sets_the_value(void **state)
{
    struct fixture *f = *state;
    static const char *const forms[][3] = {
        {"--file", "x"}, {"--file=x"}, {"-f", "x"}, {"-fx"}, {"-f=x"},
    };
    for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
        f->values.file = NULL;

        assert_int_equal(parse(f, OPTIONS_STRICT, forms[i]), 0);

        assert_string_equal(f->values.file, "x");
    }
}

static void test_options_parse_mixed_line_fills_all_members(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "one", "-q", "--timeout", "60", "--any=-7", "-p", "a",
                           "two", "--path=b"),
                     0);

    assert_true(f->values.quiet);
    assert_int_equal(f->values.timeout, 60);
    assert_int_equal(f->values.any, -7);
    assert_int_equal(f->values.paths.count, 2);
    assert_string_equal(f->values.paths.items[1], "b");
    assert_int_equal(f->result.words.count, 2);
    assert_string_equal(f->result.words.items[0], "one");
    assert_false(f->result.help);
}

static void test_options_parse_value_may_look_like_an_option_or_be_empty(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "-f", "-1"), 0);
    assert_string_equal(f->values.file, "-1");

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "--file="), 0);
    assert_string_equal(f->values.file, "");
}

static void test_options_parse_of_a_repeated_text_the_last_counts(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "-f", "a", "-f", "b"), 0);

    assert_string_equal(f->values.file, "b");
}

static void test_options_parse_double_dash_ends_the_options(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "-", "--", "--file", "-q"), 0);

    assert_false(f->values.quiet);
    assert_null(f->values.file);
    assert_int_equal(f->result.words.count, 3);
    assert_string_equal(f->result.words.items[0], "-");
    assert_string_equal(f->result.words.items[1], "--file");
}

static void test_options_parse_help_stops_reading(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "-q", "--help", "--wrong"), 0);
    assert_true(f->result.help);

    f->result.help = false;
    assert_int_equal(PARSE(f, OPTIONS_LENIENT, "-h"), 0);
    assert_true(f->result.help);
}

static void test_options_parse_unknown_option_names_it_and_the_nearest(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "--tiemout=5"), -1);
    assert_int_equal(f->e.code, ERR_INPUT);
    assert_string_equal(f->e.text, "unknown option '--tiemout=5': did you mean '--timeout'?");

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "-x"), -1);
    assert_string_equal(f->e.text, "unknown option '-x': --help lists the options");
}

static void test_options_parse_missing_value_names_the_remedy(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "-q", "-f"), -1);

    assert_int_equal(f->e.code, ERR_INPUT);
    assert_string_equal(f->e.text, "option '--file' needs a value: write --file FILE");
}

static void test_options_parse_flag_with_value_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_STRICT, "--quiet=yes"), -1);

    assert_int_equal(f->e.code, ERR_INPUT);
    assert_false(f->values.quiet);
}

static void test_options_parse_bad_numbers_are_named(void **state)
{
    struct fixture *f = *state;
    static const char *const bad[] = {"", "x", "1x", "1.5", "0", "61", "99999999999999999999"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        f->values.timeout = 30;

        assert_int_equal(PARSE(f, OPTIONS_STRICT, "--timeout", bad[i]), -1);

        assert_int_equal(f->e.code, ERR_INPUT);
        assert_non_null(strstr(f->e.text, "--timeout"));
        assert_non_null(strstr(f->e.text, bad[i]));
        assert_int_equal(f->values.timeout, 30);
    }
    assert_int_equal(PARSE(f, OPTIONS_STRICT, "--any", "9223372036854775808"), -1);
}

static void test_options_parse_lenient_skips_what_foreign_launchers_add(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_LENIENT, "--HistoryManager.hist_file=:memory:",
                           "--profile-dir", "X", "-Z", "stray", "-f", "conn.json", "--debug"),
                     0);

    assert_string_equal(f->values.file, "conn.json");
    assert_int_equal(f->result.words.count, 0);
}

static void test_options_parse_lenient_still_checks_known_options(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE(f, OPTIONS_LENIENT, "--timeout", "soon"), -1);
    assert_int_equal(PARSE(f, OPTIONS_LENIENT, "-f"), -1);
}

static void test_options_parse_overlong_input_is_cut_in_the_error(void **state)
{
    struct fixture *f = *state;
    char option[4096] = "--";
    memset(option + 2, 'x', sizeof option - 3);

    assert_int_equal(PARSE(f, OPTIONS_STRICT, option), -1);

    assert_non_null(strstr(f->e.text, "--help lists the options"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_options_parse_every_form_sets_the_value),
        TEST(test_options_parse_mixed_line_fills_all_members),
        TEST(test_options_parse_value_may_look_like_an_option_or_be_empty),
        TEST(test_options_parse_of_a_repeated_text_the_last_counts),
        TEST(test_options_parse_double_dash_ends_the_options),
        TEST(test_options_parse_help_stops_reading),
        TEST(test_options_parse_unknown_option_names_it_and_the_nearest),
        TEST(test_options_parse_missing_value_names_the_remedy),
        TEST(test_options_parse_flag_with_value_is_refused),
        TEST(test_options_parse_bad_numbers_are_named),
        TEST(test_options_parse_lenient_skips_what_foreign_launchers_add),
        TEST(test_options_parse_lenient_still_checks_known_options),
        TEST(test_options_parse_overlong_input_is_cut_in_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
