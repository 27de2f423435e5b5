/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_expressions.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_display.h"
#include "contexts/javascript/js_error.h"
#include "contexts/javascript/js_value.h"
#include "contexts/worker/content.h"
#include "contexts/worker/expressions.h"
#include "mime/bundle.h"

#define ANSWER_BUDGET (2UL * MIB)

/* In parentheses, so that an object literal is one. */
static JSValue evaluate(struct js *js, struct slice question)
{
    _cleanup_(drop_buf) struct buf source = BUF_INIT(MSG_JSON_MAX);
    JSContext *ctx = js->user.ctx;
    buf_add_byte(&source, '(');
    if (jscan_string(question, &source) < 0 || buf_add_text(&source, "\n)") < 0) {
        return JS_ThrowTypeError(ctx, "an expression must be a string");
    }
    return JS_Eval(ctx, buf_text(&source), source.len, "expression", JS_EVAL_TYPE_GLOBAL);
}

static void add_error(struct js *js, struct buf *out)
{
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_outcome) struct exec_outcome error;
    _cleanup_(drop_js_ref) struct js_ref exception = JS_REF(ctx, JS_GetException(ctx));
    outcome_init(&error);
    if (JS_IsUncatchableError(exception.v)) {
        js_error_set(&error, "KeyboardInterrupt", "the expression was interrupted");
    } else {
        js_error_describe(js, exception.v, &error);
    }
    expressions_add_error(out, buf_slice(&error.ename), buf_slice(&error.evalue),
                          buf_slice(&error.traceback));
}

static void add_answer(void *state, struct slice question, struct buf *out)
{
    struct js *js = state;
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, ANSWER_BUDGET);
    _cleanup_(drop_js_ref) struct js_ref value = JS_REF(js->user.ctx, evaluate(js, question));
    if (JS_IsException(value.v) || js_display_fill(js, value.v, &bundle) < 0) {
        add_error(js, out);
        return;
    }
    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    buf_add_text(out, ", "); /* the bundle's members follow */
    bundle_write(&bundle, out);
    jwrite_object_end(out);
}

void js_expressions(struct js *js, struct slice questions, struct buf *out)
{
    expressions_answer(questions, add_answer, js, out);
}
