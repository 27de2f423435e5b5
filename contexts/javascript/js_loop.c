/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_loop.h"

#include "base/clock.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_error.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/javascript/js_value.h"

/* How long jobs run before somebody looks whether a request has come, and how long an interrupt
 * tries to end them. */
enum { SLICE_US = 10000, KILL_US = 3000000 };

/* Looking at the clock costs more than a small job. */
enum { JOBS_PER_LOOK = 64 };

static bool is_settled(struct js *js, JSValueConst promise)
{
    return JS_PromiseState(js->user.ctx, promise) > JS_PROMISE_PENDING;
}

/* False when what ran was interrupted. */
static bool report_exception(struct js *js)
{
    _cleanup_(drop_js_ref) struct js_ref error =
        JS_REF(js->user.ctx, JS_GetException(js->user.ctx));
    if (JS_IsUncatchableError(error.v)) {
        return false;
    }
    js_error_uncaught(js, error.v, "Uncaught ");
    return true;
}

enum js_loop_end js_loop_jobs(struct js *js, JSValueConst promise, int64_t budget_us)
{
    int64_t deadline = budget_us < 0 ? INT64_MAX : clock_us() + budget_us;
    for (unsigned jobs = 1;; jobs++) {
        JSContext *ctx = NULL;
        if (is_settled(js, promise)) {
            return JS_LOOP_SETTLED;
        }
        int ran = JS_ExecutePendingJob(js->user.rt, &ctx);
        if (ran == 0) {
            return JS_LOOP_EMPTY;
        }
        if ((ran < 0 && !report_exception(js)) || js_interrupted()) {
            return JS_LOOP_INTERRUPTED;
        }
        if (jobs % JOBS_PER_LOOK == 0 && clock_us() >= deadline) {
            return JS_LOOP_LATE;
        }
    }
}

/* Runs the timers that are due, with the jobs that follow from each. */
static enum js_loop_end run_timers(struct js *js, JSValueConst promise)
{
    int64_t now = clock_us();
    int64_t last_id = js->timers.last_id;
    for (;;) {
        _cleanup_(drop_js_ref) struct js_ref timer =
            JS_REF(js->user.ctx, js_timers_take_due(js, now, last_id));
        if (JS_IsUndefined(timer.v)) {
            return JS_LOOP_EMPTY;
        }
        JSValueConst argv[] = {timer.v};
        _cleanup_(drop_js_ref) struct js_ref done = JS_REF(
            js->user.ctx, JS_Call(js->user.ctx, js->hooks[JS_HOOK_FIRE], JS_UNDEFINED, 1, argv));
        if (JS_IsException(done.v) && !report_exception(js)) {
            return JS_LOOP_INTERRUPTED;
        }
        enum js_loop_end end = js_loop_jobs(js, promise, SLICE_US);
        if (end != JS_LOOP_EMPTY && end != JS_LOOP_LATE) {
            return end;
        }
    }
}

/* Calls back for the descriptors that are ready, with the jobs that follow from each. */
static enum js_loop_end run_watches(struct js *js, JSValueConst promise)
{
    bool failed = false;
    while (js_watch_run_one(js, &failed)) {
        if (failed && !report_exception(js)) {
            return JS_LOOP_INTERRUPTED;
        }
        enum js_loop_end end = js_loop_jobs(js, promise, SLICE_US);
        if (end != JS_LOOP_EMPTY && end != JS_LOOP_LATE) {
            return end;
        }
    }
    return JS_LOOP_EMPTY;
}

static enum js_loop_end run_events(struct js *js, JSValueConst promise)
{
    enum js_loop_end end = run_watches(js, promise);
    return end == JS_LOOP_EMPTY ? run_timers(js, promise) : end;
}

enum js_loop_end js_loop_settle(struct js *js, JSValueConst promise)
{
    for (;;) {
        enum js_loop_end end = js_loop_jobs(js, promise, SLICE_US);
        if (end == JS_LOOP_SETTLED || end == JS_LOOP_INTERRUPTED) {
            return end;
        }
        if (end == JS_LOOP_EMPTY) {
            js_rejections_report(js);
            if (!js_timers_pending(&js->timers) && !js_watch_pending(&js->watches)) {
                return JS_LOOP_HOPELESS;
            }
            (void)js_watch_wait(js, -1, js_timers_next_us(&js->timers)); /* no descriptor of ours */
        }
        if (js_interrupted()) {
            return JS_LOOP_INTERRUPTED;
        }
        struct js_origin cell = js->origin;
        end = run_events(js, promise);
        js->origin = cell;
        if (end == JS_LOOP_SETTLED || end == JS_LOOP_INTERRUPTED) {
            return end;
        }
    }
}

void js_loop_kill_jobs(struct js *js)
{
    int64_t deadline = clock_us() + KILL_US;
    JSContext *ctx = NULL;
    int ran = 1;
    while (ran != 0 && clock_us() < deadline) {
        ran = JS_ExecutePendingJob(js->user.rt, &ctx);
        if (ran < 0) {
            js_value_clear(js->user.ctx);
        }
    }
    js_timers_remove_cell(js, js->origin.cell);
}

/* One turn of background work, interruptible: a request that waits behind it may be. */
static void run_background(struct js *js)
{
    struct js_origin last = js->origin;
    js_interrupt_clear();
    worker_arm_interrupt(js->worker);
    enum js_loop_end end = js_loop_jobs(js, JS_UNDEFINED, SLICE_US);
    if (end == JS_LOOP_EMPTY) {
        end = run_events(js, JS_UNDEFINED);
    }
    if (end == JS_LOOP_INTERRUPTED) {
        js_loop_kill_jobs(js);
    }
    worker_disarm_interrupt(js->worker);
    js_interrupt_clear();
    if (end != JS_LOOP_LATE) {
        js_rejections_report(js);
    }
    js->origin = last;
}

void js_loop_idle(struct js *js, int fd)
{
    for (;;) {
        bool busy = JS_IsJobPending(js->user.rt);
        if (js_watch_wait(js, fd, busy ? 0 : js_timers_next_us(&js->timers)) ||
            worker_is_copy(js->worker)) {
            return;
        }
        run_background(js);
    }
}
