/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_expressions.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_display.h"
#include "contexts/javascript/js_error.h"
#include "contexts/javascript/js_value.h"
#include "contexts/worker/reply.h"
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
    buf_add_text(out, "{\"status\": \"error\", \"ename\": ");
    jwrite_string(out, buf_slice(&error.ename));
    buf_add_text(out, ", \"evalue\": ");
    jwrite_string(out, buf_slice(&error.evalue));
    buf_add_text(out, ", \"traceback\": ");
    buf_add_slice(out, buf_slice(&error.traceback));
    buf_add_byte(out, '}');
}

static void add_answer(struct js *js, struct slice question, struct buf *out)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    bundle_init(&bundle, ANSWER_BUDGET);
    _cleanup_(drop_js_ref) struct js_ref value = JS_REF(js->user.ctx, evaluate(js, question));
    if (JS_IsException(value.v) || js_display_fill(js, value.v, &bundle) < 0) {
        add_error(js, out);
        return;
    }
    buf_add_text(out, "{\"status\": \"ok\", ");
    bundle_write(&bundle, out);
    buf_add_byte(out, '}');
}

void js_expressions(struct js *js, struct slice questions, struct buf *out)
{
    struct jscan_iter it;
    struct slice key;
    struct slice question;
    if (questions.len == 0) {
        return;
    }
    buf_add_byte(out, '{');
    jscan_iter_init(&it, questions);
    for (bool first = true; jscan_next(&it, &key, &question); first = false) {
        _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_JSON_MAX);
        size_t start = out->len;
        (void)!jscan_string(key, &name); /* a key is a string, or jscan would not have given it */
        buf_add_text(out, first ? "" : ", ");
        jwrite_string(out, buf_slice(&name));
        buf_add_text(out, ": ");
        add_answer(js, question, out);
        if (out->full) {
            buf_truncate(out, start); /* the rest does not fit; what is there stays well-formed */
            out->full = false;
            break;
        }
    }
    buf_add_byte(out, '}');
}
