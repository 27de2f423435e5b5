/* SPDX-License-Identifier: MIT */
/* side.h - what the broker lets its side thread do: keep the history of its contexts, and read how
 * much memory and time they use. The thread starts with the first such wish.
 * All functions belong to the loop's thread. */
#pragma once

#include "base/loop.h"
#include "contexts/pool/context.h"
#include "kernel/core/history.h"

struct side;

/* `history_path` is copied; NULL: history in memory only. Borrows `loop` for life. */
struct side *side_new(struct loop *loop, const char *history_path);

/* Writes what is queued, for a moment at most. */
void side_free(struct side *s);

/* Remembers the code (raw JSON string) of execution `line`, and the text of its result. */
void side_note_input(struct side *s, const struct context *c, int64_t line, struct slice raw_code);
void side_note_output(struct side *s, const struct context *c, int64_t line, struct slice raw_text);

/* A deleted context starts no more lines. */
void side_forget(struct side *s, const char *context_id);

/* Answers a history_request (checked content) of a client of `c`: `fn` gets the `history` list. */
MUST_CHECK int side_history(struct side *s, const struct context *c, struct slice content,
                            history_fn fn, void *arg, struct err *e);

/* Reads the usage of this process and all below it; `fn` gets the content of a usage_reply, an
 * empty slice when it could not be read. */
typedef void (*side_usage_fn)(void *arg, struct slice content);
MUST_CHECK int side_usage(struct side *s, side_usage_fn fn, void *arg, struct err *e);
