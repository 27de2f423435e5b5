/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_value.h"

/* QuickJS writes half of a surrogate pair as three bytes that are no UTF-8; so is U+FFFD. */
static void replace_surrogates(char *text, size_t len)
{
    static const char replacement[] = "\xef\xbf\xbd";
    for (size_t i = 0; i + 2 < len; i++) {
        if ((unsigned char)text[i] == 0xed && (unsigned char)text[i + 1] >= 0xa0) {
            memcpy(text + i, replacement, sizeof replacement - 1);
        }
    }
}

int js_value_text(JSContext *ctx, JSValueConst value, struct buf *out)
{
    size_t before = out->len;
    size_t len = 0;
    const char *text = JS_IsString(value) ? JS_ToCStringLen(ctx, &len, value) : NULL;
    if (text == NULL) {
        js_value_clear(ctx);
        return -1;
    }
    int added = buf_add(out, text, len);
    if (added == 0 && len > 0) {
        replace_surrogates(out->data + before, len);
    }
    JS_FreeCString(ctx, text);
    return added;
}

int js_value_member(JSContext *ctx, JSValueConst object, const char *name, struct buf *out)
{
    _cleanup_(drop_js_ref) struct js_ref member = JS_REF(ctx, JS_GetPropertyStr(ctx, object, name));
    return js_value_text(ctx, member.v, out);
}

int64_t js_value_int(JSContext *ctx, JSValueConst object, const char *name, int64_t otherwise)
{
    _cleanup_(drop_js_ref) struct js_ref member = JS_REF(ctx, JS_GetPropertyStr(ctx, object, name));
    int64_t number = 0;
    if (!JS_IsNumber(member.v) || JS_ToInt64(ctx, &number, member.v) < 0) {
        js_value_clear(ctx);
        return otherwise;
    }
    return number;
}

void js_value_clear(JSContext *ctx)
{
    if (JS_HasException(ctx)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
    }
}

JSValue js_value_bytes(JSContext *ctx, const struct buf *bytes)
{
    if (bytes->full) {
        return JS_ThrowRangeError(ctx, "the result is larger than %zu bytes", bytes->limit);
    }
    return JS_NewUint8ArrayCopy(ctx, (const uint8_t *)bytes->data, bytes->len);
}

bool js_value_view(JSContext *ctx, JSValueConst value, struct slice *out)
{
    size_t offset = 0;
    size_t len = 0;
    size_t size = 0;
    bool is_buffer = JS_IsArrayBuffer(value);
    _cleanup_(drop_js_ref) struct js_ref buffer =
        JS_REF(ctx, is_buffer ? JS_DupValue(ctx, value)
                              : JS_GetTypedArrayBuffer(ctx, value, &offset, &len, NULL));
    const uint8_t *data = JS_IsException(buffer.v) ? NULL : JS_GetArrayBuffer(ctx, &size, buffer.v);
    len = is_buffer ? size : len;
    if (data == NULL || offset > size || len > size - offset) {
        js_value_clear(ctx);
        return false;
    }
    *out = (struct slice){.data = (const char *)data + offset, .len = len};
    return true;
}
