/* SPDX-License-Identifier: MIT */
/* children.h - the children of a zygote: contexts it made, and strays it inherits from dead ones.
 * Not here: telling the broker (fork_server.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "contexts/wire/msg.h"

struct children {
    pid_t *contexts;
    size_t count;
    size_t cap;
    pid_t spare; /* a child that is to become a context; 0: there is none */
};

void children_done(struct children *c);

void children_add(struct children *c, pid_t pid);

/* Reaps one child that has ended. 1: it was a context, `*out` says how it ended; 0: it was a stray
 * or the spare (ask again); -1: none has ended. */
int children_reap(struct children *c, struct wire_exited *out);

/* Kills every child that is no context. Contexts are subreapers: what arrives here was orphaned by
 * the death of one. Returns how many there were. */
size_t children_kill_strays(const struct children *c);

/* Kills every context with its process group. */
void children_kill_contexts(const struct children *c);
