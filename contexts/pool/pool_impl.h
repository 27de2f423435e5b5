/* SPDX-License-Identifier: MIT */
/* pool_impl.h - the inside of a pool, for the files of this room only: pool.c (the register of
 * contexts), pool_processes.c (zygotes, and the processes of contexts). */
#pragma once

#include <sys/queue.h>

#include "base/map.h"
#include "base/nmap.h"
#include "contexts/pool/life.h"
#include "contexts/pool/nursery.h"
#include "contexts/pool/pool.h"

LIST_HEAD(context_list, context);

struct pool {
    struct loop *loop;
    struct pool_options options;
    const struct pool_sink *sink;
    void *arg;
    int lifeline[2]; /* nothing is ever written; its end is the message */
    struct nursery *nursery;
    struct context_list contexts; /* all, newest first */
    struct map *by_id;            /* the same, struct context */
    struct nmap *by_ticket;       /* struct life of each context that has one */
    struct nmap *by_pid;          /* those of them that are forked */
    struct context_list paused;   /* contexts that some reader has paused */
    uint64_t next_ticket;
    bool stopping;
    bool stopped; /* the owner has been called */
};

/* pool.c */

/* Before a queue is emptied. */
void pool_drain(struct pool *pool);

/* The context has no process any more. */
void pool_context_died(struct pool *pool, struct context *c, const struct death *death);

/* A deleted context has no process any more: calls who waits for it, and frees it. */
void pool_context_gone(struct pool *pool, struct context *c);

bool pool_is_stopping(const struct pool *pool);

/* Calls the owner once when a pool that stops has no process left. */
void pool_check_stopped(struct pool *pool);

/* pool_processes.c */
extern const struct nursery_sink pool_nursery_events;

/* Orders a process from the zygote of the context's language. `fds` as enum wire_fork_fd,
 * borrowed. */
MUST_CHECK int pool_fork(struct pool *pool, struct life *l, const int fds[FORK_FDS], struct err *e);

/* Gives a new life its ticket; makes it known by its pid; forgets it. */
void pool_register_life(struct pool *pool, struct life *l);
void pool_register_pid(struct pool *pool, struct life *l);
void pool_forget_life(struct pool *pool, const struct life *l);
