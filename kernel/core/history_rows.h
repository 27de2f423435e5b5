/* SPDX-License-Identifier: MIT */
/* history_rows.h - the rows of one answer: collected newest first, written oldest first as the
 * `history` list of a Jupyter history_reply. Not here: where they come from (history_db.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct map;
struct history_query;

struct history_row {
    int64_t session;
    int64_t line;
    struct slice source;
    struct slice output; /* data NULL: none */
};

struct history_rows {
    struct buf text;  /* the rows as JSON, newest first */
    size_t *ends;     /* where each ends in it */
    size_t count;     /* rows so far */
    size_t room;      /* of `ends` */
    size_t count_max; /* rows wanted at most */
    bool with_output;
    struct map *seen; /* sources there already; NULL: equal ones are welcome */
};

/* Starts an answer to `query`, which is borrowed for the call. */
void history_rows_init(struct history_rows *rows, const struct history_query *query);
void history_rows_done(struct history_rows *rows);
DEFINE_DROP_VALUE(history_rows, struct history_rows, history_rows_done)

/* Forgets the rows, to begin again. */
void history_rows_clear(struct history_rows *rows);

/* True when no further row is wanted, or would fit. */
bool history_rows_full(const struct history_rows *rows);

/* Adds the next older row. */
void history_rows_add(struct history_rows *rows, const struct history_row *row);

/* Appends the list. */
void history_rows_write(const struct history_rows *rows, struct buf *out);
