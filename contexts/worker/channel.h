/* SPDX-License-Identifier: MIT */
/* channel.h - the writing end of the stream to the broker. Small frames may wait for company, so
 * that the last words of a cell and its reply are one system call. Not here: who may write when
 * (output.h holds the lock). */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "contexts/wire/frame.h"

struct channel {
    int fd;             /* owned, -1 when closed */
    struct buf waiting; /* encoded frames */
    struct will *will;  /* copy of what waits, for whoever survives us; borrowed, may be NULL */
    bool broken;        /* the broker is gone: everything is dropped */
};

/* Takes `fd`; it may be nonblocking. Borrows `will` for life. */
void channel_init(struct channel *c, int fd, struct will *will);
void channel_close(struct channel *c);

/* Puts a frame behind those that wait; one too large to wait goes out with them at once. */
void channel_add(struct channel *c, const struct wire_frame *frame);

/* Sends what waits; blocks until all of it is out. */
void channel_push(struct channel *c);
