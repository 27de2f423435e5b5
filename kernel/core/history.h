/* SPDX-License-Identifier: MIT */
/* history.h - what was run: sessions of numbered lines, kept across restarts in one SQLite file
 * that several brokers share. Nothing here blocks: all SQLite work is the side thread's, and
 * requests are served in the order of the calls, so that a query sees what was added before it.
 * A file that cannot be used (any more) costs one warning, and memory takes its place.
 * All functions belong to the loop's thread. Not here: the rows as JSON (history_rows.h), the
 * file (history_db.h), Jupyter messages (the door). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct offload;
struct history;
struct history_session;

struct history_options {
    const char *path;                               /* NULL: memory only, which is no trouble */
    size_t entries_max;                             /* 0: HISTORY_ENTRIES_MAX */
    size_t bytes_max;                               /* 0: HISTORY_FILE_MAX */
    void (*warn)(void *arg, const struct err *why); /* memory only, at most once; may be NULL */
    void *arg;
};

enum history_access { HISTORY_TAIL, HISTORY_RANGE, HISTORY_SEARCH };

/* As in a history_request. There is no `raw`: the source is kept as the client sent it, only
 * newlines at its end are left out. */
struct history_query {
    enum history_access access;
    bool output;          /* rows are [session, line, [input, output or null]] */
    bool unique;          /* tail, search: of equal sources only the newest */
    int64_t n;            /* tail, search: so many of the newest; negative: tail 10, search all */
    int64_t session;      /* range: 0 the asking one, negative counts back from it */
    int64_t start;        /* range: first line; negative counts from the end */
    int64_t stop;         /* range: line after the last; negative the same, 0: to the end */
    struct slice pattern; /* search: glob for the whole source, with * and ? */
};

/* The JSON text of the `history` list, oldest first; empty with `err` set on failure (ERR_GONE:
 * the history was closed first). Borrowed for the call. */
typedef void (*history_fn)(void *arg, struct slice history, const struct err *err);

/* Gives "$XDG_DATA_HOME/pandia/history.sqlite" or the same below ~/.local/share; NULL when there
 * is no home. */
char *history_default_path(void);

/* Touches no file yet. Copies `options`; borrows `offload` until history_close has returned. */
struct history *history_new(struct offload *offload, const struct history_options *options);

/* Writes what is queued and closes the file, for at most `deadline_ms`; queries that wait are
 * answered, if only with ERR_GONE. Takes `h` in any case. ERR_TIMEOUT: something may be lost. */
MUST_CHECK int history_close(struct history *h, int64_t deadline_ms, struct err *e);

/* How many calls of history_add and history_set_output were for nothing. */
uint64_t history_lost(const struct history *h);

/* Opens a session of a context: queries through it see the entries of all sessions with the same
 * `language` (a door with several owners puts the owner into that text). It gets its number with
 * its first entry. Gives the handle, which may outlive `h` but for being freed. */
struct history_session *history_session_new(struct history *h, const char *context,
                                            const char *language);
void history_session_free(struct history_session *s);
DEFINE_DROP(history_session, struct history_session, history_session_free)

/* Remembers `source` (borrowed) as line number `line`. A blank one is ignored. A number that is
 * not above the last one starts a new session: the context began to count again. */
void history_add(struct history_session *s, int64_t line, struct slice source);

/* Remembers the text of the result of line `line`, cut to HISTORY_OUTPUT_MAX bytes. */
void history_set_output(struct history_session *s, int64_t line, struct slice text);

/* Asks; `fn` is called once, later, at the latest by history_close. -1: it is not called
 * (ERR_LIMIT: too much is waiting, or the pattern is too long). */
MUST_CHECK int history_query(struct history_session *s, const struct history_query *query,
                             history_fn fn, void *arg, struct err *e);
