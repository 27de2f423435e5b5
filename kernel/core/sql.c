/* SPDX-License-Identifier: MIT */
#include "kernel/core/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include <sqlite3.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/mem.h"

enum {
    PROGRESS_STEPS = 1000,   /* of SQLite's machine, until a query looks at the clock */
    NAP_NS = 2 * 1000 * 1000 /* until a lock is tried again */
};

struct sql {
    sqlite3 *db;
    sqlite3_stmt **statements;
    size_t count;
    const atomic_int *patience;
    int64_t busy_until_ms; /* while a lock is waited for */
    int64_t limit_at_ms;   /* 0: none */
    int code;              /* SQLite's for the last failure */
};

/* The codes that need more than "failed"; the low byte of an extended code. */
static const struct {
    int code;
    enum sql_result result;
} results[] = {
    {SQLITE_OK, SQL_OK},           {SQLITE_DONE, SQL_OK},        {SQLITE_ROW, SQL_ROW},
    {SQLITE_BUSY, SQL_BUSY},       {SQLITE_INTERRUPT, SQL_LATE}, {SQLITE_CONSTRAINT, SQL_REFUSED},
    {SQLITE_CORRUPT, SQL_UNSOUND}, {SQLITE_NOTADB, SQL_UNSOUND}, {SQLITE_ERROR, SQL_UNSOUND},
};

static enum sql_result result_of(struct sql *sql, int code)
{
    enum sql_result result = SQL_FAILED;
    for (size_t i = 0; i < ARRAY_LEN(results); i++) {
        if (results[i].code == (code & 0xff)) {
            result = results[i].result;
        }
    }
    if (result != SQL_OK && result != SQL_ROW) {
        sql->code = code;
    }
    return result;
}

const char *sql_why(const struct sql *sql)
{
    return sqlite3_errstr(sql->code);
}

static int patience(const struct sql *sql)
{
    return atomic_load_explicit(sql->patience, memory_order_relaxed);
}

/* For SQLite: whether to try again for a lock that somebody else holds. */
static int on_busy(void *arg, int tries)
{
    struct sql *sql = arg;
    int64_t now = clock_ms();
    if (tries == 0) {
        sql->busy_until_ms = now + HISTORY_BUSY_MS;
    }
    if (now >= sql->busy_until_ms || patience(sql) == SQL_IMPATIENT) {
        return 0;
    }
    (void)nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL); /* a shorter one does no harm */
    return 1;
}

/* For SQLite: whether to give up. */
static int on_progress(void *arg)
{
    const struct sql *sql = arg;
    return sql->limit_at_ms != 0 &&
           (patience(sql) != SQL_PATIENT || clock_ms() >= sql->limit_at_ms);
}

static int make_folders(const char *path, struct err *e)
{
    _cleanup_(drop_free) char *copy = xstrdup(path);
    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) < 0 && errno != EEXIST) {
            return err_sys(e, "mkdir");
        }
        *slash = '/';
    }
    return 0;
}

/* A file that is there is not opened: closing it would drop this process's locks on it. */
int sql_make_file(const char *path, struct err *e)
{
    if (make_folders(path, e) < 0) {
        return -1;
    }
    _cleanup_(drop_fd) int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return fd < 0 && errno != EEXIST ? err_sys(e, "open") : 0;
}

enum sql_result sql_open(const char *path, const atomic_int *patience_of, struct sql **out)
{
    struct sql *sql = xcalloc(1, sizeof *sql);
    sql->patience = patience_of;
    *out = sql;
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | (path ? 0 : SQLITE_OPEN_CREATE);
    int code = sqlite3_open_v2(path ? path : ":memory:", &sql->db, flags, NULL);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(sql->db, 1);
        sqlite3_busy_handler(sql->db, on_busy, sql);
        sqlite3_progress_handler(sql->db, PROGRESS_STEPS, on_progress, sql);
        sqlite3_limit(sql->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, (int)HISTORY_PATTERN_MAX);
    }
    return result_of(sql, code);
}

void sql_close(struct sql *sql)
{
    if (sql == NULL) {
        return;
    }
    for (size_t i = 0; i < sql->count; i++) {
        sqlite3_finalize(sql->statements[i]);
    }
    free(sql->statements);
    (void)sqlite3_close(sql->db); /* fails only while it has statements */
    free(sql);
}

/* Changing the journal mode does not ask the busy handler when two processes do it at once. */
enum sql_result sql_run(struct sql *sql, const char *text)
{
    int tries = 0;
    int code = sqlite3_exec(sql->db, text, NULL, NULL, NULL);
    while ((code & 0xff) == SQLITE_BUSY && on_busy(sql, tries++)) {
        code = sqlite3_exec(sql->db, text, NULL, NULL, NULL);
    }
    return result_of(sql, code);
}

int64_t sql_ask(struct sql *sql, const char *text)
{
    sqlite3_stmt *stmt = NULL;
    int64_t answer = 0;
    if (sqlite3_prepare_v2(sql->db, text, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW) {
        answer = sqlite3_column_int64(stmt, 0);
    }
    sqlite3_finalize(stmt);
    return answer;
}

enum sql_result sql_prepare(struct sql *sql, const char *const *texts, size_t count)
{
    int code = SQLITE_OK;
    sql->statements = xcalloc(count, sizeof(sqlite3_stmt *));
    sql->count = count;
    for (size_t i = 0; i < count && code == SQLITE_OK; i++) {
        code = sqlite3_prepare_v3(sql->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                                  &sql->statements[i], NULL);
    }
    return result_of(sql, code);
}

/* A value that does not bind stays NULL, which no column of ours takes. */
void sql_bind_int(struct sql *sql, size_t index, int place, int64_t value)
{
    (void)sqlite3_bind_int64(sql->statements[index], place, value);
}

void sql_bind_text(struct sql *sql, size_t index, int place, struct slice text)
{
    (void)sqlite3_bind_text64(sql->statements[index], place, text.data, text.len, SQLITE_STATIC,
                              SQLITE_UTF8);
}

void sql_end(struct sql *sql, size_t index)
{
    (void)sqlite3_reset(sql->statements[index]); /* repeats what the step said */
    (void)sqlite3_clear_bindings(sql->statements[index]);
}

enum sql_result sql_step(struct sql *sql, size_t index)
{
    enum sql_result result = result_of(sql, sqlite3_step(sql->statements[index]));
    if (result != SQL_ROW) {
        sql_end(sql, index);
    }
    return result;
}

int64_t sql_int(struct sql *sql, size_t index, int column)
{
    return sqlite3_column_int64(sql->statements[index], column);
}

struct slice sql_text(struct sql *sql, size_t index, int column)
{
    sqlite3_stmt *stmt = sql->statements[index];
    const void *data = sqlite3_column_text(stmt, column); /* before its length is asked */
    return (struct slice){.data = data, .len = (size_t)sqlite3_column_bytes(stmt, column)};
}

int64_t sql_inserted(const struct sql *sql)
{
    return sqlite3_last_insert_rowid(sql->db);
}

void sql_limit(struct sql *sql, int64_t limit_ms)
{
    sql->limit_at_ms = limit_ms > 0 ? clock_ms() + limit_ms : 0;
}

bool sql_copy(struct sql *to, struct sql *from, int64_t pages_max)
{
    sqlite3_backup *copy = sqlite3_backup_init(to->db, "main", from->db, "main");
    if (copy == NULL) {
        return false;
    }
    int code = sqlite3_backup_step(copy, 1); /* it knows how many there are only then */
    if (code == SQLITE_OK && sqlite3_backup_pagecount(copy) <= pages_max) {
        code = sqlite3_backup_step(copy, -1);
    }
    (void)sqlite3_backup_finish(copy); /* takes back what is not whole */
    return code == SQLITE_DONE;
}
