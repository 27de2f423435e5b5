/* SPDX-License-Identifier: MIT */
/* history_db.h - the tables of the history, in a file, or in memory when there is none that can be
 * used. Belongs to the side thread. For history.c alone. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "kernel/core/history_rows.h"
#include "kernel/core/sql.h"

struct history_db;

struct history_db_options {
    const char *path; /* NULL: memory */
    size_t entries_max;
    size_t bytes_max;
    atomic_int patience; /* enum sql_patience; any thread may set it */
};

/* A session. */
struct history_place {
    const char *language;
    const char *context;
    int64_t number; /* 0 before the first entry */
    int64_t last_line;
};

/* Opens the file, or memory in its place. Borrows `options` for life. */
struct history_db *history_db_new(const struct history_db_options *options);
void history_db_free(struct history_db *db);
DEFINE_DROP(history_db, struct history_db, history_db_free)

/* Lends why the file is not used (any more); NULL when it is, or none was wanted. */
const struct err *history_db_trouble(const struct history_db *db);

MUST_CHECK int history_db_add(struct history_db *db, struct history_place *place, int64_t line,
                              struct slice source, struct err *e);
MUST_CHECK int history_db_set_output(struct history_db *db, struct history_place *place,
                                     int64_t line, struct slice text, struct err *e);

/* Collects the rows that `query`, asked from `place`, wants. A search that takes too long gives
 * what it has found. */
MUST_CHECK int history_db_read(struct history_db *db, struct history_place *place,
                               const struct history_query *query, struct history_rows *rows,
                               struct err *e);
