/* SPDX-License-Identifier: MIT */
/* broker_impl.h - the inside of the broker, for the files of this room: broker.c (life, signals,
 * shutdown), door.c, run.c with run_ask.c (requests), manage.c (contexts themselves). */
#pragma once

#include "base/bounds.h"
#include "contexts/pool/pool.h"
#include "kernel/core/broker.h"
#include "kernel/core/comms.h"
#include "kernel/core/contexts.h"
#include "kernel/core/door.h"
#include "kernel/core/side.h"

/* How far a shutdown has come; each step has its time. */
enum shutdown_step { RUNNING, DRAINING, INTERRUPTING, KILLING, STOPPED };

struct door {
    struct broker *broker;
    const struct door_events *events;
    void *arg;
    unsigned number; /* as a reader of contexts; its place in broker.doors */
    bool is_held;    /* its clients are behind */
};

struct broker {
    struct loop *loop;
    const struct broker_options *options;
    struct pool_language *languages; /* what the pool borrows; one per worker */
    struct contexts_options contexts;
    struct pool *pool;
    struct context *context; /* the default one, lent by the pool */
    struct comms *comms;
    struct side *side;
    bool keeps_history; /* of what runs */
    struct door *doors[DOORS_MAX];
    size_t door_count;
    enum shutdown_step step;
    struct loop_timer *step_timer;
    bool context_died;
    char **forgotten; /* ids of contexts to delete when nothing of them is on the stack */
    size_t forgotten_count;
    struct loop_timer *forget_timer;
};

/* What messages about a context are stamped with: its id, NULL for the default one. */
const char *broker_label(const struct broker *b, const struct context *c);

/* Deletes a context soon. */
void broker_forget(struct broker *b, const struct context *c);

/* The process of a context is gone or will be: closes its comms, because a widget that nobody
 * listens to must not look alive. */
void broker_close_comms(struct broker *b, const struct context *c);

bool broker_is_ending(const struct broker *b);

/* Does the door have requests in the context, or had? */
bool door_hears(const struct door *d, const struct context *c);
