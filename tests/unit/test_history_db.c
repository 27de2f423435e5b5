/* SPDX-License-Identifier: MIT */
/* The file of the history: shared, damaged, forbidden, full, and written by the dying. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "kernel/core/sql.h"
#include "tests/unit/history_fixture.h"

enum { NOBODY = 65534, WRITERS = 4, EACH = 100, MANY = 10000 };

/* A throw-away folder; threads are started by the tests that do not fork. */
static int set_up(void **state)
{
    struct history_fixture *f = xcalloc(1, sizeof *f);
    f->tree = tree_new();
    f->answer = BUF_INIT(64 * MIB);
    *state = f;
    return 0;
}

static void start(struct history_fixture *f)
{
    fixture_start(f, OFFLOAD_QUEUE_MAX);
}

static struct history_session *session(struct history *h)
{
    return history_session_new(h, "default", "python");
}

/* One whole life of a history: a session with `count` lines. */
static void live(struct history_fixture *f, const char *path, int count)
{
    struct history *h = fixture_open(f, path);
    _cleanup_(drop_history_session) struct history_session *s = session(h);
    for (int line = 1; line <= count; line++) {
        fixture_add(s, line, "x");
    }
    fixture_close(h);
}

/* Runs `fn` in a child of its own; gives its process id. */
static pid_t spawn(void (*fn)(struct history_fixture *f, const char *path), const char *path)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct history_fixture f = {.answer = BUF_INIT(64 * MIB)};
        start(&f);
        fn(&f, path);
        fixture_stop(&f);
        _exit(0);
    }
    return pid;
}

static int join(pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static int64_t ask_file(const char *path, const char *text)
{
    atomic_int patience = SQL_PATIENT;
    _cleanup_(drop_sql) struct sql *sql = NULL;
    assert_int_equal(sql_open(path, &patience, &sql), SQL_OK);
    return sql_ask(sql, text);
}

static bool is_sound(const char *path)
{
    return ask_file(path, "SELECT count(*) FROM pragma_integrity_check "
                          "WHERE integrity_check = 'ok'") == 1;
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void test_file_keeps_entries_for_the_next_life(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "a/b/history.sqlite");
    start(f);
    live(f, path, 2);

    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    assert_string_equal(fixture_tail(f, s, 9), "[[1, 1, \"x\"], [1, 2, \"x\"]]");
    fixture_add(s, 1, "y");

    assert_string_equal(fixture_tail(f, s, 2), "[[1, 2, \"x\"], [2, 1, \"y\"]]");
    assert_int_equal(f->warnings, 0);
    history_session_free(s);
    fixture_close(h);
}

static void test_file_is_its_owners_alone(void **state)
{
    struct history_fixture *f = *state;
    mode_t before = umask(0);
    const char *path = tree_path(f->tree, "a/b/history.sqlite");
    start(f);
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    fixture_add(s, 1, "x");
    (void)fixture_tail(f, s, 1);

    assert_int_equal(mode_of(tree_path(f->tree, "a")), 0700);
    assert_int_equal(mode_of(tree_path(f->tree, "a/b")), 0700);
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(mode_of(tree_path(f->tree, "a/b/history.sqlite-wal")), 0600);
    assert_int_equal(mode_of(tree_path(f->tree, "a/b/history.sqlite-shm")), 0600);
    umask(before);
    history_session_free(s);
    fixture_close(h);
}

static void test_new_touches_no_file_before_its_use(void **state)
{
    struct history_fixture *f = *state;
    start(f);

    fixture_close(fixture_open(f, tree_path(f->tree, "a/history.sqlite")));

    assert_false(tree_has(f->tree, "a"));
}

static void test_two_histories_share_a_file(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    struct history_fixture g = {.answer = BUF_INIT(MIB)};
    start(f);
    fixture_start(&g, OFFLOAD_QUEUE_MAX);
    struct history *h = fixture_open(f, path);
    struct history *i = fixture_open(&g, path);
    struct history_session *s = session(h);
    struct history_session *t = session(i);

    for (int line = 1; line <= EACH; line++) {
        fixture_add(s, line, "s");
        fixture_add(t, line, "t");
    }

    (void)fixture_tail(&g, t, 1);
    assert_int_equal(fixture_rows(fixture_tail(f, s, 1000)), 2 * EACH);
    assert_int_equal(fixture_rows(fixture_tail(&g, t, 1000)), 2 * EACH);
    assert_int_equal(history_lost(h) + history_lost(i), 0);
    assert_int_equal(f->warnings + g.warnings, 0);
    history_session_free(s);
    history_session_free(t);
    fixture_close(h);
    fixture_close(i);
    fixture_stop(&g);
    assert_int_equal(ask_file(path, "SELECT count(DISTINCT session) FROM entries"), 2);
}

static void write_some(struct history_fixture *f, const char *path)
{
    live(f, path, EACH);
    if (f->warnings != 0) {
        _exit(2);
    }
}

static void test_many_processes_at_once_lose_nothing(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    pid_t pids[WRITERS];

    for (int i = 0; i < WRITERS; i++) {
        pids[i] = spawn(write_some, path);
    }
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(join(pids[i]), 0);
    }

    assert_true(is_sound(path));
    assert_int_equal(ask_file(path, "SELECT count(*) FROM entries"), WRITERS * EACH);
    assert_int_equal(ask_file(path, "SELECT count(DISTINCT session) FROM entries"), WRITERS);
}

/* The history still works, and has said once that it is not kept. */
static void assert_memory_only(struct history_fixture *f, const char *path, const char *cause)
{
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    fixture_add(s, 1, "one");
    history_set_output(s, 1, SLICE_LIT("1"));
    fixture_add(s, 2, "two");
    struct history_query query = {.access = HISTORY_RANGE, .output = true};

    const char *answer = fixture_ask(f, s, &query);

    assert_non_null(strstr(answer, ", 1, [\"one\", \"1\"]], ["));
    assert_non_null(strstr(answer, ", 2, [\"two\", null]]]"));
    assert_int_equal(history_lost(h), 0);
    assert_int_equal(f->warnings, 1);
    if (strstr(f->warning.text, cause) == NULL) {
        fail_msg("%s", f->warning.text);
    }
    history_session_free(s);
    fixture_close(h);
}

static void test_file_that_is_no_database_is_left_alone(void **state)
{
    struct history_fixture *f = *state;
    char garbage[4097];
    memset(garbage, 'g', sizeof garbage);
    garbage[4096] = '\0';
    const char *path = tree_file(f->tree, "history.sqlite", garbage, 0600);
    start(f);

    assert_memory_only(f, path, "not a database");

    _cleanup_(drop_free) char *after = tree_text(f->tree, "history.sqlite");
    assert_string_equal(after, garbage);
}

static void overwrite(const char *path, off_t offset, const void *data, size_t len)
{
    _cleanup_(drop_fd) int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(fd, data, len, offset), len);
}

static void test_file_with_damaged_pages_is_given_up(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    char garbage[64 * KIB];
    memset(garbage, 'g', sizeof garbage);
    start(f);
    live(f, path, 5000);
    overwrite(path, 4096, garbage, sizeof garbage);

    assert_memory_only(f, path, "malformed");
}

static void test_file_of_a_newer_version_is_left_alone(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    static const unsigned char version[] = {0, 0, 0, 99}; /* at byte 60 of its header */
    start(f);
    live(f, path, 3);
    overwrite(path, 60, version, sizeof version);

    assert_memory_only(f, path, "newer version");

    assert_int_equal(ask_file(path, "SELECT count(*) FROM entries"), 3);
    assert_int_equal(ask_file(path, "PRAGMA user_version"), 99);
}

static void test_file_with_other_tables_is_given_up(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_file(f->tree, "history.sqlite", "", 0600);
    atomic_int patience = SQL_PATIENT;
    struct sql *sql = NULL;
    assert_int_equal(sql_open(path, &patience, &sql), SQL_OK);
    assert_int_equal(sql_run(sql, "CREATE TABLE entries (something)"), SQL_OK);
    sql_close(sql);
    start(f);

    assert_memory_only(f, path, "SQL logic error");
}

static void test_folder_that_cannot_be_made_is_memory_only(void **state)
{
    struct history_fixture *f = *state;
    (void)tree_file(f->tree, "file", "", 0600);
    start(f);

    assert_memory_only(f, tree_path(f->tree, "file/history.sqlite"), "Not a directory");
}

static void test_path_of_a_folder_is_memory_only(void **state)
{
    struct history_fixture *f = *state;
    start(f);

    assert_memory_only(f, f->tree->root, "unable to open");
}

static void write_as_nobody(struct history_fixture *f, const char *path)
{
    if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) {
        _exit(3);
    }
    assert_memory_only(f, path, "");
}

static void test_read_only_folder_is_memory_only(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "folder/history.sqlite");
    assert_int_equal(chmod(f->tree->root, 0755), 0);
    tree_make_parents(path);
    assert_int_equal(chmod(tree_path(f->tree, "folder"), 0555), 0);

    assert_int_equal(join(spawn(write_as_nobody, path)), 0);

    assert_false(tree_has(f->tree, "folder/history.sqlite"));
}

static void write_one(struct history_fixture *f, const char *path)
{
    live(f, path, 1);
}

static void test_read_only_file_is_memory_only(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "folder/history.sqlite");
    assert_int_equal(join(spawn(write_one, path)), 0);
    assert_int_equal(chmod(f->tree->root, 0755), 0);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(tree_path(f->tree, "folder"), 0555), 0);

    assert_int_equal(join(spawn(write_as_nobody, path)), 0);

    assert_int_equal(ask_file(path, "SELECT count(*) FROM entries"), 1);
}

/* A full disk by way of the largest file this process may write. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_full_disk_keeps_the_rest_in_memory(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    start(f);
    live(f, path, 3);
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    struct history_session *other = session(h);
    (void)signal(SIGXFSZ, SIG_IGN);

    limit_files(200 * KIB);
    for (int line = 1; line <= EACH; line++) {
        fixture_add(s, line, "y");
    }
    fixture_add(other, 1, "z");
    const char *answer = fixture_tail(f, s, 1000);
    size_t rows = fixture_rows(answer);
    bool numbered = strstr(answer, "[3, 1, \"z\"], [2, 1, \"y\"]") != NULL;
    limit_files(RLIM_INFINITY);

    assert_int_equal(rows, 3 + EACH + 1); /* what was in the file before included */
    assert_true(numbered);
    assert_int_equal(f->warnings, 1);
    assert_int_equal(history_lost(h), 0);
    history_session_free(s);
    history_session_free(other);
    fixture_close(h);
    assert_true(is_sound(path));
    assert_true(ask_file(path, "SELECT count(*) FROM entries") >= 3);
}

static void test_close_does_not_wait_for_a_foreign_lock(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    atomic_int patience = SQL_PATIENT;
    struct err e = ERR_NONE;
    start(f);
    live(f, path, 1);
    struct sql *sql = NULL;
    assert_int_equal(sql_open(path, &patience, &sql), SQL_OK);
    assert_int_equal(sql_run(sql, "BEGIN IMMEDIATE"), SQL_OK);
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    fixture_add(s, 1, "x");

    int64_t before = clock_ms();
    assert_err(history_close(h, 50, &e), ERR_TIMEOUT);

    assert_true(clock_ms() - before < HISTORY_BUSY_MS / 2);
    assert_int_equal(f->warnings, 0);
    history_session_free(s);
    sql_close(sql);
}

static void test_file_never_has_too_many_entries(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    struct history_options options = {.path = path, .entries_max = 100};
    start(f);
    struct history *h = history_new(f->offload, &options);
    struct history_session *s = session(h);
    fixture_add(s, 1, "first");
    for (int line = 1; line <= 2500; line++) {
        fixture_add(s, line, "x");
    }
    fixture_close(h);
    assert_true(ask_file(path, "SELECT count(*) FROM entries") <= 100 + 1000);

    h = history_new(f->offload, &options);
    history_session_free(s);
    s = session(h);
    const char *answer = fixture_tail(f, s, 10000);

    size_t rows = fixture_rows(answer);
    assert_true(rows > 50 && rows <= 100);
    assert_non_null(strstr(answer, "[2, 2500, \"x\"]]"));
    fixture_add(s, 1, "next");
    assert_string_equal(fixture_tail(f, s, 1), "[[3, 1, \"next\"]]");
    history_session_free(s);
    fixture_close(h);
    assert_int_equal(ask_file(path, "SELECT count(*) FROM sessions"), 2);
}

static void test_file_never_has_too_many_bytes(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    struct history_options options = {.path = path, .bytes_max = 4 * MIB};
    _cleanup_(drop_free) char *large = xmalloc(MIB);
    struct stat st;
    memset(large, 'x', MIB);
    start(f);
    struct history *h = history_new(f->offload, &options);
    struct history_session *s = session(h);

    for (int line = 1; line <= 60; line++) {
        history_add(s, line, (struct slice){large, MIB});
        (void)fixture_tail(f, s, 0);
    }

    size_t rows = fixture_rows(fixture_tail(f, s, 1000));
    assert_true(rows >= 1 && rows <= 4 + 16);
    assert_int_equal(history_lost(h), 0);
    history_session_free(s);
    fixture_close(h);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size <= (off_t)(22 * MIB));
}

/* Says on its standard output how far it has come. */
static void write_until_killed(struct history_fixture *f, const char *path)
{
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    for (int line = 1;; line++) {
        fixture_add(s, line, "some source");
        if (line % 10 == 0) {
            (void)fixture_tail(f, s, 1);
            if (write(STDOUT_FILENO, &line, sizeof line) != (ssize_t)sizeof line) {
                _exit(4);
            }
        }
    }
}

static pid_t spawn_into_pipe(const char *path, int *out)
{
    struct err e = ERR_NONE;
    int ends[2];
    assert_ok(fd_pipe(ends, &e));
    (void)fflush(stdout);
    int saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    assert_int_equal(dup2(ends[1], STDOUT_FILENO), STDOUT_FILENO);
    pid_t pid = spawn(write_until_killed, path);
    assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
    drop_fd(&saved);
    drop_fd(&ends[1]);
    *out = ends[0];
    return pid;
}

static void test_killed_writer_leaves_all_that_was_written(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    int64_t total = 0;

    for (int round = 1; round <= 4; round++) {
        _cleanup_(drop_fd) int progress = -1;
        pid_t pid = spawn_into_pipe(path, &progress);
        int line = 0;
        while (line < 300 * round) {
            assert_int_equal(read(progress, &line, sizeof line), sizeof line);
        }
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(WTERMSIG(join(pid)), SIGKILL);

        assert_true(is_sound(path));
        int64_t entries = ask_file(path, "SELECT count(*) FROM entries") - total;
        assert_true(entries >= line);
        assert_int_equal(ask_file(path, "SELECT max(line) FROM entries "
                                        "WHERE session = (SELECT max(session) FROM entries)"),
                         entries);
        total += entries;
    }
    start(f);
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);
    assert_int_equal(fixture_rows(fixture_tail(f, s, 1000)), 1000);
    assert_int_equal(f->warnings, 0);
    history_session_free(s);
    fixture_close(h);
}

static void test_ten_thousand_entries_are_written_and_found_fast(void **state)
{
    struct history_fixture *f = *state;
    const char *path = tree_path(f->tree, "history.sqlite");
    struct slice source = SLICE_LIT("for i in range(10):\n    print(i, 'and some more text')");
    struct err e = ERR_NONE;
    start(f);
    struct history *h = fixture_open(f, path);
    struct history_session *s = session(h);

    int64_t began = clock_us();
    for (int64_t line = 1; line <= MANY; line++) {
        history_add(s, line, source);
    }
    int64_t added = clock_us();
    assert_ok(offload_drain(f->offload, HISTORY_HANG_MS, &e));
    int64_t written = clock_us();
    (void)fixture_tail(f, s, 1000);
    int64_t tailed = clock_us();
    struct history_query query = {
        .access = HISTORY_SEARCH, .n = -1, .unique = true, .pattern = SLICE_LIT("*some*more*")};
    assert_int_equal(fixture_rows(fixture_ask(f, s, &query)), 1);
    int64_t searched = clock_us();

    print_message("%d additions: %.2f us each on the loop, %.1f us until in the file; "
                  "tail of 1000: %.1f ms; search of all: %.1f ms\n",
                  MANY, (double)(added - began) / MANY, (double)(written - began) / MANY,
                  (double)(tailed - written) / 1000, (double)(searched - tailed) / 1000);
    assert_int_equal(history_lost(h), 0);
    assert_true(added - began < INT64_C(100) * MANY);
    history_session_free(s);
    fixture_close(h);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_file_keeps_entries_for_the_next_life),
        TEST(test_file_is_its_owners_alone),
        TEST(test_new_touches_no_file_before_its_use),
        TEST(test_two_histories_share_a_file),
        TEST(test_many_processes_at_once_lose_nothing),
        TEST(test_file_that_is_no_database_is_left_alone),
        TEST(test_file_with_damaged_pages_is_given_up),
        TEST(test_file_of_a_newer_version_is_left_alone),
        TEST(test_file_with_other_tables_is_given_up),
        TEST(test_folder_that_cannot_be_made_is_memory_only),
        TEST(test_path_of_a_folder_is_memory_only),
        TEST(test_read_only_folder_is_memory_only),
        TEST(test_read_only_file_is_memory_only),
        TEST(test_full_disk_keeps_the_rest_in_memory),
        TEST(test_close_does_not_wait_for_a_foreign_lock),
        TEST(test_file_never_has_too_many_entries),
        TEST(test_file_never_has_too_many_bytes),
        TEST(test_killed_writer_leaves_all_that_was_written),
        TEST(test_ten_thousand_entries_are_written_and_found_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
