/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_input.h"

#include <errno.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

/* What clients send for "no more input", as a terminal does. */
#define END_OF_INPUT "\x04"

static JSValue throw_interrupted(JSContext *ctx)
{
    JSValue error = JS_NewInternalError(ctx, "interrupted");
    JS_SetUncatchableError(ctx, error);
    return JS_Throw(ctx, error);
}

static JSValue throw_refused(JSContext *ctx, JSValueConst who, const struct err *e)
{
    if (e->code == ERR_STATE) {
        const char *name = JS_ToCString(ctx, who);
        JSValue thrown =
            JS_ThrowPlainError(ctx,
                               "%s needs a client that answers: this one does not take requests "
                               "for input (allow_stdin is false), or no cell is running",
                               name != NULL ? name : "prompt()");
        JS_FreeCString(ctx, name);
        return thrown;
    }
    return JS_ThrowPlainError(ctx, "no input: %s", e->text);
}

static JSValue ask(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct js *js = js_of(ctx);
    _cleanup_(drop_buf) struct buf prompt = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf answer = BUF_INIT(MSG_JSON_MAX);
    struct err e = ERR_NONE;
    enum input_again again = INPUT_ASK;
    (void)this_val;
    (void)argc; /* the prelude gives it */
    if (js_value_text(ctx, argv[0], &prompt) < 0) {
        return JS_ThrowRangeError(ctx, "the text of prompt() is too long");
    }
    while (worker_input(js->worker, buf_slice(&prompt), false, again, &answer, &e) < 0) {
        if (e.sys != EINTR) {
            return throw_refused(ctx, argv[1], &e);
        }
        if (js_interrupted()) {
            return throw_interrupted(ctx);
        }
        again = INPUT_AGAIN;
        e = ERR_NONE;
    }
    if (slice_is(buf_slice(&answer), END_OF_INPUT)) {
        return JS_NULL;
    }
    return JS_NewStringLen(ctx, buf_text(&answer), answer.len);
}

void js_input_clear(struct js *js)
{
    JS_FreeValue(js->user.ctx, js->reading);
    js->reading = JS_UNDEFINED;
}

static JSValue reading(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct js *js = js_of(ctx);
    (void)this_val;
    (void)argc; /* the prelude gives it */
    js_input_clear(js);
    js->reading = JS_DupValue(ctx, argv[0]);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("ask", 2, ask),
    JS_CFUNC_DEF("reading", 1, reading),
};

int js_input_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
