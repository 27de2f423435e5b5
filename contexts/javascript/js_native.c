/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_native.h"

#include "base/clock.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_source.h"
#include "contexts/javascript/js_value.h"

int js_native_add(struct js_realm *r, const JSCFunctionListEntry *list, size_t count)
{
    return JS_SetPropertyFunctionList(r->ctx, r->native, list, (int)count);
}

/* write(stream, text): stream 1 or 2. The text is copied once, from the engine to the worker,
 * unless it may have lone surrogates (their first byte is 0xed). */
static JSValue native_write(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t len = 0;
    int32_t stream = 1;
    (void)this_val;
    (void)argc; /* the prelude always gives both */
    if (JS_ToInt32(ctx, &stream, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    const char *text = JS_ToCStringLen(ctx, &len, argv[1]);
    if (text == NULL) {
        return JS_EXCEPTION;
    }
    _cleanup_(drop_buf) struct buf clean = BUF_INIT(SIZE_MAX);
    struct slice slice = {.data = text, .len = len};
    if (memchr(text, 0xed, len) != NULL && js_value_text(ctx, argv[1], &clean) == 0) {
        slice = buf_slice(&clean);
    }
    struct js *js = js_of(ctx);
    worker_write(js->worker, js->origin.exec, stream == 2 ? STREAM_STDERR : STREAM_STDOUT, slice);
    JS_FreeCString(ctx, text);
    return JS_UNDEFINED;
}

/* addTimer(timer, milliseconds) -> id */
static JSValue native_add_timer(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    double ms = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToFloat64(ctx, &ms, argv[1]) < 0) {
        return JS_EXCEPTION;
    }
    return JS_NewInt64(ctx,
                       js_timers_add(js_of(ctx), JS_DupValue(ctx, argv[0]), (int64_t)(ms * 1000)));
}

static JSValue native_remove_timer(JSContext *ctx, JSValueConst this_val, int argc,
                                   JSValueConst *argv)
{
    int64_t id = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToInt64(ctx, &id, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    return JS_NewBool(ctx, js_timers_remove(js_of(ctx), id));
}

/* keepAlive(id, yes) */
static JSValue native_keep_alive(JSContext *ctx, JSValueConst this_val, int argc,
                                 JSValueConst *argv)
{
    int64_t id = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToInt64(ctx, &id, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    return JS_NewBool(ctx, js_timers_keep_alive(js_of(ctx), id, JS_ToBool(ctx, argv[1]) > 0));
}

/* now() -> milliseconds since the context began */
static JSValue native_now(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    (void)argv;
    return JS_NewFloat64(ctx, (double)(clock_us() - js_of(ctx)->born_us) / 1000.0);
}

/* promiseDetails(promise, pending, rejected) -> [pending] | [rejected, reason] | [state, value] */
static JSValue native_promise_details(JSContext *ctx, JSValueConst this_val, int argc,
                                      JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    JSPromiseStateEnum state = JS_PromiseState(ctx, argv[0]);
    JSValue parts[2] = {JS_UNDEFINED, JS_UNDEFINED};
    if (state == JS_PROMISE_PENDING || state == JS_PROMISE_REJECTED) {
        parts[0] = JS_DupValue(ctx, argv[state == JS_PROMISE_PENDING ? 1 : 2]);
    }
    if (state == JS_PROMISE_FULFILLED || state == JS_PROMISE_REJECTED) {
        parts[1] = JS_PromiseResult(ctx, argv[0]);
    }
    return JS_NewArrayFrom(ctx, 2, parts);
}

/* A revoked proxy has neither target nor handler, and QuickJS throws. */
static JSValue or_null(JSContext *ctx, JSValue value)
{
    if (!JS_IsException(value)) {
        return value;
    }
    js_value_clear(ctx);
    return JS_NULL;
}

/* proxyDetails(value, both = true) -> undefined when it is no proxy */
static JSValue native_proxy_details(JSContext *ctx, JSValueConst this_val, int argc,
                                    JSValueConst *argv)
{
    (void)this_val;
    if (argc < 1 || !JS_IsProxy(argv[0])) {
        return JS_UNDEFINED;
    }
    bool both = argc < 2 || JS_IsUndefined(argv[1]) || JS_ToBool(ctx, argv[1]) > 0;
    JSValue target = or_null(ctx, JS_GetProxyTarget(ctx, argv[0]));
    if (!both) {
        return target;
    }
    JSValue parts[2] = {target, or_null(ctx, JS_GetProxyHandler(ctx, argv[0]))};
    return JS_NewArrayFrom(ctx, 2, parts);
}

static bool is_class(JSContext *ctx, JSAtom name, JSValueConst expected)
{
    _cleanup_(drop_js_ref) struct js_ref text = JS_REF(ctx, JS_AtomToString(ctx, name));
    return JS_IsStrictEqual(ctx, text.v, expected);
}

/* isKind(value, classes): by what the engine made it, whatever its prototype says. */
static JSValue native_is_kind(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int64_t count = 0;
    bool found = false;
    (void)this_val;
    (void)argc;
    if (!JS_IsObject(argv[0]) || JS_GetLength(ctx, argv[1], &count) < 0) {
        return JS_FALSE;
    }
    JSAtom name = JS_GetClassName(JS_GetRuntime(ctx), JS_GetClassID(argv[0]));
    for (int64_t i = 0; i < count && !found; i++) {
        _cleanup_(drop_js_ref) struct js_ref expected =
            JS_REF(ctx, JS_GetPropertyInt64(ctx, argv[1], i));
        found = is_class(ctx, name, expected.v);
    }
    JS_FreeAtom(ctx, name);
    return JS_NewBool(ctx, found);
}

static bool is_index(JSContext *ctx, JSAtom atom)
{
    size_t len = 0;
    const char *text = JS_AtomToCStringLen(ctx, &len, atom);
    bool digits = text != NULL && len > 0 && len <= 10 && (text[0] != '0' || len == 1);
    for (size_t i = 0; digits && i < len; i++) {
        digits = text[i] >= '0' && text[i] <= '9';
    }
    digits = digits && strtoull(text, NULL, 10) < UINT32_MAX;
    JS_FreeCString(ctx, text);
    return digits;
}

/* ownNonIndexProperties(object, filter): 2 means enumerable ones only. Indices of an array come
 * first, and there may be millions of them; only the rest is turned into values. */
static JSValue native_own_non_index(JSContext *ctx, JSValueConst this_val, int argc,
                                    JSValueConst *argv)
{
    int32_t filter = 0;
    JSPropertyEnum *names = NULL;
    uint32_t count = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &filter, argv[1]) < 0) {
        return JS_EXCEPTION;
    }
    int flags = JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK | (filter == 2 ? JS_GPN_ENUM_ONLY : 0);
    if (JS_GetOwnPropertyNames(ctx, &names, &count, argv[0], flags) < 0) {
        return JS_EXCEPTION;
    }
    uint32_t first = 0;
    while (first < count && is_index(ctx, names[first].atom)) {
        first++;
    }
    JSValue found = JS_NewArray(ctx);
    for (uint32_t i = first; i < count; i++) {
        (void)JS_DefinePropertyValueUint32(ctx, found, i - first,
                                           JS_AtomToValue(ctx, names[i].atom),
                                           JS_PROP_C_W_E); /* a new array refuses nothing */
    }
    JS_FreePropertyEnum(ctx, names, count);
    return found;
}

/* locate(cell, line, column) -> [line, column] in the user's text */
static JSValue native_locate(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t line = 0;
    int32_t column = 0;
    (void)this_val;
    (void)argc;
    const char *cell = JS_ToCString(ctx, argv[0]);
    if (cell == NULL || JS_ToInt32(ctx, &line, argv[1]) < 0 ||
        JS_ToInt32(ctx, &column, argv[2]) < 0) {
        JS_FreeCString(ctx, cell);
        return JS_EXCEPTION;
    }
    js_source_locate(js_of(ctx), cell, &line, &column);
    JS_FreeCString(ctx, cell);
    JSValue parts[2] = {JS_NewInt32(ctx, line), JS_NewInt32(ctx, column)};
    return JS_NewArrayFrom(ctx, 2, parts);
}

static JSValue native_has_uncaught(JSContext *ctx, JSValueConst this_val, int argc,
                                   JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    (void)argv;
    return JS_NewBool(ctx, js_of(ctx)->has_uncaught);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("write", 2, native_write),
    JS_CFUNC_DEF("addTimer", 2, native_add_timer),
    JS_CFUNC_DEF("removeTimer", 1, native_remove_timer),
    JS_CFUNC_DEF("keepAlive", 2, native_keep_alive),
    JS_CFUNC_DEF("now", 0, native_now),
    JS_CFUNC_DEF("hasUncaught", 0, native_has_uncaught),
    JS_CFUNC_DEF("promiseDetails", 3, native_promise_details),
    JS_CFUNC_DEF("proxyDetails", 2, native_proxy_details),
    JS_CFUNC_DEF("ownNonIndexProperties", 2, native_own_non_index),
    JS_CFUNC_DEF("isKind", 2, native_is_kind),
    JS_CFUNC_DEF("locate", 3, native_locate),
};

int js_native_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
