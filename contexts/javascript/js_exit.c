/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_exit.h"

#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

static void set(JSContext *ctx, JSValue *slot, JSValue value)
{
    JSValue before = *slot;
    *slot = value;
    JS_FreeValue(ctx, before);
}

static JSValue exiting(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct js *js = js_of(ctx);
    int32_t code = 0;
    (void)this_val;
    (void)argc; /* the prelude gives both */
    if (JS_ToInt32(ctx, &code, argv[1]) < 0) {
        return JS_EXCEPTION;
    }
    js->exit.code = code & 0xff;
    set(ctx, &js->exit.error, JS_DupValue(ctx, argv[0]));
    if (JS_IsUndefined(js->exit.resolve)) {
        return JS_UNDEFINED;
    }
    return JS_Call(ctx, js->exit.resolve, JS_UNDEFINED, 0, NULL);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("exiting", 2, exiting),
};

int js_exit_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}

void js_exit_clear(struct js *js)
{
    set(js->user.ctx, &js->exit.error, JS_UNDEFINED);
    set(js->user.ctx, &js->exit.resolve, JS_UNDEFINED);
}

int js_exit_code_of(struct js *js, JSValueConst error)
{
    bool is_exit =
        !JS_IsUndefined(js->exit.error) && JS_IsStrictEqual(js->user.ctx, js->exit.error, error);
    return is_exit ? js->exit.code : -1;
}

JSValue js_exit_await(struct js *js)
{
    JSContext *ctx = js->user.ctx;
    JSValue functions_of[2]; /* resolve, reject */
    JSValue promise = JS_NewPromiseCapability(ctx, functions_of);
    if (!JS_IsException(promise)) {
        set(ctx, &js->exit.resolve, functions_of[0]);
        JS_FreeValue(ctx, functions_of[1]);
    }
    return promise;
}
