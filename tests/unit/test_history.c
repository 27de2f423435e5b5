/* SPDX-License-Identifier: MIT */
/* What is asked and answered, in memory. The file is test_history_db.c's. */
#include "base/clock.h"
#include "base/jscan.h"
#include "tests/unit/history_fixture.h"

enum { MANY = 10000, BLOCK_MS = 30 };

#define ASK(...) fixture_ask(f, s, &(struct history_query){__VA_ARGS__})

/* One history in memory with one session in it. */
struct fixture {
    struct history_fixture base;
    struct history *h;
    struct history_session *s;
};

static int set_up(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->base.answer = BUF_INIT(64 * MIB);
    f->base.tree = tree_new();
    fixture_start(&f->base, OFFLOAD_QUEUE_MAX);
    f->h = fixture_open(&f->base, NULL);
    f->s = history_session_new(f->h, "default", "python");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    history_session_free(f->s);
    assert_int_equal(history_close(f->h, HISTORY_HANG_MS, &e), 0);
    assert_int_equal(f->base.warnings, 0);
    fixture_stop(&f->base);
    tree_free(f->base.tree);
    free(f);
    return 0;
}

static void add_numbers(struct history_session *s, int64_t from, int64_t to)
{
    for (int64_t line = from; line < to; line++) {
        char source[40];
        (void)snprintf(source, sizeof source, "x%lld", (long long)line);
        fixture_add(s, line, source);
    }
}

static void test_tail_gives_the_newest_in_order(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    add_numbers(s, 1, 6);

    assert_string_equal(ASK(.access = HISTORY_TAIL, .n = 2), "[[1, 4, \"x4\"], [1, 5, \"x5\"]]");
    assert_string_equal(ASK(.access = HISTORY_TAIL, .n = 0), "[]");
    assert_int_equal(fixture_rows(ASK(.access = HISTORY_TAIL, .n = 100)), 5);
}

static void test_tail_without_n_gives_ten(void **state)
{
    struct fixture *own = *state;
    add_numbers(own->s, 1, 21);

    assert_int_equal(fixture_rows(fixture_tail(&own->base, own->s, -1)), 10);
}

static void test_tail_of_nothing_is_empty(void **state)
{
    struct fixture *own = *state;
    assert_string_equal(fixture_tail(&own->base, own->s, 10), "[]");
}

static void test_tail_with_output_gives_pairs(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    fixture_add(s, 1, "1+1");
    history_set_output(s, 1, SLICE_LIT("2"));
    fixture_add(s, 2, "pass");
    fixture_add(s, 3, "''");
    history_set_output(s, 3, SLICE_LIT(""));

    assert_string_equal(
        ASK(.access = HISTORY_TAIL, .n = 3, .output = true),
        "[[1, 1, [\"1+1\", \"2\"]], [1, 2, [\"pass\", null]], [1, 3, [\"''\", \"\"]]]");
}

static void test_tail_puts_the_asking_session_last(void **state)
{
    struct fixture *own = *state;
    struct history_session *other = history_session_new(own->h, "other", "python");
    fixture_add(own->s, 1, "mine");
    fixture_add(other, 1, "theirs");
    fixture_add(other, 2, "theirs too");

    assert_string_equal(fixture_tail(&own->base, own->s, 2),
                        "[[2, 2, \"theirs too\"], [1, 1, \"mine\"]]");
    assert_string_equal(fixture_tail(&own->base, other, 3),
                        "[[1, 1, \"mine\"], [2, 1, \"theirs\"], [2, 2, \"theirs too\"]]");
    history_session_free(other);
}

static void test_query_sees_its_language_only(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = history_session_new(own->h, "js", "javascript");
    fixture_add(own->s, 1, "import os");
    fixture_add(s, 1, "let a");

    assert_string_equal(ASK(.access = HISTORY_TAIL, .n = 9), "[[2, 1, \"let a\"]]");
    assert_string_equal(ASK(.access = HISTORY_SEARCH, .n = -1, .pattern = SLICE_LIT("*")),
                        "[[2, 1, \"let a\"]]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = 1), "[]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = -1), "[]");
    history_session_free(s);
}

static void test_range_takes_lines_as_a_slice(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;

    static const struct {
        int64_t start;
        int64_t stop;
        int64_t first;
        size_t rows;
    } cases[] = {
        {0, 0, 1, 9},         {1, 0, 1, 9},         {3, 4, 3, 1},         {3, 3, 0, 0},
        {5, 100, 5, 5},       {-1, 0, 9, 1},        {-3, -1, 7, 2},       {2, -1, 2, 7},
        {-100, 2, 1, 1},      {50, 0, 0, 0},        {5, 2, 0, 0},         {0, -50, 0, 0},
        {INT64_MIN, 0, 1, 9}, {INT64_MAX, 0, 0, 0}, {1, INT64_MAX, 1, 9}, {1, INT64_MIN, 0, 0},
    };

    add_numbers(s, 1, 10);

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *answer =
            ASK(.access = HISTORY_RANGE, .start = cases[i].start, .stop = cases[i].stop);
        char first[40] = "[]";
        if (cases[i].rows > 0) {
            (void)snprintf(first, sizeof first, "[[1, %lld, \"x%lld\"]", (long long)cases[i].first,
                           (long long)cases[i].first);
        }
        assert_int_equal(fixture_rows(answer), cases[i].rows);
        assert_memory_equal(answer, first, strlen(first));
    }
}

static void test_range_counts_sessions_of_the_language_back(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = NULL;
    const char *const languages[] = {"python", "javascript", "python", "python"};
    for (size_t i = 0; i < ARRAY_LEN(languages); i++) {
        history_session_free(s);
        s = history_session_new(own->h, "c", languages[i]);
        fixture_add(s, 1, languages[i]);
    }

    assert_string_equal(ASK(.access = HISTORY_RANGE), "[[4, 1, \"python\"]]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = -1), "[[3, 1, \"python\"]]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = -2), "[[1, 1, \"python\"]]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = -3), "[]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = INT64_MIN), "[]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = 3), "[[3, 1, \"python\"]]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = 99), "[]");
    history_session_free(s);
    s = own->s; /* has no entry yet: the one before it is the newest there is */
    assert_string_equal(ASK(.access = HISTORY_RANGE), "[]");
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = -1), "[[4, 1, \"python\"]]");
}

static void test_search_matches_the_whole_source_by_glob(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    fixture_add(s, 1, "import os");
    fixture_add(s, 2, "import sys");
    fixture_add(s, 3, "os.getcwd()");
    fixture_add(s, 4, "a\nos\nb");

#define SEARCH(text) ASK(.access = HISTORY_SEARCH, .n = -1, .pattern = SLICE_LIT(text))
    assert_string_equal(SEARCH("import*"), "[[1, 1, \"import os\"], [1, 2, \"import sys\"]]");
    assert_string_equal(SEARCH("import ?s"), "[[1, 1, \"import os\"]]");
    assert_int_equal(fixture_rows(SEARCH("*os*")), 3);
    assert_string_equal(SEARCH("os"), "[]");
    assert_string_equal(SEARCH("IMPORT*"), "[]");
    assert_string_equal(SEARCH(""), "[]");
    assert_int_equal(fixture_rows(ASK(.access = HISTORY_SEARCH, .n = -1)), 4);
#undef SEARCH
}

static void test_search_n_gives_the_newest_in_order(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    add_numbers(s, 1, 8);

    assert_string_equal(ASK(.access = HISTORY_SEARCH, .n = 2, .pattern = SLICE_LIT("x*")),
                        "[[1, 6, \"x6\"], [1, 7, \"x7\"]]");
}

static void test_search_unique_gives_the_newest_of_equal_ones(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    const char *const sources[] = {"a", "b", "a", "c", "b"};
    for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
        fixture_add(s, (int64_t)i + 1, sources[i]);
    }

    assert_string_equal(ASK(.access = HISTORY_SEARCH, .n = -1, .unique = true),
                        "[[1, 3, \"a\"], [1, 4, \"c\"], [1, 5, \"b\"]]");
    assert_string_equal(ASK(.access = HISTORY_SEARCH, .n = 2, .unique = true),
                        "[[1, 4, \"c\"], [1, 5, \"b\"]]");
    assert_string_equal(ASK(.access = HISTORY_TAIL, .n = 9, .unique = true),
                        "[[1, 3, \"a\"], [1, 4, \"c\"], [1, 5, \"b\"]]");
}

/* What jupyter_kernel_test asks, in its order: the codes are run again before each question. */
static void test_query_satisfies_the_conformance_suite(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    int64_t line = 0;
#define RUN_CODES()                                                                                \
    do {                                                                                           \
        fixture_add(s, ++line, "6*7");                                                             \
        fixture_add(s, ++line, "'a'");                                                             \
    } while (0)

    RUN_CODES();
    assert_string_equal(ASK(.access = HISTORY_TAIL, .n = 2), "[[1, 1, \"6*7\"], [1, 2, \"'a'\"]]");
    RUN_CODES();
    assert_string_equal(ASK(.access = HISTORY_TAIL, .n = 2, .output = true),
                        "[[1, 3, [\"6*7\", null]], [1, 4, [\"'a'\", null]]]");
    RUN_CODES();
    assert_string_equal(ASK(.access = HISTORY_RANGE, .session = 1, .start = 1, .stop = 2),
                        "[[1, 1, \"6*7\"]]");
    RUN_CODES();
    struct slice pattern = SLICE_LIT("6?7*");
    assert_int_equal(fixture_rows(ASK(.access = HISTORY_SEARCH, .n = -1, .pattern = pattern)), 4);
    assert_int_equal(
        fixture_rows(ASK(.access = HISTORY_SEARCH, .n = -1, .pattern = pattern, .unique = true)),
        1);
    assert_int_equal(fixture_rows(ASK(.access = HISTORY_SEARCH, .n = 3, .pattern = pattern)), 3);
#undef RUN_CODES
}

static void test_add_leaves_out_newlines_at_the_end_and_blank_cells(void **state)
{
    struct fixture *own = *state;
    fixture_add(own->s, 1, "x\n\n");
    fixture_add(own->s, 2, "");
    fixture_add(own->s, 2, " \t\n ");
    fixture_add(own->s, 2, "\ny ");

    assert_string_equal(fixture_tail(&own->base, own->s, 9), "[[1, 1, \"x\"], [1, 2, \"\\ny \"]]");
}

static void test_add_any_bytes_gives_valid_json(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    struct err e = ERR_NONE;
    history_add(s, 1, SLICE_LIT("a\0b\xff\xed\xa0\x80\"\\\x01"));
    history_set_output(s, 1, SLICE_LIT("\xf0\x9f\x90\x8d\0"));

    const char *answer = ASK(.access = HISTORY_TAIL, .n = 1, .output = true);

    assert_ok(jscan_check(slice_of(answer), JSCAN_STRICT, 8, &e));
    assert_non_null(strstr(answer, "a\\u0000b\xef\xbf\xbd"));
    assert_non_null(strstr(answer, "\xf0\x9f\x90\x8d\\u0000"));
}

static void test_add_line_that_counts_again_starts_a_session(void **state)
{
    struct fixture *own = *state;
    fixture_add(own->s, 1, "before");
    fixture_add(own->s, 2, "before too");
    fixture_add(own->s, 1, "after");
    history_set_output(own->s, 1, SLICE_LIT("new"));

    assert_string_equal(
        fixture_ask(&own->base, own->s,
                    &(struct history_query){.access = HISTORY_TAIL, .n = 9, .output = true}),
        "[[1, 1, [\"before\", null]], [1, 2, [\"before too\", null]], [2, 1, [\"after\", "
        "\"new\"]]]");
}

static void test_add_too_large_source_is_lost_and_counted(void **state)
{
    struct fixture *own = *state;
    char *large = xmalloc(HISTORY_SOURCE_MAX + 1);
    memset(large, 'x', HISTORY_SOURCE_MAX + 1);

    history_add(own->s, 1, (struct slice){large, HISTORY_SOURCE_MAX + 1});
    assert_int_equal(history_lost(own->h), 1);
    history_add(own->s, 1, (struct slice){large, HISTORY_SOURCE_MAX});

    assert_int_equal(strlen(fixture_tail(&own->base, own->s, 9)),
                     HISTORY_SOURCE_MAX + strlen("[[1, 1, \"\"]]"));
    assert_int_equal(history_lost(own->h), 1);
    free(large);
}

static void test_set_output_too_large_is_cut_between_characters(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    size_t len = HISTORY_OUTPUT_MAX + 100;
    char *large = xmalloc(len);
    for (size_t i = 0; i < len; i++) {
        large[i] = i % 2 == 1 ? '\xc3' : '\xa9';
    }
    fixture_add(s, 1, "x");

    history_set_output(s, 1, (struct slice){large + 1, len - 1});

    const char *answer = ASK(.access = HISTORY_TAIL, .n = 1, .output = true);
    assert_int_equal(strlen(answer), HISTORY_OUTPUT_MAX + strlen("[[1, 1, [\"x\", \"\"]]]"));
    assert_null(strstr(answer, "\xef\xbf\xbd"));
    free(large);
}

static void test_set_output_of_unknown_line_is_ignored(void **state)
{
    struct fixture *own = *state;
    history_set_output(own->s, 1, SLICE_LIT("x"));
    fixture_add(own->s, 3, "y");
    history_set_output(own->s, 2, SLICE_LIT("x"));

    assert_string_equal(fixture_tail(&own->base, own->s, 9), "[[1, 3, \"y\"]]");
}

static void test_query_answer_is_bounded_in_rows_and_bytes(void **state)
{
    struct fixture *own = *state;
    struct history_fixture *f = &own->base;
    struct history_session *s = own->s;
    add_numbers(s, 1, (int64_t)HISTORY_ROWS_MAX + 101);

    const char *answer = ASK(.access = HISTORY_SEARCH, .n = INT64_MAX);
    assert_int_equal(fixture_rows(answer), HISTORY_ROWS_MAX);
    assert_memory_equal(answer, "[[1, 101, ", 10);

    char *large = xmalloc(HISTORY_SOURCE_MAX);
    memset(large, 'x', HISTORY_SOURCE_MAX);
    for (int64_t i = 0; i < 18; i++) {
        history_add(s, 20000 + i, (struct slice){large, HISTORY_SOURCE_MAX});
    }
    free(large);
    answer = ASK(.access = HISTORY_TAIL, .n = 18);
    assert_int_equal(fixture_rows(answer), 15);
    assert_memory_equal(answer, "[[1, 20003, ", 12);
}

static void test_query_long_pattern_is_limit_error(void **state)
{
    struct fixture *own = *state;
    struct err e = ERR_NONE;
    char pattern[HISTORY_PATTERN_MAX + 1];
    memset(pattern, '*', sizeof pattern);
    struct history_query query = {.access = HISTORY_SEARCH, .pattern = {pattern, sizeof pattern}};

    assert_err(history_query(own->s, &query, fixture_on_answer, &own->base, &e), ERR_LIMIT);
    query.pattern.len--;
    fixture_add(own->s, 1, "x");
    assert_int_equal(fixture_rows(fixture_ask(&own->base, own->s, &query)), 0);
    query.n = -1;
    assert_int_equal(fixture_rows(fixture_ask(&own->base, own->s, &query)), 1);
}

/* Occupies the side thread until the descriptor says that it may go on. */
static void wait_work(void *arg)
{
    char byte = 0;
    ssize_t got = read(*(int *)arg, &byte, 1);
    (void)got; /* the end of the pipe will do as well */
}

static void wait_done(void *arg)
{
    (void)arg;
}

static void test_add_full_queue_is_lost_and_counted(void **state)
{
    (void)state;
    struct history_fixture f = {.answer = BUF_INIT(MIB)};
    struct err e = ERR_NONE;
    int ends[2];
    assert_ok(fd_pipe(ends, &e));
    fixture_start(&f, 3);
    struct offload_task task = {.work = wait_work, .done = wait_done, .arg = &ends[0]};
    assert_ok(offload_submit(f.offload, &task, &e));
    struct history *h = fixture_open(&f, NULL);
    struct history_session *s = history_session_new(h, "c", "python");

    add_numbers(s, 1, 5);
    struct history_query query = {.access = HISTORY_TAIL};
    assert_err(history_query(s, &query, fixture_on_answer, &f, &e), ERR_LIMIT);

    assert_int_equal(history_lost(h), 2);
    drop_fd(&ends[1]);
    assert_ok(offload_drain(f.offload, HISTORY_HANG_MS, &e));
    assert_int_equal(fixture_rows(fixture_tail(&f, s, 9)), 2);
    history_session_free(s);
    fixture_close(h);
    fixture_stop(&f);
    drop_fd(&ends[0]);
}

static void test_close_answers_what_was_asked(void **state)
{
    struct fixture *own = *state;
    struct err e = ERR_NONE;
    struct history *h = fixture_open(&own->base, NULL);
    struct history_session *s = history_session_new(h, "c", "python");
    fixture_add(s, 1, "x");
    struct history_query query = {.access = HISTORY_TAIL, .n = 1};
    assert_ok(history_query(s, &query, fixture_on_answer, &own->base, &e));

    fixture_close(h);

    assert_int_equal(own->base.answers, 1);
    history_session_free(s);
}

static void test_close_unused_is_done_at_once(void **state)
{
    struct fixture *own = *state;
    struct err e = ERR_NONE;

    fixture_close(fixture_open(&own->base, NULL));

    assert_ok(history_close(NULL, 0, &e));
}

/* The history goes with the side thread then, and those who asked are told. */
static void test_close_blocked_thread_times_out(void **state)
{
    (void)state;
    struct history_fixture f = {.answer = BUF_INIT(MIB)};
    struct err e = ERR_NONE;
    int ends[2];
    assert_ok(fd_pipe(ends, &e));
    fixture_start(&f, 16);
    struct offload_task task = {.work = wait_work, .done = wait_done, .arg = &ends[0]};
    assert_ok(offload_submit(f.offload, &task, &e));
    struct history *h = fixture_open(&f, NULL);
    struct history_session *s = history_session_new(h, "c", "python");
    fixture_add(s, 1, "x");
    struct history_query query = {.access = HISTORY_TAIL, .n = 1};
    assert_ok(history_query(s, &query, fixture_on_answer, &f, &e));

    assert_err(history_close(h, BLOCK_MS, &e), ERR_TIMEOUT);

    assert_int_equal(f.answers, 0);
    history_session_free(s);
    drop_fd(&ends[1]);
    fixture_stop(&f);
    assert_int_equal(f.answers, 1);
    drop_fd(&ends[0]);
}

static void test_add_ten_thousand_costs_the_loop_little(void **state)
{
    struct fixture *own = *state;
    struct err e = ERR_NONE;
    struct slice source = SLICE_LIT("for i in range(10):\n    print(i, 'and some more text')");

    int64_t before = clock_us();
    for (int64_t line = 1; line <= MANY; line++) {
        history_add(own->s, line, source);
    }
    int64_t added = clock_us();
    assert_ok(offload_drain(own->base.offload, HISTORY_HANG_MS, &e));
    int64_t written = clock_us();

    print_message("%d additions: %.2f us each on the loop, %.2f us until written\n", MANY,
                  (double)(added - before) / MANY, (double)(written - before) / MANY);
    assert_int_equal(history_lost(own->h), 0);
    assert_true(added - before < INT64_C(100) * MANY); /* nowhere near a write to a disk */
}

static void test_default_path_follows_the_environment(void **state)
{
    (void)state;

    static const struct {
        const char *data;
        const char *home;
        const char *path;
    } cases[] = {
        {"/data", "/home/a", "/data/pandia/history.sqlite"},
        {"relative", "/home/a", "/home/a/.local/share/pandia/history.sqlite"},
        {"", "/home/a", "/home/a/.local/share/pandia/history.sqlite"},
        {"", "", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        setenv("XDG_DATA_HOME", cases[i].data, 1);
        setenv("HOME", cases[i].home, 1);
        _cleanup_(drop_free) char *path = history_default_path();
        if (cases[i].path == NULL) {
            assert_null(path);
        } else {
            assert_string_equal(path, cases[i].path);
        }
    }
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_null(history_default_path());
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tail_gives_the_newest_in_order),
        TEST(test_tail_without_n_gives_ten),
        TEST(test_tail_of_nothing_is_empty),
        TEST(test_tail_with_output_gives_pairs),
        TEST(test_tail_puts_the_asking_session_last),
        TEST(test_query_sees_its_language_only),
        TEST(test_range_takes_lines_as_a_slice),
        TEST(test_range_counts_sessions_of_the_language_back),
        TEST(test_search_matches_the_whole_source_by_glob),
        TEST(test_search_n_gives_the_newest_in_order),
        TEST(test_search_unique_gives_the_newest_of_equal_ones),
        TEST(test_query_satisfies_the_conformance_suite),
        TEST(test_add_leaves_out_newlines_at_the_end_and_blank_cells),
        TEST(test_add_any_bytes_gives_valid_json),
        TEST(test_add_line_that_counts_again_starts_a_session),
        TEST(test_add_too_large_source_is_lost_and_counted),
        TEST(test_set_output_too_large_is_cut_between_characters),
        TEST(test_set_output_of_unknown_line_is_ignored),
        TEST(test_query_answer_is_bounded_in_rows_and_bytes),
        TEST(test_query_long_pattern_is_limit_error),
        TEST(test_close_answers_what_was_asked),
        TEST(test_close_unused_is_done_at_once),
        TEST(test_add_ten_thousand_costs_the_loop_little),
        cmocka_unit_test(test_add_full_queue_is_lost_and_counted),
        cmocka_unit_test(test_close_blocked_thread_times_out),
        cmocka_unit_test(test_default_path_follows_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
