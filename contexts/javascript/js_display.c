/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_display.h"

#include <math.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"
#include "mime/bundle.h"
#include "mime/type.h"

/* Room for what stands around the bundle in the message. */
#define BUNDLE_BUDGET (FRAME_CONTENT_MAX - 4 * KIB)

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

/* A representation that does not fit is left out by the bundle, and counted. */
static void add_form(JSContext *ctx, JSValueConst type, JSValueConst data, struct bundle *bundle)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    struct slice bytes = SLICE_NONE;
    if (js_value_text(ctx, type, &name) < 0 || !mime_name_is_valid(buf_slice(&name))) {
        return;
    }
    if (JS_IsObject(data) && js_value_view(ctx, data, &bytes)) {
        (void)bundle_add_binary(bundle, buf_text(&name), bytes);
        return;
    }
    if (js_value_text(ctx, data, &text) < 0) {
        return;
    }
    if (mime_form_of(buf_slice(&name)) == MIME_JSON) {
        (void)bundle_add_json(bundle, buf_text(&name), buf_slice(&text));
    } else {
        (void)bundle_add_text(bundle, buf_text(&name), buf_slice(&text));
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

/* Metadata stands under the type it is about; a client looks there. */
static void add_metadata(JSContext *ctx, JSValueConst forms, struct slice metadata,
                         struct bundle *bundle)
{
    _cleanup_(drop_js_ref) struct js_ref type = JS_REF(ctx, JS_GetPropertyInt64(ctx, forms, 0));
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    if (metadata.len > 2 && js_value_text(ctx, type.v, &name) == 0) {
        (void)bundle_add_metadata(bundle, buf_text(&name), metadata); /* too much is left out */
    }
}

/* display(forms, metadata, id, update): metadata is JSON, id a text, "" for none. */
static JSValue native_display(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    _cleanup_(drop_bundle) struct bundle bundle;
    _cleanup_(drop_buf) struct buf metadata = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf transient = BUF_INIT(2 * MSG_FIELD_MAX + KIB);
    (void)this_val;
    (void)argc; /* the prelude always gives all of them */
    bundle_init(&bundle, BUNDLE_BUDGET);
    if (js_value_text(ctx, argv[1], &metadata) < 0 || js_value_text(ctx, argv[2], &id) < 0) {
        return JS_ThrowRangeError(ctx, "metadata or id of display() is too long");
    }
    add_forms(ctx, argv[0], &bundle);
    add_metadata(ctx, argv[0], buf_slice(&metadata), &bundle);
    if (id.len > 0) {
        jwrite_object(&transient);
        jwrite_member(&transient, "display_id", buf_slice(&id));
        jwrite_object_end(&transient);
    }
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

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("display", 4, native_display),
    JS_CFUNC_DEF("clearOutput", 1, native_clear),
};

int js_display_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
