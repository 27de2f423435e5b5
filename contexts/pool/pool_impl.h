/* SPDX-License-Identifier: MIT */
/* pool_impl.h - what contexts ask of their pool; for the files of this room only. */
#pragma once

#include "contexts/pool/pool.h"

/* Asks the zygote of the context's language for a process. `fds` as enum wire_fork_fd, borrowed. */
MUST_CHECK int pool_fork(struct pool *pool, struct context *c, const int *fds, struct err *e);

/* Before a queue is emptied. */
void pool_drain(struct pool *pool);

/* The context has no process any more. */
void pool_context_died(struct pool *pool, struct context *c, const struct death *death);

/* A deleted context has no process any more: tells who waits for it, and frees it. */
void pool_context_gone(struct pool *pool, struct context *c);

bool pool_is_stopping(const struct pool *pool);
enum pool_reading pool_reading(const struct pool *pool);
