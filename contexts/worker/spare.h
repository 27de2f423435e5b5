/* SPDX-License-Identifier: MIT */
/* spare.h - a child that a warm zygote has forked ahead: it waits for the descriptors of the next
 * context and then is that context. With much memory a fork is the longest part of a birth.
 * Not here: when one is made (fork_server.c), its death (children.h). */
#pragma once

#include "base/err.h"
#include "contexts/wire/msg.h"

struct spare {
    pid_t pid; /* 0: there is none */
    int fd;    /* our end of its socket, -1 without */
};

/* Gives the end for the child in `*theirs`; ours goes to `s`. */
MUST_CHECK int spare_open(struct spare *s, int *theirs, struct err *e);

/* Forgets the child; one that still waits ends by itself. */
void spare_close(struct spare *s);

/* Hands the descriptors over; they stay open here. The child is nobody's spare afterwards, also
 * when it fails. */
MUST_CHECK int spare_send(struct spare *s, const int fds[FORK_FDS], struct err *e);

/* In the child: waits for them. -1 when the zygote has gone, or needs it no more. */
MUST_CHECK int spare_wait(int fd, int fds[FORK_FDS]);
