/* SPDX-License-Identifier: MIT */
/* door.h - a way into the broker, as the broker knows it: whom to tell what, and whether it keeps
 * up. Several may be open on one broker; each hears only what concerns it. What a door speaks to
 * its clients is its own affair (kernel/zmq is one). */
#pragma once

#include "base/buf.h"

struct broker;
struct door;

/* What the broker tells a door beside the ends of its runs. Calls on the loop's thread; each but
 * `close` may be NULL. */
struct door_events {
    /* An error is about to empty a queue: hand in every request that has arrived, so that "run
     * all" stops as a whole. */
    void (*drain)(void *arg);
    /* The process behind an open comm is gone. `context_id` is NULL for the default context. */
    void (*comm_closed)(void *arg, const char *context_id, struct slice comm_id);
    /* The default context has died and starts afresh, and no running cell says so. */
    void (*default_died)(void *arg);
    /* The end of a shutdown: all runs have ended, further ones are refused. Answer what has
     * arrived, and send what still waits. */
    void (*stopped)(void *arg);
    /* The last call: frees `arg`. */
    void (*close)(void *arg);
};

/* Opens a door, which the broker closes with itself. Takes `arg`; borrows `events`. ERR_LIMIT:
 * DOORS_MAX are open (then `arg` stays the caller's). */
MUST_CHECK int door_open(struct broker *b, const struct door_events *events, void *arg,
                         struct door **out, struct err *e);

/* Its clients do not take what is sent: contexts that speak to it are paused with their next
 * output, others are not. May be called inside run_listener.output. */
void door_hold(struct door *d);

/* They do again. */
void door_release(struct door *d);
