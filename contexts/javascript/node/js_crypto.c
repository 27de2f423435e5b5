/* SPDX-License-Identifier: MIT */
/* js_crypto.c - random bytes and hashes for the prelude: `native.crypto`. */
#include <errno.h>
#include <sys/random.h>

#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"
#include "contexts/javascript/node/js_hash.h"
#include "contexts/javascript/node/js_system.h"

/* fill(Uint8Array): random bytes of the kernel */
static JSValue crypto_fill(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t size = 0;
    (void)this_val;
    (void)argc;
    uint8_t *bytes = JS_GetUint8Array(ctx, &size, argv[0]);
    if (bytes == NULL && JS_HasException(ctx)) {
        return JS_EXCEPTION;
    }
    for (size_t done = 0; done < size;) {
        ssize_t n = getrandom(bytes + done, size - done, 0);
        if (n < 0 && errno != EINTR) {
            return JS_ThrowInternalError(ctx, "no random bytes from the system");
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return JS_UNDEFINED;
}

/* The state of a hash lies in a Uint8Array that only the prelude knows. */
static struct hash *state_of(JSContext *ctx, JSValueConst value)
{
    size_t size = 0;
    uint8_t *bytes = JS_GetUint8Array(ctx, &size, value);
    return size == sizeof(struct hash) ? (struct hash *)(void *)bytes : NULL;
}

/* hashBegin(kind) -> state */
static JSValue hash_begin(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t kind = 0;
    struct hash h;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &kind, argv[0]) < 0 || kind < HASH_MD5 || kind > HASH_SHA512) {
        return JS_EXCEPTION;
    }
    hash_init(&h, (enum hash_kind)kind);
    return JS_NewUint8ArrayCopy(ctx, (const uint8_t *)&h, sizeof h);
}

/* hashAdd(state, Uint8Array) */
static JSValue hash_more(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t size = 0;
    struct hash *h = state_of(ctx, argv[0]);
    const uint8_t *bytes = JS_GetUint8Array(ctx, &size, argv[1]);
    (void)this_val;
    (void)argc;
    if (h == NULL || (bytes == NULL && JS_HasException(ctx))) {
        return JS_EXCEPTION;
    }
    hash_add(h, bytes, size);
    return JS_UNDEFINED;
}

/* hashEnd(state) -> digest; the state is left as it was */
static JSValue hash_finish(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct hash *h = state_of(ctx, argv[0]);
    uint8_t digest[HASH_DIGEST_MAX];
    (void)this_val;
    (void)argc;
    if (h == NULL) {
        return JS_EXCEPTION;
    }
    struct hash copy = *h;
    size_t len = hash_end(&copy, digest);
    return JS_NewUint8ArrayCopy(ctx, digest, len);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("fill", 1, crypto_fill),
    JS_CFUNC_DEF("hashBegin", 1, hash_begin),
    JS_CFUNC_DEF("hashAdd", 2, hash_more),
    JS_CFUNC_DEF("hashEnd", 1, hash_finish),
};

int js_crypto_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("crypto", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1);
}
