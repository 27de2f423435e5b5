/* SPDX-License-Identifier: MIT */
/* frame.h - frames on the stream between broker and worker, and in the datagrams between broker
 * and zygote: a fixed header, JSON content, raw buffers.
 *
 *   header (40 bytes, host order: both ends are one build on one machine)
 *   content
 *   length of each buffer (u64 each)
 *   the buffers
 *
 * Everything a reader is told is checked against bounds.h before memory is reserved for it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "contexts/wire/msg.h"

struct wire_frame {
    enum wire_type type;
    uint64_t exec;        /* execution it belongs to; 0: none */
    struct slice content; /* JSON text, may be empty */
    const struct slice *buffers;
    size_t buffer_count;
};

struct wire_reader {
    struct buf in;
    size_t used;           /* bytes of `in` that earlier frames took */
    struct slice *buffers; /* of the frame given last */
    size_t buffers_cap;
};

void wire_reader_init(struct wire_reader *r);
void wire_reader_done(struct wire_reader *r);

/* Reads once from `fd`. Returns the bytes read, 0 at its end, -1 on failure (e->sys EAGAIN when
 * nothing is there). A signal does not end a read that blocks: who has to notice signals polls
 * first. Call wire_reader_next until it says 0 before filling again. */
MUST_CHECK ssize_t wire_reader_fill(struct wire_reader *r, int fd, struct err *e);

/* Adds bytes that were read elsewhere (datagrams, fuzzing). */
MUST_CHECK int wire_reader_feed(struct wire_reader *r, struct slice data, struct err *e);

/* True when no part of a frame has been read. */
bool wire_reader_is_empty(const struct wire_reader *r);

/* Takes the next whole frame apart. 1: lends it in `*out` until the next call on this reader;
 * 0: more bytes are needed; -1: the stream is not ours (ERR_PROTO, ERR_LIMIT), no frame will
 * follow. */
MUST_CHECK int wire_reader_next(struct wire_reader *r, struct wire_frame *out, struct err *e);

/* Appends the frame to `out`, whole or, when it does not fit, not at all (ERR_LIMIT). */
MUST_CHECK int wire_encode(struct buf *out, const struct wire_frame *frame, struct err *e);

/* Writes the frame to a socket and waits until it is out. Once begun it is finished, whatever
 * signals arrive: a torn frame would make the rest of the stream unreadable. ERR_GONE when nobody
 * reads any more (without SIGPIPE). */
MUST_CHECK int wire_write(int fd, const struct wire_frame *frame, struct err *e);
