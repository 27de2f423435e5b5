/* SPDX-License-Identifier: MIT */
/* js_loop.h - jobs of promises and timers: while a cell waits for its promise, and between cells.
 */
#pragma once

#include <stdint.h>

#include <quickjs.h>

struct js;

enum js_loop_end {
    JS_LOOP_EMPTY,       /* nothing is left that could run now */
    JS_LOOP_SETTLED,     /* the promise that was waited for */
    JS_LOOP_LATE,        /* the time is over */
    JS_LOOP_INTERRUPTED, /* what ran was cut short */
    JS_LOOP_HOPELESS     /* nothing will ever settle the promise */
};

/* Runs pending jobs until `promise` (undefined: none) has settled, for at most `budget_us` (-1:
 * without end). */
enum js_loop_end js_loop_jobs(struct js *js, JSValueConst promise, int64_t budget_us);

/* Runs jobs and timers until `promise` has settled. */
enum js_loop_end js_loop_settle(struct js *js, JSValueConst promise);

/* Ends every job there is and the timers of this cell, after an interrupt: a chain of awaits would
 * otherwise live for ever. */
void js_loop_kill_jobs(struct js *js);

/* Lets jobs and timers go on until `fd` is readable. */
void js_loop_idle(struct js *js, int fd);
