/* SPDX-License-Identifier: MIT */
/* history_db.c - every statement commits by itself: with a write-ahead log and synchronous=NORMAL
 * that is one write of a few pages without a flush, and what was committed survives the death of
 * the process. Entries repeat the language of their session, so that one index serves every
 * query and a session may be forgotten before its last entry. */
#include "kernel/core/history_db.h"

#include <stdio.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/mem.h"
#include "kernel/core/history.h"

enum {
    SCHEMA_VERSION = 1,
    PRUNE_ENTRIES = 1000, /* so many additions, or bytes of them, until the next look */
    PRUNE_BYTES = 16 << 20,
    PRUNE_ROUNDS = 64,                       /* each frees a quarter: enough for any size */
    MEMORY_PAGES = HISTORY_MEMORY_MAX / 4096 /* of SQLite's usual size */
};

static const char pragmas[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                              "PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -512";

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS sessions ("
    " session INTEGER PRIMARY KEY AUTOINCREMENT, language TEXT NOT NULL,"
    " context TEXT NOT NULL, started TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS entries ("
    " id INTEGER PRIMARY KEY, language TEXT NOT NULL, session INTEGER NOT NULL,"
    " line INTEGER NOT NULL, source TEXT NOT NULL, output TEXT,"
    " UNIQUE (language, session, line));"
    "PRAGMA user_version = 1;"
    "COMMIT";

#define STATEMENT_MAP(X)                                                                           \
    X(ADD_SESSION, "INSERT INTO sessions (language, context, started) VALUES (?1, ?2, ?3)")        \
    X(ADD_ENTRY, "INSERT INTO entries (language, session, line, source) VALUES (?1, ?2, ?3, ?4)")  \
    X(SET_OUTPUT,                                                                                  \
      "UPDATE entries SET output = ?4 WHERE language = ?1 AND session = ?2 AND line = ?3")         \
    X(READ_SESSION,                                                                                \
      "SELECT session, line, source, output FROM entries WHERE language = ?1 AND session = ?2 "    \
      "AND line >= ?3 AND line < ?4 ORDER BY line DESC")                                           \
    X(READ_OTHERS,                                                                                 \
      "SELECT session, line, source, output FROM entries WHERE language = ?1 AND session <> ?2 "   \
      "AND source GLOB ?3 ORDER BY session DESC, line DESC")                                       \
    X(LAST_LINE, "SELECT max(line) FROM entries WHERE language = ?1 AND session = ?2")             \
    X(EARLIER, "SELECT DISTINCT session FROM entries WHERE language = ?1 AND session < ?2 "        \
               "ORDER BY session DESC LIMIT 1 OFFSET ?3")

enum statement {

#define X(upper, text) upper,
    STATEMENT_MAP(X)
#undef X
        STATEMENTS
};

static const char *const statements[] = {
#define X(upper, text) [upper] = text,
    STATEMENT_MAP(X)
#undef X
};

struct history_db {
    const struct history_db_options *options;
    struct sql *sql; /* NULL: not even memory; nothing is remembered */
    bool in_file;
    int64_t highest; /* session number given out here */
    size_t added;    /* since the last pruning */
    size_t added_bytes;
    struct err trouble;
};

/* Entries only leave at the old end, so that ids are without gaps and count them. */
static void prune(struct history_db *db)
{
    static const char count[] =
        "SELECT (SELECT max(id) FROM entries) - (SELECT min(id) FROM entries) + 1";
    static const char used[] = "SELECT page_size * (page_count - freelist_count)"
                               " FROM pragma_page_size, pragma_page_count, pragma_freelist_count";
    static const char drop_quarter[] =
        "DELETE FROM entries WHERE id <= (SELECT min(id) FROM entries)"
        " + ((SELECT max(id) FROM entries) - (SELECT min(id) FROM entries)) / 4;"
        "DELETE FROM sessions WHERE session < (SELECT min(session) FROM entries)";
    int64_t entries_max = (int64_t)db->options->entries_max;
    int64_t bytes_max = (int64_t)db->options->bytes_max;
    if (!db->in_file && bytes_max > (int64_t)HISTORY_MEMORY_MAX) {
        bytes_max = (int64_t)HISTORY_MEMORY_MAX;
    }
    db->added = 0;
    db->added_bytes = 0;
    /* What cannot be pruned now is pruned later; a sick file shows at the next addition. */
    enum sql_result result = SQL_OK;
    for (int i = 0; i < PRUNE_ROUNDS && result == SQL_OK &&
                    (sql_ask(db->sql, count) > entries_max || sql_ask(db->sql, used) > bytes_max);
         i++) {
        result = sql_run(db->sql, drop_quarter);
    }
}

/* Memory in place of the file `from`, or of none (NULL). What the file has moves along, when that
 * is not too much; else at least no session number is given out twice. */
static void open_memory(struct history_db *db, struct sql *from)
{
    char sequence[100];
    (void)snprintf(sequence, sizeof sequence,
                   "INSERT INTO sqlite_sequence (name, seq) VALUES ('sessions', %lld)",
                   (long long)db->highest);
    _cleanup_(drop_sql) struct sql *sql = NULL;
    if (sql_open(NULL, &db->options->patience, &sql) != SQL_OK) {
        return;
    }
    bool copied = from != NULL && sql_copy(sql, from, MEMORY_PAGES);
    if (sql_run(sql, schema) == SQL_OK && (copied || sql_run(sql, sequence) == SQL_OK) &&
        sql_prepare(sql, statements, STATEMENTS) == SQL_OK) {
        db->sql = take(sql);
    }
}

/* From now on memory takes the place of the file. */
static void leave_file(struct history_db *db, enum sql_result result, const char *cause)
{
    _cleanup_(drop_sql) struct sql *file = take(db->sql);
    (void)err_set(&db->trouble, ERR_SYS, "%s", cause);
    db->in_file = false;
    open_memory(db, result == SQL_UNSOUND ? NULL : file);
}

static enum sql_result open_tables(struct sql *sql, const char **cause)
{
    enum sql_result result = sql_run(sql, pragmas);
    int64_t version = sql_ask(sql, "PRAGMA user_version");
    if (result == SQL_OK && version > SCHEMA_VERSION) {
        *cause = "made by a newer version";
        return SQL_UNSOUND;
    }
    if (result == SQL_OK && version < SCHEMA_VERSION) {
        result = sql_run(sql, schema);
    }
    if (result == SQL_OK) {
        result = sql_prepare(sql, statements, STATEMENTS);
    }
    *cause = sql_why(sql);
    return result;
}

static void open_file(struct history_db *db)
{
    const char *path = db->options->path;
    struct err e = ERR_NONE;
    if (sql_make_file(path, &e) < 0) {
        leave_file(db, SQL_UNSOUND, e.text);
        return;
    }
    enum sql_result result = sql_open(path, &db->options->patience, &db->sql);
    const char *cause = sql_why(db->sql);
    if (result == SQL_OK) {
        result = open_tables(db->sql, &cause);
    }
    if (result != SQL_OK) {
        leave_file(db, result, cause);
        return;
    }
    db->in_file = true;
    prune(db);
}

struct history_db *history_db_new(const struct history_db_options *options)
{
    struct history_db *db = xcalloc(1, sizeof *db);
    db->options = options;
    if (options->path != NULL) {
        open_file(db);
    } else {
        open_memory(db, NULL);
    }
    return db;
}

void history_db_free(struct history_db *db)
{
    if (db != NULL) {
        sql_close(db->sql);
        free(db);
    }
}

const struct err *history_db_trouble(const struct history_db *db)
{
    return db->trouble.code == ERR_OK ? NULL : &db->trouble;
}

/* Something to be written, or asked; all is borrowed. */
struct access {
    struct history_place *place;
    int64_t line;
    struct slice text;
    const struct history_query *query;
    struct history_rows *rows;
};

typedef enum sql_result (*access_fn)(struct history_db *db, const struct access *access);

/* Whether the file is to blame, and not the row, the clock or the end of the process. */
static bool is_file_trouble(const struct history_db *db, enum sql_result result)
{
    bool failed = result == SQL_FAILED || result == SQL_UNSOUND ||
                  (result == SQL_BUSY && atomic_load(&db->options->patience) != SQL_IMPATIENT);
    return failed && db->in_file;
}

/* Tries it in the file, and when that fails for a reason of the file's, once more in memory. */
static int attempt(struct history_db *db, access_fn fn, const struct access *access, struct err *e)
{
    enum sql_result result = db->sql == NULL ? SQL_FAILED : fn(db, access);
    if (is_file_trouble(db, result)) {
        leave_file(db, result, sql_why(db->sql));
        result = db->sql == NULL ? SQL_FAILED : fn(db, access);
    }
    if (result == SQL_OK) {
        return 0;
    }
    return err_set(e, result == SQL_LATE ? ERR_GONE : ERR_SYS, "history: %s",
                   db->sql == NULL ? "no memory" : sql_why(db->sql));
}

static enum sql_result begin_session(struct history_db *db, struct history_place *place)
{
    char now[CLOCK_ISO_SIZE];
    clock_iso_utc(now);
    sql_bind_text(db->sql, ADD_SESSION, 1, slice_of(place->language));
    sql_bind_text(db->sql, ADD_SESSION, 2, slice_of(place->context));
    sql_bind_text(db->sql, ADD_SESSION, 3, slice_of(now));
    enum sql_result result = sql_step(db->sql, ADD_SESSION);
    if (result == SQL_OK) {
        place->number = sql_inserted(db->sql);
        place->last_line = INT64_MIN;
        db->highest = place->number;
    }
    return result;
}

static enum sql_result write_entry(struct history_db *db, enum statement statement,
                                   const struct access *access)
{
    sql_bind_text(db->sql, statement, 1, slice_of(access->place->language));
    sql_bind_int(db->sql, statement, 2, access->place->number);
    sql_bind_int(db->sql, statement, 3, access->line);
    sql_bind_text(db->sql, statement, 4, access->text);
    return sql_step(db->sql, statement);
}

static enum sql_result add_entry(struct history_db *db, const struct access *access)
{
    struct history_place *place = access->place;
    enum sql_result result = SQL_OK;
    if (place->number == 0 || access->line <= place->last_line) {
        result = begin_session(db, place);
    }
    if (result == SQL_OK) {
        result = write_entry(db, ADD_ENTRY, access);
    }
    if (result == SQL_OK) {
        place->last_line = access->line;
    }
    return result;
}

int history_db_add(struct history_db *db, struct history_place *place, int64_t line,
                   struct slice source, struct err *e)
{
    struct access access = {.place = place, .line = line, .text = source};
    if (attempt(db, add_entry, &access, e) < 0) {
        return -1;
    }
    db->added_bytes += source.len;
    if (++db->added >= PRUNE_ENTRIES || db->added_bytes >= PRUNE_BYTES) {
        prune(db);
    }
    return 0;
}

static enum sql_result set_output(struct history_db *db, const struct access *access)
{
    return write_entry(db, SET_OUTPUT, access);
}

int history_db_set_output(struct history_db *db, struct history_place *place, int64_t line,
                          struct slice text, struct err *e)
{
    struct access access = {.place = place, .line = line, .text = text};
    db->added_bytes += text.len;
    return attempt(db, set_output, &access, e);
}

/* Runs a statement whose rows are wanted, as far as they are. */
static enum sql_result collect(struct sql *sql, enum statement statement, struct history_rows *rows)
{
    enum sql_result result = SQL_ROW;
    while (!history_rows_full(rows) && (result = sql_step(sql, statement)) == SQL_ROW) {
        struct history_row row = {
            .session = sql_int(sql, statement, 0),
            .line = sql_int(sql, statement, 1),
            .source = sql_text(sql, statement, 2),
            .output = sql_text(sql, statement, 3),
        };
        history_rows_add(rows, &row);
    }
    sql_end(sql, statement);
    return result == SQL_ROW ? SQL_OK : result;
}

/* Runs a statement that answers one number; 0 when it answers none. */
static enum sql_result collect_number(struct sql *sql, enum statement statement, int64_t *out)
{
    enum sql_result result = sql_step(sql, statement);
    *out = result == SQL_ROW ? sql_int(sql, statement, 0) : 0;
    sql_end(sql, statement);
    return result == SQL_ROW ? SQL_OK : result;
}

static enum sql_result read_session(struct history_db *db, const struct access *access,
                                    int64_t session, int64_t start, int64_t stop)
{
    sql_bind_text(db->sql, READ_SESSION, 1, slice_of(access->place->language));
    sql_bind_int(db->sql, READ_SESSION, 2, session);
    sql_bind_int(db->sql, READ_SESSION, 3, start);
    sql_bind_int(db->sql, READ_SESSION, 4, stop);
    return collect(db->sql, READ_SESSION, access->rows);
}

/* All sessions but one. */
static enum sql_result read_others(struct history_db *db, const struct access *access, int64_t but,
                                   struct slice pattern)
{
    sql_bind_text(db->sql, READ_OTHERS, 1, slice_of(access->place->language));
    sql_bind_int(db->sql, READ_OTHERS, 2, but);
    sql_bind_text(db->sql, READ_OTHERS, 3, pattern);
    return collect(db->sql, READ_OTHERS, access->rows);
}

/* The asking session's entries are the newest for it, whatever others added meanwhile. */
static enum sql_result read_tail(struct history_db *db, const struct access *access)
{
    int64_t current = access->place->number;
    enum sql_result result = read_session(db, access, current, INT64_MIN, INT64_MAX);
    return result == SQL_OK ? read_others(db, access, current, SLICE_LIT("*")) : result;
}

static enum sql_result read_search(struct history_db *db, const struct access *access)
{
    struct slice pattern = access->query->pattern;
    return read_others(db, access, 0, pattern.data ? pattern : SLICE_LIT("*"));
}

/* The number of the session that the client calls 0 or -1; 0 when there is none. */
static enum sql_result find_session(struct history_db *db, const struct access *access,
                                    int64_t *out)
{
    int64_t asked = access->query->session;
    int64_t current = access->place->number;
    if (asked >= 0) {
        *out = asked == 0 ? current : asked;
        return SQL_OK;
    }
    sql_bind_text(db->sql, EARLIER, 1, slice_of(access->place->language));
    sql_bind_int(db->sql, EARLIER, 2, current == 0 ? INT64_MAX : current);
    sql_bind_int(db->sql, EARLIER, 3, -(asked + 1));
    return collect_number(db->sql, EARLIER, out);
}

static enum sql_result read_range(struct history_db *db, const struct access *access)
{
    int64_t start = access->query->start;
    int64_t stop = access->query->stop;
    int64_t session = 0;
    int64_t last = 0;
    enum sql_result result = find_session(db, access, &session);
    if (result == SQL_OK && (start < 0 || stop < 0)) {
        sql_bind_text(db->sql, LAST_LINE, 1, slice_of(access->place->language));
        sql_bind_int(db->sql, LAST_LINE, 2, session);
        result = collect_number(db->sql, LAST_LINE, &last);
    }
    if (result != SQL_OK) {
        return result;
    }
    start += start < 0 ? last + 1 : 0;
    stop = stop == 0 ? INT64_MAX : stop < 0 ? stop + last + 1 : stop;
    return read_session(db, access, session, start, stop);
}

static enum sql_result read_rows(struct history_db *db, const struct access *access)
{
    static const access_fn readers[] = {
        [HISTORY_TAIL] = read_tail,
        [HISTORY_RANGE] = read_range,
        [HISTORY_SEARCH] = read_search,
    };
    history_rows_clear(access->rows);
    sql_limit(db->sql, HISTORY_QUERY_MS);
    enum sql_result result = readers[access->query->access](db, access);
    sql_limit(db->sql, 0);
    bool found_some = result == SQL_LATE && atomic_load(&db->options->patience) == SQL_PATIENT;
    return found_some ? SQL_OK : result;
}

int history_db_read(struct history_db *db, struct history_place *place,
                    const struct history_query *query, struct history_rows *rows, struct err *e)
{
    struct access access = {.place = place, .query = query, .rows = rows};
    return attempt(db, read_rows, &access, e);
}
