/* SPDX-License-Identifier: MIT */
/* sql.h - one SQLite connection and its prepared statements; sql.c alone sees sqlite3.h.
 * A connection belongs to one thread at a time, and that thread may have to wait: for the disk,
 * and for locks of other processes. Not here: what the statements mean. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct sql;

enum sql_result {
    SQL_OK,      /* done */
    SQL_ROW,     /* a row is there to be read */
    SQL_REFUSED, /* the row would break a constraint */
    SQL_BUSY,    /* somebody else held a lock for too long */
    SQL_LATE,    /* stopped by sql_limit, or by lack of patience */
    SQL_FAILED,  /* the file cannot be written, opened, ... : sql_why */
    SQL_UNSOUND, /* it is not a database, damaged, or of other tables: sql_why */
};

/* How long things may take; another thread may lower it at any time. */
enum sql_patience {
    SQL_PATIENT,
    SQL_HURRIED,  /* queries with a limit end at once */
    SQL_IMPATIENT /* and no lock is waited for */
};

/* Makes an empty file for its owner alone, and the folders above it; SQLite would make it readable
 * for all, and gives its companions the mode of the file. One that is there stays as it is. */
MUST_CHECK int sql_make_file(const char *path, struct err *e);

/* Opens `path`, which must exist, or memory for NULL. Gives `*out` in any case. Borrows `patience`
 * for life. */
enum sql_result sql_open(const char *path, const atomic_int *patience, struct sql **out);
void sql_close(struct sql *sql);
DEFINE_DROP(sql, struct sql, sql_close)

/* Lends the reason of the last failure; lives for ever. */
const char *sql_why(const struct sql *sql);

/* Runs statements separated by semicolons. */
enum sql_result sql_run(struct sql *sql, const char *text);

/* The first column of the first row; 0 when there is none, or on failure. */
int64_t sql_ask(struct sql *sql, const char *text);

/* Prepares `count` statements, known by their index from now on. */
enum sql_result sql_prepare(struct sql *sql, const char *const *texts, size_t count);

/* Values for ?1, ?2, ... of statement `index`. Texts are borrowed until it has ended. */
void sql_bind_int(struct sql *sql, size_t index, int place, int64_t value);
void sql_bind_text(struct sql *sql, size_t index, int place, struct slice text);

/* Takes a statement one row further. Whatever is not SQL_ROW has ended it; to stop at a row, end
 * it. The values it was given are forgotten then. */
enum sql_result sql_step(struct sql *sql, size_t index);
void sql_end(struct sql *sql, size_t index);

/* Column `column` of the row; texts are lent until the next step. NULL is 0, and no data. */
int64_t sql_int(struct sql *sql, size_t index, int column);
struct slice sql_text(struct sql *sql, size_t index, int column);

/* The row number of the last insertion. */
int64_t sql_inserted(const struct sql *sql);

/* Ends queries with SQL_LATE after `limit_ms`; 0: never. */
void sql_limit(struct sql *sql, int64_t limit_ms);

/* Replaces what is in `to`, which has no statements yet, by what is in `from`. False, and nothing
 * changed, when that cannot be read or has more than `pages_max` pages. */
bool sql_copy(struct sql *to, struct sql *from, int64_t pages_max);
