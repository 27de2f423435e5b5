/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_realm.h"

#include <stdio.h>

#include "base/bounds.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_pack.h"
#include "contexts/javascript/js_value.h"

enum { PACK_NAME_MAX = 96 };

static struct js_realm *realm_of(JSContext *ctx)
{
    struct js *js = js_of(ctx);
    return js->tools.ctx == ctx ? &js->tools : &js->user;
}

int js_realm_open(struct js_realm *r, const char *name, struct js *js, struct err *e)
{
    *r = (struct js_realm){
        .name = name, .modules = JS_UNDEFINED, .native = JS_UNDEFINED, .globals = JS_UNDEFINED};
    r->rt = js_memory_runtime(&r->memory);
    r->ctx = r->rt ? JS_NewContext(r->rt) : NULL;
    if (r->ctx == NULL) {
        return err_set(e, ERR_ENGINE, "no memory for a JavaScript runtime");
    }
    JS_SetContextOpaque(r->ctx, js);
    JS_SetCanBlock(r->rt, false); /* Atomics.wait would never return: there is one thread */
    JS_SetGCThreshold(r->rt, SIZE_MAX);
    r->modules = JS_NewObjectProto(r->ctx, JS_NULL);
    r->native = JS_NewObjectProto(r->ctx, JS_NULL);
    return 0;
}

int js_realm_keep_globals(struct js_realm *r)
{
    static const int flags = JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK;
    _cleanup_(drop_js_ref) struct js_ref global = JS_REF(r->ctx, JS_GetGlobalObject(r->ctx));
    JSPropertyEnum *names = NULL;
    uint32_t count = 0;
    if (JS_GetOwnPropertyNames(r->ctx, &names, &count, global.v, flags) < 0) {
        return -1;
    }
    r->globals = JS_NewObjectProto(r->ctx, JS_NULL);
    for (uint32_t i = 0; i < count; i++) {
        JSValue value = JS_GetProperty(r->ctx, global.v, names[i].atom);
        (void)JS_DefinePropertyValue(r->ctx, r->globals, names[i].atom, value,
                                     JS_PROP_C_W_E); /* a new object refuses nothing */
    }
    JS_FreePropertyEnum(r->ctx, names, count);
    return JS_HasException(r->ctx) ? -1 : 0;
}

/* Cuts the last part off the first `len` characters of a name. */
static size_t parent_of(const char *name, size_t len)
{
    while (len > 0 && name[len - 1] != '/') {
        len--;
    }
    return len > 0 ? len - 1 : 0;
}

/* What the module `base` means by `name`: relative ones occur inside packages of many files, and
 * "process/" is how some of them ask for what is not Node's. */
static void resolve(const char *base, const char *name, char full[PACK_NAME_MAX])
{
    size_t kept = name[0] == '.' ? parent_of(base, strlen(base)) : 0;
    while (name[0] == '.') {
        bool up = name[1] == '.';
        kept = up ? parent_of(base, kept) : kept;
        name += up ? strlen("../") : strlen("./");
    }
    (void)snprintf(full, PACK_NAME_MAX, "%.*s%s%s", (int)kept, base, kept > 0 ? "/" : "", name);
    size_t len = strlen(full);
    if (len > 0 && full[len - 1] == '/') {
        full[len - 1] = '\0';
    }
}

/* `data` is the name of the module that asks. */
static JSValue require(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                       int magic, JSValueConst *data)
{
    char full[PACK_NAME_MAX] = "";
    const char *name = argc > 0 ? JS_ToCString(ctx, argv[0]) : NULL;
    const char *base = JS_ToCString(ctx, data[0]);
    (void)this_val;
    (void)magic;
    bool known = name != NULL && base != NULL;
    if (known) {
        resolve(base, name, full);
    }
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, base);
    return known ? js_realm_require(realm_of(ctx), full) : JS_EXCEPTION;
}

/* The module's function: what evaluating its bytecode gives. */
static JSValue read_module(struct js_realm *r, const char *name)
{
    char path[PACK_NAME_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", r->name, name);
    struct slice code = js_pack_find(path);
    if (code.len == 0) {
        (void)snprintf(path, sizeof path, "npm/%s", name);
        code = js_pack_find(path);
    }
    if (code.len == 0) {
        return JS_ThrowReferenceError(r->ctx, "%s is not part of this build", name);
    }
    JSValue script =
        JS_ReadObject(r->ctx, (const uint8_t *)code.data, code.len, JS_READ_OBJ_BYTECODE);
    return JS_IsException(script) ? script : JS_EvalFunction(r->ctx, script);
}

static JSValue run_module(struct js_realm *r, const char *name, JSValueConst function)
{
    _cleanup_(drop_js_ref) struct js_ref base = JS_REF(r->ctx, JS_NewString(r->ctx, name));
    _cleanup_(drop_js_ref) struct js_ref module = JS_REF(r->ctx, JS_NewObject(r->ctx));
    _cleanup_(drop_js_ref) struct js_ref exports = JS_REF(r->ctx, JS_NewObject(r->ctx));
    _cleanup_(drop_js_ref) struct js_ref loader =
        JS_REF(r->ctx, JS_NewCFunctionData(r->ctx, require, 1, 0, 1, (JSValueConst *)&base.v));
    if (JS_SetPropertyStr(r->ctx, module.v, "exports", JS_DupValue(r->ctx, exports.v)) < 0) {
        return JS_EXCEPTION;
    }
    JSValueConst argv[] = {exports.v, loader.v, module.v, r->native, r->globals};
    _cleanup_(drop_js_ref) struct js_ref done =
        JS_REF(r->ctx, JS_Call(r->ctx, function, JS_UNDEFINED, (int)ARRAY_LEN(argv), argv));
    return JS_IsException(done.v) ? JS_EXCEPTION : JS_GetPropertyStr(r->ctx, module.v, "exports");
}

JSValue js_realm_require(struct js_realm *r, const char *name)
{
    JSValue known = JS_GetPropertyStr(r->ctx, r->modules, name);
    if (!JS_IsUndefined(known)) {
        return known;
    }
    _cleanup_(drop_js_ref) struct js_ref function = JS_REF(r->ctx, read_module(r, name));
    if (JS_IsException(function.v)) {
        return JS_EXCEPTION;
    }
    _cleanup_(drop_js_ref) struct js_ref exports = JS_REF(r->ctx, run_module(r, name, function.v));
    if (JS_IsException(exports.v) ||
        JS_SetPropertyStr(r->ctx, r->modules, name, JS_DupValue(r->ctx, exports.v)) < 0) {
        return JS_EXCEPTION;
    }
    return JS_DupValue(r->ctx, exports.v);
}

JSValue js_realm_call(struct js_realm *r, const char *module, const char *function, int argc,
                      JSValueConst *argv)
{
    _cleanup_(drop_js_ref) struct js_ref exports = JS_REF(r->ctx, js_realm_require(r, module));
    if (JS_IsException(exports.v)) {
        return JS_EXCEPTION;
    }
    _cleanup_(drop_js_ref) struct js_ref callee =
        JS_REF(r->ctx, JS_GetPropertyStr(r->ctx, exports.v, function));
    return JS_Call(r->ctx, callee.v, JS_UNDEFINED, argc, argv);
}

/* Looking for cycles writes to every object and would unshare the pages of the zygote, so that it
 * begins only when the context has made much of its own. */
void js_realm_limit(struct js_realm *r, struct js_realm_limits limits)
{
    JSMemoryUsage usage;
    JS_ComputeMemoryUsage(r->rt, &usage);
    JS_SetMaxStackSize(r->rt, limits.stack_bytes);
    JS_SetGCThreshold(r->rt, (size_t)usage.malloc_size + limits.gc_growth_bytes);
}

int js_realm_fail(struct js_realm *r, struct err *e)
{
    _cleanup_(drop_js_ref) struct js_ref error = JS_REF(r->ctx, JS_GetException(r->ctx));
    _cleanup_(drop_buf) struct buf stack = BUF_INIT(64 * KIB);
    const char *text = JS_ToCString(r->ctx, error.v);
    (void)js_value_member(r->ctx, error.v, "stack", &stack); /* may have none */
    err_set(e, ERR_ENGINE, "%s: %.100s %.100s", r->name, text ? text : "an error without text",
            buf_text(&stack));
    JS_FreeCString(r->ctx, text);
    return -1;
}

void js_realm_close(struct js_realm *r)
{
    if (r->ctx != NULL) {
        JS_FreeValue(r->ctx, r->modules);
        JS_FreeValue(r->ctx, r->native);
        JS_FreeValue(r->ctx, r->globals);
        JS_FreeContext(r->ctx);
    }
    if (r->rt != NULL) {
        JS_FreeRuntime(r->rt);
    }
    *r = (struct js_realm){0};
}
