/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_random.h"

#include <sys/random.h>

#include "base/clock.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_value.h"

void js_random_seed(struct js *js)
{
    if (getrandom(js->random, sizeof js->random, 0) != (ssize_t)sizeof js->random) {
        js->random[0] ^= (uint64_t)clock_us(); /* a small read never fails on a running system */
    }
    js->random[1] |= 1; /* all zeros would stay so */
}

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

/* xoshiro256+, Blackman and Vigna: its upper 53 bits are the number. */
static uint64_t next(uint64_t s[4])
{
    uint64_t result = s[0] + s[3];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

static JSValue random_number(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    (void)argv; /* takes none */
    return JS_NewFloat64(ctx, (double)(next(js_of(ctx)->random) >> 11) * 0x1.0p-53);
}

int js_random_install(struct js *js)
{
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref global = JS_REF(ctx, JS_GetGlobalObject(ctx));
    _cleanup_(drop_js_ref) struct js_ref math =
        JS_REF(ctx, JS_GetPropertyStr(ctx, global.v, "Math"));
    js_random_seed(js);
    return JS_DefinePropertyValueStr(ctx, math.v, "random",
                                     JS_NewCFunction(ctx, random_number, "random", 0),
                                     JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
}
