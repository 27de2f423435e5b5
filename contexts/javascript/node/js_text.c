/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_text.h"

#include <stdlib.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "base/text.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

static int64_t clamp(int64_t n, int64_t low, int64_t high)
{
    return n < low ? low : n > high ? high : n;
}

/* The bytes [start, end) of argv[0]. */
static int bytes_of(JSContext *ctx, JSValueConst *argv, struct slice *out)
{
    size_t size = 0;
    int64_t start = 0;
    int64_t end = INT64_MAX;
    const uint8_t *data = JS_GetUint8Array(ctx, &size, argv[0]);
    if (data == NULL && JS_HasException(ctx)) {
        return -1;
    }
    if ((!JS_IsUndefined(argv[1]) && JS_ToInt64(ctx, &start, argv[1]) < 0) ||
        (!JS_IsUndefined(argv[2]) && JS_ToInt64(ctx, &end, argv[2]) < 0)) {
        return -1;
    }
    start = clamp(start, 0, (int64_t)size);
    end = clamp(end, start, (int64_t)size);
    *out = (struct slice){.data = data == NULL ? "" : (const char *)data + start,
                          .len = (size_t)(end - start)};
    return 0;
}

/* fromUtf8(bytes, start, end, fatal) -> string; undefined when fatal and ill-formed */
static JSValue from_utf8(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct slice bytes;
    (void)this_val;
    (void)argc;
    if (bytes_of(ctx, argv, &bytes) < 0) {
        return JS_EXCEPTION;
    }
    if (text_is_utf8(bytes)) {
        return JS_NewStringLen(ctx, bytes.data, bytes.len);
    }
    if (JS_ToBool(ctx, argv[3]) > 0) {
        return JS_UNDEFINED;
    }
    _cleanup_(drop_buf) struct buf repaired = BUF_INIT(3 * JS_FILE_MAX);
    if (text_add_utf8(&repaired, bytes) < 0) {
        return JS_ThrowRangeError(ctx, "the text is too long");
    }
    return JS_NewStringLen(ctx, repaired.data, repaired.len);
}

/* How many bytes at the end of these may be the beginning of a character. */
static JSValue unfinished(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct slice bytes;
    (void)this_val;
    (void)argc;
    if (bytes_of(ctx, argv, &bytes) < 0) {
        return JS_EXCEPTION;
    }
    return JS_NewInt64(ctx, (int64_t)(bytes.len - text_complete_len(bytes)));
}

/* Lone surrogates, three bytes each, become U+FFFD, which has three too. */
static void replace_surrogates(char *text, size_t len)
{
    for (size_t i = 0; i + 2 < len; i++) {
        if ((uint8_t)text[i] == 0xED && (uint8_t)text[i + 1] >= 0xA0) {
            text[i] = (char)0xEF;
            text[i + 1] = (char)0xBF;
            text[i + 2] = (char)0xBD;
        }
    }
}

/* toUtf8(string) -> Uint8Array */
static JSValue to_utf8(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t len = 0;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(JS_FILE_MAX);
    (void)this_val;
    (void)argc;
    const char *text = JS_ToCStringLen(ctx, &len, argv[0]);
    if (text == NULL) {
        return JS_EXCEPTION;
    }
    (void)buf_add(&out, text, len); /* told by js_value_bytes */
    JS_FreeCString(ctx, text);
    if (!out.full && len > 0) {
        replace_surrogates(out.data, out.len);
    }
    return js_value_bytes(ctx, &out);
}

/* utf8Length(string) -> bytes */
static JSValue utf8_length(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t len = 0;
    (void)this_val;
    (void)argc;
    const char *text = JS_ToCStringLen(ctx, &len, argv[0]);
    JS_FreeCString(ctx, text);
    return text == NULL ? JS_EXCEPTION : JS_NewInt64(ctx, (int64_t)len);
}

/* fromWide(bytes, start, end): UTF-16, little end first; fromLatin1: one byte each. */
static JSValue from_units(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                          int width)
{
    struct slice bytes;
    (void)this_val;
    (void)argc;
    if (bytes_of(ctx, argv, &bytes) < 0) {
        return JS_EXCEPTION;
    }
    size_t count = bytes.len / (size_t)width;
    uint16_t *units = xcalloc(count + 1, sizeof *units);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)bytes.data + i * (size_t)width;
        units[i] = (uint16_t)(at[0] | (width == 2 ? at[1] << 8 : 0));
    }
    JSValue text = JS_NewStringUTF16(ctx, units, count);
    free(units);
    return text;
}

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    c = c == '-' ? '+' : c == '_' ? '/' : c;
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits);
}

/* Node's reading: both alphabets, anything else is passed over, a `=` ends it. */
static void decode_base64(struct slice text, struct buf *out)
{
    uint32_t bits = 0;
    int held = 0;
    for (size_t i = 0; i < text.len && text.data[i] != '='; i++) {
        int value = sextet(text.data[i]);
        if (value < 0) {
            continue;
        }
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            (void)buf_add_byte(out, (char)(bits >> held & 0xFF)); /* told by js_value_bytes */
        }
    }
}

static int nibble(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Up to the first pair that is none, as Node does. */
static void decode_hex(struct slice text, struct buf *out)
{
    for (size_t i = 0; i + 1 < text.len; i += 2) {
        int high = nibble(text.data[i]);
        int low = nibble(text.data[i + 1]);
        if (high < 0 || low < 0) {
            return;
        }
        (void)buf_add_byte(out, (char)(high << 4 | low)); /* told by js_value_bytes */
    }
}

enum { DECODE_BASE64, DECODE_HEX };

/* toBytes(string) by one of the codes above */
static JSValue decode(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                      int magic)
{
    size_t len = 0;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(JS_FILE_MAX);
    (void)this_val;
    (void)argc;
    const char *text = JS_ToCStringLen(ctx, &len, argv[0]);
    if (text == NULL) {
        return JS_EXCEPTION;
    }
    struct slice digits = {.data = text, .len = len};
    if (magic == DECODE_BASE64) {
        decode_base64(digits, &out);
    } else {
        decode_hex(digits, &out);
    }
    JS_FreeCString(ctx, text);
    return js_value_bytes(ctx, &out);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("fromUtf8", 4, from_utf8),
    JS_CFUNC_DEF("toUtf8", 1, to_utf8),
    JS_CFUNC_DEF("utf8Length", 1, utf8_length),
    JS_CFUNC_DEF("unfinished", 3, unfinished),
    JS_CFUNC_MAGIC_DEF("fromLatin1", 3, from_units, 1),
    JS_CFUNC_MAGIC_DEF("fromWide", 3, from_units, 2),
    JS_CFUNC_MAGIC_DEF("fromBase64", 1, decode, DECODE_BASE64),
    JS_CFUNC_MAGIC_DEF("fromHex", 1, decode, DECODE_HEX),
};

int js_text_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("text", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1);
}
