/* SPDX-License-Identifier: MIT */
#include "kernel/core/history_rows.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "base/map.h"
#include "base/mem.h"
#include "kernel/core/history.h"

enum { TAIL_DEFAULT = 10, ROOM_MIN = 16 }; /* IPython gives ten to those who do not say */

static size_t rows_wanted(const struct history_query *query)
{
    if (query->access == HISTORY_RANGE || (query->n < 0 && query->access == HISTORY_SEARCH)) {
        return HISTORY_ROWS_MAX;
    }
    size_t n = query->n < 0 ? TAIL_DEFAULT : (size_t)query->n;
    return n < HISTORY_ROWS_MAX ? n : HISTORY_ROWS_MAX;
}

void history_rows_init(struct history_rows *rows, const struct history_query *query)
{
    bool unique = query->unique && query->access != HISTORY_RANGE;
    *rows = (struct history_rows){
        .text = BUF_INIT(HISTORY_REPLY_MAX),
        .count_max = rows_wanted(query),
        .with_output = query->output,
        .seen = unique ? map_new(NULL) : NULL,
    };
}

void history_rows_done(struct history_rows *rows)
{
    buf_done(&rows->text);
    free(take(rows->ends));
    map_free(take(rows->seen));
}

void history_rows_clear(struct history_rows *rows)
{
    buf_clear(&rows->text);
    rows->count = 0;
    if (rows->seen != NULL) {
        map_free(rows->seen);
        rows->seen = map_new(NULL);
    }
}

bool history_rows_full(const struct history_rows *rows)
{
    return rows->count >= rows->count_max || rows->text.full;
}

/* Of equal sources the newest counts, which comes first. The key is the JSON form, because that
 * is text without NULs. */
static bool is_repeated(struct history_rows *rows, struct slice source)
{
    if (rows->seen == NULL) {
        return false;
    }
    _cleanup_(drop_buf) struct buf key = BUF_INIT(HISTORY_REPLY_MAX);
    jwrite_string(&key, source);
    if (map_get(rows->seen, buf_text(&key)) != NULL) {
        return true;
    }
    map_put(rows->seen, buf_text(&key), rows);
    return false;
}

static void write_row(const struct history_rows *rows, const struct history_row *row,
                      struct buf *out)
{
    buf_add_byte(out, '[');
    jwrite_int(out, row->session);
    buf_add_text(out, ", ");
    jwrite_int(out, row->line);
    buf_add_text(out, rows->with_output ? ", [" : ", ");
    jwrite_string(out, row->source);
    if (rows->with_output) {
        buf_add_text(out, ", ");
        if (row->output.data != NULL) {
            jwrite_string(out, row->output);
        } else {
            buf_add_text(out, "null");
        }
        buf_add_byte(out, ']');
    }
    buf_add_byte(out, ']');
}

void history_rows_add(struct history_rows *rows, const struct history_row *row)
{
    if (history_rows_full(rows) || is_repeated(rows, row->source)) {
        return;
    }
    write_row(rows, row, &rows->text);
    if (rows->text.full) {
        return; /* a row that was cut has no end, so it is not given */
    }
    if (rows->count == rows->room) {
        rows->room = rows->room == 0 ? ROOM_MIN : 2 * rows->room;
        rows->ends = xrealloc(rows->ends, rows->room, sizeof *rows->ends);
    }
    rows->ends[rows->count++] = rows->text.len;
}

void history_rows_write(const struct history_rows *rows, struct buf *out)
{
    buf_add_byte(out, '[');
    for (size_t i = rows->count; i > 0; i--) {
        size_t start = i == 1 ? 0 : rows->ends[i - 2];
        buf_add(out, rows->text.data + start, rows->ends[i - 1] - start);
        buf_add_text(out, i > 1 ? ", " : "");
    }
    buf_add_byte(out, ']');
}
