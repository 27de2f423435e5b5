/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_modules.h"

#include <stdio.h>

#include "base/bounds.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

/* Calls resolveImport(base, name) or loadModule(name, type). */
static JSValue ask(JSContext *ctx, enum js_hook hook, JSValue first, JSValue second)
{
    _cleanup_(drop_js_ref) struct js_ref a = JS_REF(ctx, first);
    _cleanup_(drop_js_ref) struct js_ref b = JS_REF(ctx, second);
    JSValueConst argv[] = {a.v, b.v};
    return JS_Call(ctx, js_of(ctx)->hooks[hook], JS_UNDEFINED, 2, argv);
}

static char *normalize(JSContext *ctx, const char *base, const char *name, void *opaque)
{
    (void)opaque;
    _cleanup_(drop_js_ref) struct js_ref full = JS_REF(
        ctx, ask(ctx, JS_HOOK_RESOLVE_IMPORT, JS_NewString(ctx, base), JS_NewString(ctx, name)));
    const char *text = JS_IsException(full.v) ? NULL : JS_ToCString(ctx, full.v);
    char *copy = text == NULL ? NULL : js_strdup(ctx, text);
    JS_FreeCString(ctx, text);
    return copy;
}

/* {names, values} that the prelude gave for a module without a text of its own. */
static int set_exports(JSContext *ctx, JSModuleDef *module)
{
    _cleanup_(drop_js_ref) struct js_ref made = JS_REF(ctx, JS_GetModulePrivateValue(ctx, module));
    _cleanup_(drop_js_ref) struct js_ref names =
        JS_REF(ctx, JS_GetPropertyStr(ctx, made.v, "names"));
    _cleanup_(drop_js_ref) struct js_ref values =
        JS_REF(ctx, JS_GetPropertyStr(ctx, made.v, "values"));
    int64_t count = 0;
    if (JS_GetLength(ctx, names.v, &count) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        _cleanup_(drop_js_ref) struct js_ref name =
            JS_REF(ctx, JS_GetPropertyUint32(ctx, names.v, i));
        const char *text = JS_ToCString(ctx, name.v);
        int set = text == NULL ? -1
                               : JS_SetModuleExport(ctx, module, text,
                                                    JS_GetPropertyUint32(ctx, values.v, i));
        JS_FreeCString(ctx, text);
        if (set < 0) {
            return -1;
        }
    }
    return 0;
}

static int add_names(JSContext *ctx, JSModuleDef *module, JSValueConst names)
{
    int64_t count = 0;
    if (JS_GetLength(ctx, names, &count) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        _cleanup_(drop_js_ref) struct js_ref name =
            JS_REF(ctx, JS_GetPropertyUint32(ctx, names, i));
        const char *text = JS_ToCString(ctx, name.v);
        int added = text == NULL ? -1 : JS_AddModuleExport(ctx, module, text);
        JS_FreeCString(ctx, text);
        if (added < 0) {
            return -1;
        }
    }
    return 0;
}

static JSModuleDef *make_synthetic(JSContext *ctx, const char *name, JSValueConst made)
{
    JSModuleDef *module = JS_NewCModule(ctx, name, set_exports);
    _cleanup_(drop_js_ref) struct js_ref names = JS_REF(ctx, JS_GetPropertyStr(ctx, made, "names"));
    if (module == NULL || add_names(ctx, module, names.v) < 0 ||
        JS_SetModulePrivateValue(ctx, module, JS_DupValue(ctx, made)) < 0) {
        return NULL;
    }
    return module;
}

/* Copies the fields of `meta` to import.meta. */
static int set_meta(JSContext *ctx, JSModuleDef *module, JSValueConst meta)
{
    static const char *const fields[] = {"dirname", "filename", "resolve", "url", "take"};
    _cleanup_(drop_js_ref) struct js_ref target = JS_REF(ctx, JS_GetImportMeta(ctx, module));
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        JSValue value = JS_GetPropertyStr(ctx, meta, fields[i]);
        if (!JS_IsUndefined(value) &&
            JS_DefinePropertyValueStr(ctx, target.v, fields[i], value, JS_PROP_C_W_E) < 0) {
            return -1;
        }
    }
    return 0;
}

static JSValue compile_module(JSContext *ctx, const char *name, const struct buf *source,
                              JSValueConst meta)
{
    JSValue code = JS_Eval(ctx, buf_text(source), source->len, name,
                           JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    if (!JS_IsException(code) && set_meta(ctx, JS_VALUE_GET_PTR(code), meta) < 0) {
        JS_FreeValue(ctx, code);
        return JS_EXCEPTION;
    }
    return code;
}

static JSModuleDef *load(JSContext *ctx, const char *name, void *opaque, JSValueConst attributes)
{
    (void)opaque;
    JSValue type =
        JS_IsObject(attributes) ? JS_GetPropertyStr(ctx, attributes, "type") : JS_UNDEFINED;
    _cleanup_(drop_js_ref) struct js_ref made =
        JS_REF(ctx, ask(ctx, JS_HOOK_LOAD_MODULE, JS_NewString(ctx, name), type));
    if (JS_IsException(made.v)) {
        return NULL;
    }
    _cleanup_(drop_buf) struct buf source = BUF_INIT(JS_FILE_MAX);
    if (js_value_member(ctx, made.v, "source", &source) < 0) {
        return make_synthetic(ctx, name, made.v);
    }
    JSValue code = compile_module(ctx, name, &source, made.v);
    if (JS_IsException(code)) {
        return NULL;
    }
    JSModuleDef *module = JS_VALUE_GET_PTR(code);
    JS_FreeValue(ctx, code); /* the context keeps its modules */
    return module;
}

static int check_attributes(JSContext *ctx, void *opaque, JSValueConst attributes)
{
    JSPropertyEnum *names = NULL;
    uint32_t count = 0;
    int result = 0;
    (void)opaque;
    if (JS_GetOwnPropertyNames(ctx, &names, &count, attributes, JS_GPN_STRING_MASK) < 0) {
        return -1;
    }
    for (uint32_t i = 0; i < count && result == 0; i++) {
        const char *name = JS_AtomToCString(ctx, names[i].atom);
        if (name == NULL || strcmp(name, "type") != 0) {
            JS_ThrowTypeError(ctx, "Import attribute \"%s\" is not supported", name ? name : "");
            result = -1;
        }
        JS_FreeCString(ctx, name);
    }
    JS_FreePropertyEnum(ctx, names, count);
    return result;
}

/* compile(text, file) -> function (exports, require, module, __filename, __dirname). The head has
 * two lines of its own, before line 1, so that the file's places are right (0 would mean 1). */
static JSValue native_compile(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    static const char head[] = "(function (exports, require, module, __filename, __dirname) {\n\n";
    _cleanup_(drop_buf) struct buf source = BUF_INIT(JS_FILE_MAX);
    (void)this_val;
    (void)argc;
    buf_add_text(&source, head);
    if (js_value_text(ctx, argv[0], &source) < 0 || buf_add_text(&source, "\n})") < 0) {
        return JS_ThrowRangeError(ctx, "the file is too large");
    }
    const char *file = JS_ToCString(ctx, argv[1]);
    if (file == NULL) {
        return JS_EXCEPTION;
    }
    JSEvalOptions options = {.version = JS_EVAL_OPTIONS_VERSION,
                             .eval_flags = JS_EVAL_TYPE_GLOBAL,
                             .filename = file,
                             .line_num = -1};
    JSValue function = JS_Eval2(ctx, buf_text(&source), source.len, &options);
    JS_FreeCString(ctx, file);
    return function;
}

/* What the promise of an evaluated module says: 0 done, -1 an exception is pending. */
static int check_evaluated(JSContext *ctx, JSValueConst promise)
{
    if (JS_IsException(promise)) {
        return -1;
    }
    if (JS_PromiseState(ctx, promise) == JS_PROMISE_REJECTED) {
        js_rejections_forget(js_of(ctx), promise);
        JS_Throw(ctx, JS_PromiseResult(ctx, promise));
        return -1;
    }
    return 0;
}

/* requireModule(text, {take}, name): runs a module that imports another one and hands it to `take`.
 * With a top-level await below it `take` is called later: the prelude finds that it was not. */
static JSValue native_require_module(JSContext *ctx, JSValueConst this_val, int argc,
                                     JSValueConst *argv)
{
    _cleanup_(drop_buf) struct buf source = BUF_INIT(JS_FILE_MAX);
    (void)this_val;
    (void)argc;
    if (js_value_text(ctx, argv[0], &source) < 0) {
        return JS_ThrowTypeError(ctx, "no text");
    }
    const char *name = JS_ToCString(ctx, argv[2]);
    if (name == NULL) {
        return JS_EXCEPTION;
    }
    JSValue code = compile_module(ctx, name, &source, argv[1]);
    JS_FreeCString(ctx, name);
    if (JS_IsException(code)) {
        return JS_EXCEPTION;
    }
    _cleanup_(drop_js_ref) struct js_ref promise = JS_REF(ctx, JS_EvalFunction(ctx, code));
    return check_evaluated(ctx, promise.v) < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("compile", 2, native_compile),
    JS_CFUNC_DEF("requireModule", 3, native_require_module),
};

int js_modules_install(struct js *js)
{
    JS_SetModuleLoaderFunc2(js->user.rt, normalize, load, check_attributes, NULL);
    return js_native_add(&js->user, functions, ARRAY_LEN(functions));
}
