/* SPDX-License-Identifier: MIT */
/* children.h - the children of a zygote: contexts it made, and strays it inherits from dead ones.
 * Not here: the report to the broker (fork_server.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "contexts/wire/msg.h"

struct nmap;

struct children {
    struct nmap *contexts; /* their tickets, by pid; NULL before the first */
    pid_t spare;           /* a child that is to become a context; 0: there is none */
};

void children_done(struct children *c);

/* `ticket` is that of the order, not 0. */
void children_add(struct children *c, pid_t pid, uint64_t ticket);

/* How many contexts there are. */
size_t children_count(const struct children *c);

/* Reaps one child that has ended. 1: it was a context, that of `*ticket`, and `*out` says how it
 * ended; 0: it was a stray or the spare (ask again); -1: none has ended. */
int children_reap(struct children *c, uint64_t *ticket, struct wire_exited *out);

/* Kills every child that is no context. Contexts are subreapers: what arrives here was orphaned by
 * the death of one. Returns how many there were. */
size_t children_kill_strays(const struct children *c);

/* Kills every context with its process group. */
void children_kill_contexts(const struct children *c);
