/* SPDX-License-Identifier: MIT */
/* js_value.h - values and texts of QuickJS under the house's rules of ownership. */
#pragma once

#include <quickjs.h>

#include "base/buf.h"

/* A value that its scope owns. */
struct js_ref {
    JSContext *ctx;
    JSValue v;
};

static inline void drop_js_ref(struct js_ref *ref)
{
    JS_FreeValue(ref->ctx, ref->v);
}

#define JS_REF(context, value) ((struct js_ref){.ctx = (context), .v = (value)})

/* Appends the text of a string as UTF-8, with U+FFFD for lone surrogates; -1 when `value` is no
 * string or does not fit. */
int js_value_text(JSContext *ctx, JSValueConst value, struct buf *out);

/* The same of a property that is a string. Runs getters. */
int js_value_member(JSContext *ctx, JSValueConst object, const char *name, struct buf *out);

/* The property as a number; `otherwise` when it is none. */
int64_t js_value_int(JSContext *ctx, JSValueConst object, const char *name, int64_t otherwise);

/* Forgets the exception that is pending, if any. */
void js_value_clear(JSContext *ctx);

/* A new Uint8Array with a copy of `bytes`, so that it counts as the heap's; an exception when they
 * had grown over their ceiling. */
JSValue js_value_bytes(JSContext *ctx, const struct buf *bytes);

/* Lends the bytes of an ArrayBuffer, or of a typed array's part of it, until any code of the realm
 * runs; false for anything else. */
bool js_value_view(JSContext *ctx, JSValueConst value, struct slice *out);
