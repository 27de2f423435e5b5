/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_display.h"

#include <math.h>

#include "base/bounds.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"
#include "mime/bundle.h"
#include "mime/type.h"

/* Bytes of the id of a display and what else goes beside the bundle, which leaves room for it. */
#define TRANSIENT_MAX (16 * KIB)
#define BUNDLE_BUDGET (FRAME_CONTENT_MAX - TRANSIENT_MAX - 4 * KIB)

/* Most results are numbers, and inspect() would write them as the engine does, but for -0. */
static bool is_simple(JSContext *ctx, JSValueConst value)
{
    double number = 0;
    if (JS_IsBool(value) || JS_IsNull(value)) {
        return true;
    }
    return JS_IsNumber(value) && JS_ToFloat64(ctx, &number, value) == 0 &&
           !(number == 0 && signbit(number));
}

/* Runs no user code: the value is no object. */
static int fill_simple(JSContext *ctx, JSValueConst value, struct bundle *bundle)
{
    size_t len = 0;
    const char *text = JS_ToCStringLen(ctx, &len, value);
    if (text == NULL) {
        return -1;
    }
    (void)bundle_add_text(bundle, "text/plain",
                          (struct slice){.data = text, .len = len}); /* fits */
    JS_FreeCString(ctx, text);
    return 0;
}

/* Numbers, texts and the like have one form in plain contexts. */
static int fill_text(struct js *js, JSValueConst value, struct bundle *bundle)
{
    JSContext *ctx = js->user.ctx;
    if (is_simple(ctx, value)) {
        return fill_simple(ctx, value, bundle);
    }
    JSValueConst argv[] = {value};
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX / 2);
    _cleanup_(drop_js_ref) struct js_ref shown =
        JS_REF(ctx, JS_Call(ctx, js->hooks[JS_HOOK_SHOW], JS_UNDEFINED, 1, argv));
    if (JS_IsException(shown.v)) {
        return -1;
    }
    (void)js_value_text(ctx, shown.v, &text);                      /* too much is left out */
    (void)bundle_add_text(bundle, "text/plain", buf_slice(&text)); /* fits, or is cut */
    return 0;
}

static void add_bytes(struct bundle *bundle, const char *name, struct slice bytes)
{
    if (mime_form_of(slice_of(name)) == MIME_BINARY) {
        (void)bundle_add_binary(bundle, name, bytes);
    } else {
        (void)bundle_add_text(bundle, name, bytes);
    }
}

static void add_text(struct bundle *bundle, const char *name, struct slice text)
{
    if (mime_form_of(slice_of(name)) == MIME_JSON) {
        (void)bundle_add_json(bundle, name, text);
    } else {
        (void)bundle_add_text(bundle, name, text);
    }
}

/* The prelude has checked type and data. A form that does not fit is left out by the bundle, with a
 * note of how large it was, so that a text is taken whole however long it is. */
static void add_form(JSContext *ctx, JSValueConst type, JSValueConst data, struct bundle *bundle)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(SIZE_MAX);
    struct slice bytes = SLICE_NONE;
    if (js_value_text(ctx, type, &name) < 0 || !mime_name_is_valid(buf_slice(&name))) {
        return;
    }
    if (JS_IsObject(data)) {
        (void)js_value_view(ctx, data, &bytes); /* of an empty one there is nothing to lend */
        add_bytes(bundle, buf_text(&name), bytes);
    } else if (js_value_text(ctx, data, &text) == 0) {
        add_text(bundle, buf_text(&name), buf_slice(&text));
    }
}

/* [type, data, type, data...] */
static void add_forms(JSContext *ctx, JSValueConst forms, struct bundle *bundle)
{
    int64_t count = 0;
    if (JS_GetLength(ctx, forms, &count) < 0) {
        js_value_clear(ctx);
        return;
    }
    for (int64_t i = 0; i + 1 < count; i += 2) {
        _cleanup_(drop_js_ref) struct js_ref type = JS_REF(ctx, JS_GetPropertyInt64(ctx, forms, i));
        _cleanup_(drop_js_ref) struct js_ref data =
            JS_REF(ctx, JS_GetPropertyInt64(ctx, forms, i + 1));
        add_form(ctx, type.v, data.v, bundle);
    }
}

int js_display_fill(struct js *js, JSValueConst value, struct bundle *bundle)
{
    JSContext *ctx = js->user.ctx;
    if (!js->is_rich && !JS_IsObject(value)) {
        return fill_text(js, value, bundle);
    }
    JSValueConst argv[] = {value};
    _cleanup_(drop_js_ref) struct js_ref forms =
        JS_REF(ctx, JS_Call(ctx, js->hooks[JS_HOOK_PRESENT], JS_UNDEFINED, 1, argv));
    if (JS_IsException(forms.v)) {
        return -1;
    }
    add_forms(ctx, forms.v, bundle);
    return 0;
}

/* [type, JSON, type, JSON...]: a client looks for what is about a type under that type. */
static void add_metadata(JSContext *ctx, JSValueConst rows, struct bundle *bundle)
{
    int64_t count = 0;
    if (JS_GetLength(ctx, rows, &count) < 0) {
        js_value_clear(ctx);
        return;
    }
    for (int64_t i = 0; i + 1 < count; i += 2) {
        _cleanup_(drop_js_ref) struct js_ref type = JS_REF(ctx, JS_GetPropertyInt64(ctx, rows, i));
        _cleanup_(drop_js_ref) struct js_ref json =
            JS_REF(ctx, JS_GetPropertyInt64(ctx, rows, i + 1));
        _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
        _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
        if (js_value_text(ctx, type.v, &name) == 0 && js_value_text(ctx, json.v, &text) == 0) {
            (void)bundle_add_metadata(bundle, buf_text(&name), buf_slice(&text)); /* or noted */
        }
    }
}

/* display(forms, metadata, transient, update): the latter two of one message, transient as JSON. */
static JSValue native_display(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    _cleanup_(drop_buf) struct buf transient = BUF_INIT(TRANSIENT_MAX);
    (void)this_val;
    (void)argc; /* the prelude always gives all of them */
    bundle_init(&bundle, BUNDLE_BUDGET);
    if (js_value_text(ctx, argv[2], &transient) < 0) {
        return JS_ThrowRangeError(ctx, "id and transient of display() have over %lu bytes",
                                  TRANSIENT_MAX);
    }
    add_forms(ctx, argv[0], &bundle);
    add_metadata(ctx, argv[1], &bundle);
    bool updates = JS_ToBool(ctx, argv[3]) > 0;
    worker_display(js_of(ctx)->worker, js_of(ctx)->origin.exec,
                   updates ? WIRE_UPDATE_DISPLAY_DATA : WIRE_DISPLAY_DATA, &bundle,
                   buf_slice(&transient));
    return JS_UNDEFINED;
}

/* clearOutput(wait): wait leaves it until the next output comes. */
static JSValue native_clear(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    jwrite_object(&content);
    jwrite_member_bool(&content, "wait", JS_ToBool(ctx, argv[0]) > 0);
    jwrite_object_end(&content);
    worker_publish(js_of(ctx)->worker, js_of(ctx)->origin.exec, WIRE_CLEAR_OUTPUT,
                   buf_slice(&content), NULL, 0);
    return JS_UNDEFINED;
}

/* mimeTypes() -> [label, name, label, name...] of the types that languages have a name for */
static JSValue native_mime_types(JSContext *ctx, JSValueConst this_val, int argc,
                                 JSValueConst *argv)
{
    uint32_t count = 0;
    (void)this_val;
    (void)argc;
    (void)argv;
    JSValue rows = JS_NewArray(ctx);
    for (int i = 0; i < MIME_TYPES; i++) {
        const struct mime_info *type = mime_type_info((enum mime_type)i);
        if (type->label != NULL) { /* a new array refuses nothing */
            (void)JS_SetPropertyUint32(ctx, rows, count++, JS_NewString(ctx, type->label));
            (void)JS_SetPropertyUint32(ctx, rows, count++, JS_NewString(ctx, type->name));
        }
    }
    return rows;
}

/* mimeForm(name) -> "text", "binary" or "json"; undefined when it cannot be the name of a type */
static JSValue native_mime_form(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    static const char *const forms[] = {
        [MIME_TEXT] = "text", [MIME_BINARY] = "binary", [MIME_JSON] = "json"};
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    (void)this_val;
    (void)argc;
    if (js_value_text(ctx, argv[0], &name) < 0 || !mime_name_is_valid(buf_slice(&name))) {
        return JS_UNDEFINED;
    }
    return JS_NewString(ctx, forms[mime_form_of(buf_slice(&name))]);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("mimeTypes", 0, native_mime_types),
    JS_CFUNC_DEF("mimeForm", 1, native_mime_form),
    JS_CFUNC_DEF("display", 4, native_display),
    JS_CFUNC_DEF("clearOutput", 1, native_clear),
};

int js_display_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
