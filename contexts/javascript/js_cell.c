/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_cell.h"

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_display.h"
#include "contexts/javascript/js_error.h"
#include "contexts/javascript/js_expressions.h"
#include "contexts/javascript/js_input.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/javascript/js_introspect.h"
#include "contexts/javascript/js_loop.h"
#include "contexts/javascript/js_source.h"
#include "contexts/javascript/js_value.h"
#include "mime/bundle.h"

/* How long jobs that the cell left behind run before its reply is sent; the rest of them runs
 * between cells. Most cells leave none, or few. */
enum { LEFTOVER_US = 100000 };

enum { CELL_NAME_MAX = 32 };

struct cell {
    struct js *js;
    const struct exec_request *request;
    struct exec_outcome *out;
    char name[CELL_NAME_MAX]; /* as stacks name it */
};

static void fail_interrupted(struct cell *cell)
{
    js_loop_kill_jobs(cell->js);
    js_error_set(cell->out, "KeyboardInterrupt", "the cell was interrupted");
    js_rejections_clear(cell->js);
}

/* A program that ends itself has not failed; any other cell ends with the error of process.exit().
 * Getters of an error may need to be interrupted too. */
static void tell(struct cell *cell, JSValueConst error)
{
    cell->out->exit_code = js_exit_code_of(cell->js, error);
    if (cell->request->runs_to_end && cell->out->exit_code >= 0) {
        return;
    }
    js_error_describe(cell->js, error, cell->out);
    if (js_interrupted()) {
        fail_interrupted(cell);
    }
}

/* The exception that is pending became the cell's error. */
static void fail_by_exception(struct cell *cell)
{
    JSContext *ctx = cell->js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref error = JS_REF(ctx, JS_GetException(ctx));
    if (JS_IsUncatchableError(error.v)) {
        fail_interrupted(cell);
        return;
    }
    tell(cell, error.v);
}

/* The compiler's error, or an interrupt. */
static void fail_to_start(struct cell *cell)
{
    if (!js_interrupted() &&
        js_source_explain(cell->js, cell->name, cell->request->code, cell->out)) {
        js_value_clear(cell->js->user.ctx);
        return;
    }
    fail_by_exception(cell);
}

static void show(struct cell *cell, JSValueConst value)
{
    if (cell->request->silent || JS_IsUndefined(value)) {
        return;
    }
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, FRAME_CONTENT_MAX / 2);
    if (js_display_fill(cell->js, value, &bundle) < 0) {
        fail_by_exception(cell);
        return;
    }
    worker_result(cell->js->worker, &bundle);
    cell->out->is_settled = true;
}

/* What the promise of the cell became: {value} or a reason. */
static void finish(struct cell *cell, JSValueConst promise)
{
    JSContext *ctx = cell->js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref result = JS_REF(ctx, JS_PromiseResult(ctx, promise));
    if (JS_PromiseState(ctx, promise) == JS_PROMISE_REJECTED) {
        js_rejections_forget(cell->js, promise);
        tell(cell, result.v);
        return;
    }
    _cleanup_(drop_js_ref) struct js_ref value =
        JS_REF(ctx, JS_GetPropertyStr(ctx, result.v, "value"));
    show(cell, value.v);
}

/* Reads on as long as there are questions: they can be asked only while the cell runs, and many
 * programs await nothing of them. */
static enum js_loop_end read_on(struct js *js, enum js_loop_end end)
{
    while (end != JS_LOOP_INTERRUPTED && !JS_IsUndefined(js->reading)) {
        _cleanup_(drop_js_ref) struct js_ref question = JS_REF(js->user.ctx, js->reading);
        js->reading = JS_UNDEFINED;
        end = js_loop_settle(js, question.v);
        if (end == JS_LOOP_SETTLED) {
            end = js_loop_jobs(js, JS_UNDEFINED, LEFTOVER_US);
        }
    }
    return end;
}

static void run_leftovers(struct cell *cell)
{
    struct js *js = cell->js;
    if (!JS_IsJobPending(js->user.rt) && JS_IsUndefined(js->reading)) {
        js_rejections_report(js);
        return;
    }
    cell->out->is_settled = false;
    enum js_loop_end end = read_on(js, js_loop_jobs(js, JS_UNDEFINED, LEFTOVER_US));
    if (end == JS_LOOP_INTERRUPTED) {
        fail_interrupted(cell);
    }
    if (end == JS_LOOP_EMPTY) {
        js_rejections_report(js);
    }
}

/* A cell that awaits nothing needs no promise of its own. */
static void run_straight(struct cell *cell, JSValue code)
{
    JSContext *ctx = cell->js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref value = JS_REF(ctx, JS_EvalFunction(ctx, code));
    if (JS_IsException(value.v)) {
        fail_by_exception(cell);
    } else {
        show(cell, value.v);
    }
    run_leftovers(cell);
}

static void run_awaiting(struct cell *cell, JSValue code)
{
    JSContext *ctx = cell->js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref promise = JS_REF(ctx, JS_EvalFunction(ctx, code));
    if (JS_IsException(promise.v)) {
        fail_by_exception(cell);
        return;
    }
    switch (js_loop_settle(cell->js, promise.v)) {
    case JS_LOOP_SETTLED:
        finish(cell, promise.v);
        run_leftovers(cell);
        break;
    case JS_LOOP_INTERRUPTED:
        fail_interrupted(cell);
        break;
    case JS_LOOP_EMPTY:
    case JS_LOOP_LATE:
    case JS_LOOP_HOPELESS:
        js_error_set(cell->out, "UnsettledAwaitError",
                     "the cell awaits a promise that nothing can settle any more: no job, timer "
                     "or request is left");
        break;
    }
}

static void run(struct cell *cell, const struct buf *code)
{
    static const char word[] = "await"; /* in a string or a name it only costs a promise */
    JSContext *ctx = cell->js->user.ctx;
    bool awaits = memmem(code->data, code->len, word, sizeof word - 1) != NULL;
    JSEvalOptions options = {.version = JS_EVAL_OPTIONS_VERSION,
                             .eval_flags = JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY |
                                           (awaits ? JS_EVAL_FLAG_ASYNC : 0),
                             .filename = cell->name,
                             .line_num = 1};
    JSValue compiled = JS_Eval2(ctx, buf_text(code), code->len, &options);
    if (JS_IsException(compiled)) {
        fail_to_start(cell);
    } else if (awaits) {
        run_awaiting(cell, compiled);
    } else {
        run_straight(cell, compiled);
    }
}

/* Nothing is left to happen: the handlers of 'exit' have the last word. */
static void end_program(struct cell *cell)
{
    JSContext *ctx = cell->js->user.ctx;
    int32_t code = -1;
    _cleanup_(drop_js_ref) struct js_ref ended =
        JS_REF(ctx, JS_Call(ctx, cell->js->hooks[JS_HOOK_END], JS_UNDEFINED, 0, NULL));
    if (JS_IsException(ended.v) || JS_ToInt32(ctx, &code, ended.v) < 0) {
        fail_by_exception(cell);
        return;
    }
    cell->out->exit_code = code;
}

/* What the cell left behind, as Node runs a program: until nothing is left to happen, or a callback
 * calls process.exit(). */
static void run_to_end(struct cell *cell)
{
    struct js *js = cell->js;
    worker_flush(js->worker); /* this may take its time; the result need not wait */
    cell->out->is_settled = false;
    _cleanup_(drop_js_ref) struct js_ref exit = JS_REF(js->user.ctx, js_exit_await(js));
    if (JS_IsException(exit.v)) {
        fail_by_exception(cell);
        return;
    }
    switch (js_loop_settle(js, exit.v)) {
    case JS_LOOP_SETTLED:
        cell->out->exit_code = js->exit.code;
        break;
    case JS_LOOP_INTERRUPTED:
        fail_interrupted(cell);
        break;
    case JS_LOOP_EMPTY:
    case JS_LOOP_LATE:
    case JS_LOOP_HOPELESS:
        end_program(cell);
        break;
    }
}

/* A cell that is not recorded has the number of the one before it, whose functions may still be
 * called: it must not have its name. */
static void name_cell(struct cell *cell)
{
    if (cell->request->silent || !cell->request->store_history) {
        (void)snprintf(cell->name, sizeof cell->name, "In[_%llu]",
                       (unsigned long long)cell->js->cells);
    } else {
        (void)snprintf(cell->name, sizeof cell->name, "In[%lld]",
                       (long long)cell->request->execution_count);
    }
}

void js_cell_execute(struct js *js, const struct exec_request *request, struct exec_outcome *out)
{
    struct cell cell = {.js = js, .request = request, .out = out};
    _cleanup_(drop_buf) struct buf code = BUF_INIT(2 * MSG_JSON_MAX);
    js->origin = (struct js_origin){.cell = ++js->cells, .exec = worker_heard(js->worker)};
    name_cell(&cell);
    js_input_clear(js);
    js_exit_clear(js);
    js->user.memory.was_full = false;
    js_interrupt_clear();
    js_introspect_remember(js, request->code);
    if (js_introspect_help(js, request->code, out)) {
        js_interrupt_clear();
    } else if (js_source_prepare(js, cell.name, request->code, &code, out)) {
        run(&cell, &code);
    } else if (js_interrupted()) {
        fail_interrupted(&cell);
    }
    if (request->runs_to_end && !out->failed && out->exit_code < 0) {
        run_to_end(&cell);
    }
    if (!out->failed && request->user_expressions.len > 0) {
        out->is_settled = false;
        js_expressions(js, request->user_expressions, &out->user_expressions);
    }
    worker_disarm_interrupt(js->worker);
    js_interrupt_clear();
}
