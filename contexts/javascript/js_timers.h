/* SPDX-License-Identifier: MIT */
/* js_timers.h - what setTimeout and its kin wait for, in the order in which it is due. The prelude
 * (prelude/user/timers.js) makes the objects that users see. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <quickjs.h>

#include "contexts/javascript/js_origin.h"

struct js;

struct js_timer {
    int64_t id;
    int64_t due_us;
    struct js_origin origin;
    bool keeps_alive; /* a cell that waits may wait for it */
    JSValue timer;    /* the prelude's object */
};

struct js_timers {
    struct js_timer *items; /* sorted: the next is the last */
    size_t count;
    size_t cap;
    int64_t last_id;
};

/* Takes `timer`. Returns its id. */
int64_t js_timers_add(struct js *js, JSValue timer, int64_t delay_us);

/* False when there is none of that id. */
bool js_timers_remove(struct js *js, int64_t id);
bool js_timers_keep_alive(struct js *js, int64_t id, bool keeps_alive);

/* Removes all of one cell. */
void js_timers_remove_cell(struct js *js, uint64_t cell);
void js_timers_clear(struct js *js);

/* Microseconds until the next is due, 0 when it is; -1 when there is none. */
int64_t js_timers_next_us(const struct js_timers *t);

/* True when one of them can still settle what a cell waits for. */
bool js_timers_pending(const struct js_timers *t);

/* Gives the object of the next timer that was due at `now_us`, and works for its origin from now
 * on; undefined: none. Later ones than `last_id` wait for the next turn, so that a timer which
 * starts itself again lets others through. */
JSValue js_timers_take_due(struct js *js, int64_t now_us, int64_t last_id);
