/* SPDX-License-Identifier: MIT */
/* broker.h - the door-neutral middle: which context a request goes to, what a death means for the
 * rest, and the order of a shutdown. Knows no socket and no Jupyter header. */
#pragma once

#include <stdbool.h>

#include "contexts/pool/pool.h"
#include "kernel/core/comms.h"
#include "kernel/core/contexts.h"
#include "kernel/core/selector.h"
#include "kernel/core/side.h"

struct broker;

struct broker_options {
    struct pool_options pool;
    struct contexts_options contexts;
    const char *history_path; /* NULL: in memory only */
};

/* What the broker tells its door. Calls on the loop's thread. */
struct broker_sink {
    void (*drain)(void *arg); /* hand in every request that has arrived */
    void (*died)(void *arg, struct context *context, const struct death *death);
    void (*stopped)(void *arg); /* the end of broker_shutdown */
};

/* Starts the zygote of the default language. Borrows `options` and `sink` for life. */
MUST_CHECK int broker_new(struct loop *loop, const struct broker_options *options,
                          const struct broker_sink *sink, void *arg, struct broker **out,
                          struct err *e);
void broker_free(struct broker *b);
DEFINE_DROP(broker, struct broker, broker_free)

/* Lends the default context. */
struct context *broker_default_context(const struct broker *b);

/* Lends the context that a request selects, making the one of a language when need be. */
MUST_CHECK int broker_select(struct broker *b, const struct selection *selection,
                             struct context **out, struct err *e);

/* Lends the pool, for the requests that are about contexts themselves. */
struct pool *broker_pool(const struct broker *b);
const struct contexts_options *broker_contexts_options(const struct broker *b);

/* Lends the register of comms. */
struct comms *broker_comms(const struct broker *b);

/* Lends history and usage. */
struct side *broker_side(const struct broker *b);

/* Stops admitting, lets cells run for a moment, interrupts, kills, reaps, then calls `stopped`.
 * All open requests have ended by then. Calling it again changes nothing. */
void broker_shutdown(struct broker *b);
