/* SPDX-License-Identifier: MIT */
/* capture.h - the pipes behind descriptors 1 and 2, read by the context itself: what C code and
 * subprocesses write. Only a reader in this very process can put it in order with the rest.
 * Not here: when to read (output.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "contexts/worker/worker.h"

enum { CAPTURE_PIPES = 2 };

struct capture {
    int fds[CAPTURE_PIPES]; /* by enum stream_kind; owned, nonblocking, -1 when closed */
};

/* Takes the read ends and makes them nonblocking. */
void capture_init(struct capture *c, int out_read, int err_read);
void capture_close(struct capture *c);

/* True when something lies in either pipe: one system call for the question that every cell asks
 * and nearly always hears "no" to. */
bool capture_is_ready(const struct capture *c);

/* Bytes that lie in a pipe now. Reading no more than this ends even while others write. */
size_t capture_waiting(const struct capture *c, enum stream_kind kind);

/* Reads at most `max` bytes; 0 when nothing is there. */
size_t capture_read(const struct capture *c, enum stream_kind kind, char *out, size_t max);
