/* SPDX-License-Identifier: MIT */
/* js_watch.h - descriptors that the loop waits for beside timers: pipes of child processes, their
 * ends, sockets of fetch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

#include "contexts/javascript/js_origin.h"
#include "contexts/javascript/js_realm.h"

struct js;

/* A callback in C; `ready` is what poll() said, 0 when only time has passed. */
typedef void js_watch_fn(struct js *js, void *opaque, int fd, short ready);

struct js_watch {
    int64_t id;
    struct js_origin origin;
    int fd;
    short events;
    short ready;      /* found by the last wait, not handed out yet */
    JSValue callback; /* of the prelude; undefined: `call` */
    js_watch_fn *call;
    void *opaque;
};

struct js_watches {
    struct js_watch *items;
    size_t count;
    size_t cap;
    int64_t last_id;
    int64_t due_us; /* when `on_due` wants to run; 0: never */
    js_watch_fn *on_due;
    void *due_opaque;
};

/* Watches `fd` for a part written in C; `events` 0 ends it. */
void js_watch_set(struct js *js, int fd, short events, js_watch_fn *call, void *opaque);

/* True when one of them can still settle what a cell waits for. */
bool js_watch_pending(const struct js_watches *w);

/* Waits until one is ready, `fd` (-1: none) is readable, a signal comes or the time is over (-1:
 * without end). True when `fd` is readable. */
bool js_watch_wait(struct js *js, int fd, int64_t timeout_us);

/* Calls back for the next one that is ready, and works for its origin from then on. False when
 * there is none; an exception of the callback is pending when `*failed`. */
bool js_watch_run_one(struct js *js, bool *failed);

void js_watch_clear(struct js *js);

/* `native.watch(fd, forWriting, callback)` gives an id, `native.unwatch(id)`; and `native.poll`. */
int js_watch_install(struct js_realm *r);
