/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_typescript.h"

#include "base/bounds.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

/* A text of the user realm as one of the tools. */
static JSValue carry(JSContext *from, JSValueConst text, JSContext *to, size_t limit_bytes)
{
    _cleanup_(drop_buf) struct buf bytes = BUF_INIT(limit_bytes);
    if (js_value_text(from, text, &bytes) < 0) {
        return JS_UNDEFINED;
    }
    return JS_NewStringLen(to, buf_text(&bytes), bytes.len);
}

/* The tools failed: by an interrupt, which user code must not catch here either, or by a fault. */
static JSValue fail(JSContext *ctx, struct js *js)
{
    struct err e = ERR_NONE;
    (void)js_realm_fail(&js->tools, &e); /* always fails: that is its job */
    if (!js_interrupted()) {
        return JS_ThrowInternalError(ctx, "%s", e.text);
    }
    JS_ThrowInternalError(ctx, "interrupted");
    JSValue error = JS_GetException(ctx);
    JS_SetUncatchableError(ctx, error);
    return JS_Throw(ctx, error);
}

/* The same fields, where they are texts, on an object of the user realm. */
static JSValue copy_answer(JSContext *ctx, struct js *js, JSValueConst answer)
{
    static const char *const fields[] = {"code", "format", "message", "text"};
    JSValue copy = JS_NewObjectProto(ctx, JS_NULL);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        JSContext *tools = js->tools.ctx;
        _cleanup_(drop_js_ref) struct js_ref field =
            JS_REF(tools, JS_GetPropertyStr(tools, answer, fields[i]));
        JSValue text = carry(tools, field.v, ctx, JS_FILE_MAX);
        if (JS_IsException(text) || JS_SetPropertyStr(ctx, copy, fields[i], text) < 0) {
            JS_FreeValue(ctx, copy);
            return JS_EXCEPTION;
        }
    }
    return copy;
}

/* typescript(text, file, wanted) -> {code, format} | {message, text} | undefined: no TypeScript */
static JSValue native_typescript(JSContext *ctx, JSValueConst this_val, int argc,
                                 JSValueConst *argv)
{
    struct js *js = js_of(ctx);
    JSContext *tools = js->tools.ctx;
    (void)this_val;
    (void)argc; /* the prelude always gives all three */
    _cleanup_(drop_js_ref) struct js_ref text =
        JS_REF(tools, carry(ctx, argv[0], tools, JS_TYPESCRIPT_MAX));
    _cleanup_(drop_js_ref) struct js_ref file =
        JS_REF(tools, carry(ctx, argv[1], tools, JS_TYPESCRIPT_MAX));
    _cleanup_(drop_js_ref) struct js_ref wanted = JS_REF(tools, carry(ctx, argv[2], tools, KIB));
    if (!JS_IsString(text.v) || !JS_IsString(file.v)) {
        return JS_ThrowRangeError(ctx,
                                  "a TypeScript file can have %lu bytes: compile a larger one to "
                                  "JavaScript first",
                                  JS_TYPESCRIPT_MAX);
    }
    JSValueConst questions[] = {text.v, file.v, wanted.v};
    _cleanup_(drop_js_ref) struct js_ref answer =
        JS_REF(tools, js_realm_call(&js->tools, "cell", "prepareFile", (int)ARRAY_LEN(questions),
                                    questions));
    if (JS_IsException(answer.v)) {
        return fail(ctx, js);
    }
    return JS_IsUndefined(answer.v) ? JS_UNDEFINED : copy_answer(ctx, js, answer.v);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("typescript", 3, native_typescript),
};

int js_typescript_install(struct js_realm *r)
{
    bool is_typescript = js_of(r->ctx)->language == JS_LANGUAGE_TYPESCRIPT;
    if (JS_SetPropertyStr(r->ctx, r->native, "isTypeScript", JS_NewBool(r->ctx, is_typescript)) <
        0) {
        return -1;
    }
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
