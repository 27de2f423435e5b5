/* SPDX-License-Identifier: MIT */
/* spare.h - a child that a zygote has forked ahead: it waits for the order of the next context of
 * its policy and then is that context. With much memory a fork is the longest part of a birth.
 * Not here: when one is made (fork_server.c), its death (children.h). */
#pragma once

#include "contexts/worker/birth.h"

struct spare {
    pid_t pid;       /* 0: there is none */
    int fd;          /* our end of its socket, -1 without */
    char policy[64]; /* as in struct wire_fork: what it may do */
};

#define SPARE_NONE ((struct spare){.fd = -1})

/* Begins a spare of `policy`, in place of the one before: gives the end for the child in
 * `*theirs`, ours goes to `s`. The caller forks and sets the pid. */
MUST_CHECK int spare_open(struct spare *s, const char *policy, int *theirs, struct err *e);

/* Forgets the child; one that still waits ends by itself. */
void spare_close(struct spare *s);

/* Is there a child, and of the policy that is ordered? */
bool spare_fits(const struct spare *s, const struct fork_order *order);

/* Hands the order over; its descriptors stay open here. The child is nobody's spare afterwards,
 * also when it fails. */
MUST_CHECK int spare_send(struct spare *s, const struct fork_order *order, struct err *e);

/* In the child: waits for it. -1 when the zygote has gone, or needs it no more. */
MUST_CHECK int spare_wait(int fd, struct fork_order *out);
