/* SPDX-License-Identifier: MIT */
/* pool.h - all contexts of a broker and the zygotes they come from.
 * Never sees ZeroMQ, HTTP or a Jupyter header; parses no user JSON beyond routing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/loop.h"
#include "contexts/pool/context.h"

struct pool;
struct wire_hello;

/* How one language's worker is started. Borrowed for the life of the pool. */
struct pool_language {
    const char *name;
    const char *worker_path;
    const char *const *argv; /* NULL-terminated, argv[0] included */
    /* Modules that a second, warm worker loads; it gets "--preload A,B" behind `argv`. */
    const char *const *preload;
    size_t preload_count; /* at most PRELOAD_MAX; 0: there is no second one */
};

struct pool_options {
    const struct pool_language *languages;
    size_t language_count;
    size_t descriptor_limit; /* soft limit of open descriptors for user code; 0: ours */
    int64_t preload_ms;      /* how long one module may take to load; 0: PRELOAD_MS */
};

/* What the owner of the pool hears. Calls on the loop's thread. */
struct pool_sink {
    /* An error is about to empty the queue of `context`: hand in all requests that have arrived,
     * so that "run all" stops as a whole. */
    void (*drain)(void *arg);
    /* The process of `context` is gone; its running job has ended, its queue still stands. The
     * context must not be deleted in this call. */
    void (*died)(void *arg, struct context *context, const struct death *death);
    /* The last process is gone (only after pool_stop). */
    void (*stopped)(void *arg);
};

/* Borrows everything but copies nothing of `options`. */
MUST_CHECK int pool_new(struct loop *loop, const struct pool_options *options,
                        const struct pool_sink *sink, void *arg, struct pool **out, struct err *e);
void pool_free(struct pool *pool);
DEFINE_DROP(pool, struct pool, pool_free)

/* Starts the zygote of `language` if it does not run. */
MUST_CHECK int pool_prepare(struct pool *pool, const char *language, struct err *e);

struct context_options {
    const char *id;
    const char *language;
    struct slice start; /* JSON object for START; copied */
    bool is_common;     /* see context_is_common */
};

/* Makes a context without a process; the first job brings one. Lends it. */
MUST_CHECK int pool_add_context(struct pool *pool, const struct context_options *options,
                                struct context **out, struct err *e);

/* Lends the context, NULL when absent. */
struct context *pool_find(const struct pool *pool, const char *id);

/* Walks over all contexts: start with NULL; NULL at the end. The next call must come before the
 * one given is deleted. */
struct context *pool_next(const struct pool *pool, const struct context *previous);

/* Lends the hello of the zygote of `language`, NULL before it. */
const struct wire_hello *pool_hello(const struct pool *pool, const char *language);

/* Goes on reading every context that `reader` has paused and that no other reader holds. */
void pool_resume(struct pool *pool, unsigned reader);

/* Reaps every dead child of this process: call on SIGCHLD. */
void pool_reap(struct pool *pool);

/* The three steps of a shutdown: ask politely, interrupt what runs, kill. After the first no job
 * is accepted; `stopped` comes when nothing is left. */
void pool_stop(struct pool *pool);
void pool_interrupt_all(struct pool *pool);
void pool_kill_all(struct pool *pool);
