/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_image.h"

#include "base/bounds.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"
#include "mime/base64.h"
#include "mime/png.h"
#include "mime/sniff.h"
#include "mime/type.h"

/* Bits of the samples in such an array, by what the engine made it; 0 for anything else. */
static unsigned sample_bits(JSValueConst value)
{
    int type = JS_IsObject(value) ? JS_GetTypedArrayType(value) : -1;
    if (type == JS_TYPED_ARRAY_UINT16) {
        return 16;
    }
    bool has_bytes = type == JS_TYPED_ARRAY_UINT8 || type == JS_TYPED_ARRAY_UINT8C;
    return has_bytes || JS_IsArrayBuffer(value) ? 8 : 0;
}

/* sampleCount(value) -> samples of a Uint8Array, Uint8ClampedArray, Uint16Array or ArrayBuffer;
 * undefined for anything else. What lies in a buffer that was transferred has none. */
static JSValue native_sample_count(JSContext *ctx, JSValueConst this_val, int argc,
                                   JSValueConst *argv)
{
    unsigned bits = sample_bits(argv[0]);
    struct slice bytes = SLICE_NONE;
    (void)this_val;
    (void)argc; /* the prelude always gives it */
    if (bits == 0) {
        return JS_UNDEFINED;
    }
    (void)js_value_view(ctx, argv[0], &bytes); /* of an empty one there is nothing to lend */
    return JS_NewInt64(ctx, (int64_t)(bytes.len * 8 / bits));
}

/* encodePng(samples, width, height, channels) -> Uint8Array. The prelude has checked that the
 * numbers are whole and that the samples are as many as they say; how much is too much is said
 * here. */
static JSValue native_encode_png(JSContext *ctx, JSValueConst this_val, int argc,
                                 JSValueConst *argv)
{
    _cleanup_(drop_buf) struct buf png = BUF_INIT(IMAGE_PNG_MAX);
    struct slice bytes = SLICE_NONE;
    int64_t size[3] = {0};
    struct err e = ERR_NONE;
    (void)this_val;
    (void)argc;
    for (size_t i = 0; i < ARRAY_LEN(size); i++) {
        if (JS_ToInt64(ctx, &size[i], argv[i + 1]) < 0) {
            return JS_EXCEPTION;
        }
    }
    unsigned bits = sample_bits(argv[0]);
    if (bits == 0 || !js_value_view(ctx, argv[0], &bytes) || size[2] < PIXEL_GREY ||
        size[2] > PIXEL_RGBA) {
        return JS_ThrowTypeError(ctx, "no pixels of 1 to 4 samples");
    }
    struct pixels px = {.data = (const unsigned char *)bytes.data,
                        .len = bytes.len,
                        .width = (size_t)size[0],
                        .height = (size_t)size[1],
                        .stride = (size_t)size[0] * (size_t)size[2] * bits / 8,
                        .form = (enum pixel_form)size[2],
                        .bits = bits};
    if (pixels_to_png(&px, &png, &e) < 0) {
        return JS_ThrowRangeError(ctx, "%s", e.text);
    }
    return js_value_bytes(ctx, &png);
}

/* A client shows nothing of a broken picture, and says nothing. */
static int check_binary(const char *type, struct slice bytes, struct err *e)
{
    const struct slice pdf = SLICE_LIT("%PDF-");
    bool is_pdf = bytes.len >= pdf.len && memcmp(bytes.data, pdf.data, pdf.len) == 0;
    if (strcmp(type, mime_type_info(MIME_TYPE_PDF)->name) == 0 && !is_pdf) {
        return err_set(e, ERR_INPUT, "%s: the data do not begin with %s", type, pdf.data);
    }
    return image_check(type, bytes, e);
}

/* The bytes that a text stands for, as a new Uint8Array. */
static JSValue decode_binary(JSContext *ctx, const char *type, JSValueConst value)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(2 * FRAME_CONTENT_MAX);
    _cleanup_(drop_buf) struct buf bytes = BUF_INIT(FRAME_CONTENT_MAX);
    struct err e = ERR_NONE;
    if (js_value_text(ctx, value, &text) < 0) {
        return JS_ThrowTypeError(ctx, "%s: neither bytes nor base64 of a size that can be sent",
                                 type);
    }
    if (base64_decode(buf_slice(&text), &bytes, &e) < 0) {
        return JS_ThrowTypeError(ctx, "%s: the text is %s", type, e.text);
    }
    return check_binary(type, buf_slice(&bytes), &e) < 0 ? JS_ThrowTypeError(ctx, "%s", e.text)
                                                         : js_value_bytes(ctx, &bytes);
}

/* binary(type, data) -> the bytes of a binary type, from bytes or from base64; a TypeError says why
 * they cannot be of that type. */
static JSValue native_binary(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    _cleanup_(drop_buf) struct buf type = BUF_INIT(MSG_FIELD_MAX);
    struct slice bytes = SLICE_NONE;
    struct err e = ERR_NONE;
    (void)this_val;
    (void)argc;
    if (js_value_text(ctx, argv[0], &type) < 0) {
        return JS_ThrowTypeError(ctx, "no type");
    }
    if (!JS_IsObject(argv[1])) {
        return decode_binary(ctx, buf_text(&type), argv[1]);
    }
    (void)js_value_view(ctx, argv[1], &bytes); /* of an empty one there is nothing to lend */
    return check_binary(buf_text(&type), bytes, &e) < 0 ? JS_ThrowTypeError(ctx, "%s", e.text)
                                                        : JS_DupValue(ctx, argv[1]);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("binary", 2, native_binary),
    JS_CFUNC_DEF("sampleCount", 1, native_sample_count),
    JS_CFUNC_DEF("encodePng", 4, native_encode_png),
};

int js_image_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
