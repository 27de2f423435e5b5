/* SPDX-License-Identifier: MIT */
/* held.h - text held back for company: of one stream and one execution, whole code points only. A
 * copy of it lies in the will, for whoever survives this process. Not here: who may write when
 * (output.h holds the lock), how long text waits (pace.h). */
#pragma once

#include <stdint.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "contexts/worker/capture.h"
#include "contexts/worker/channel.h"
#include "contexts/worker/tail.h"
#include "contexts/worker/worker.h"

/* Text held back at most; a piece read from a pipe may come on top. */
#define HELD_BYTES (64UL * KIB)

/* Read from a pipe at once: small enough for the flusher's stack. */
enum { HELD_READ_BYTES = 16384 };

struct held {
    struct buf text;
    enum stream_kind kind;
    uint64_t exec;                       /* whose it is */
    struct tail written[CAPTURE_PIPES];  /* unfinished ends of what the language wrote */
    struct tail captured[CAPTURE_PIPES]; /* and of what came out of the pipes */
    struct will *will;                   /* borrowed; NULL: no copy is kept */
    struct buf json;                     /* content being built; kept for its memory */
};

/* Borrows `will` for life. */
void held_init(struct held *h, struct will *will);
void held_done(struct held *h);

/* Turns the text into a frame that waits in the channel. */
void held_pack(struct held *h, struct channel *channel);

/* From here on text is of this execution and stream; what is held of another one is packed. */
void held_select(struct held *h, uint64_t exec, enum stream_kind kind, struct channel *channel);

/* Adds to the text of who is selected: a piece that the language wrote, of HELD_BYTES at most; up
 * to `len` bytes, HELD_READ_BYTES at most, out of a pipe (returns how many). */
void held_add(struct held *h, struct slice piece);
size_t held_read(struct held *h, const struct capture *capture, size_t len);

/* Adds the bytes that never became a code point, as they are, for this execution. */
void held_give_up_tails(struct held *h, uint64_t exec, struct channel *channel);

/* In a fork made by user code: forgets what the parent will send. It has no frames; its text goes
 * to descriptors 1 and 2, by lines: those stay whole among the copies of a pool of processes, as on
 * a terminal. */
void held_become_copy(struct held *h);
void held_add_lines(struct held *h, enum stream_kind kind, struct slice text);
void held_write(struct held *h);
