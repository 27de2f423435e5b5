/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_collate.h"

#include <stddef.h>
#include <string.h>

#include "contexts/javascript/js_native.h"

/* Characters that are no letters, in their order; the same text is in collator.js. */
static const char ahead[] = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

/* Letters of either case weigh the same; control characters come last, as the prelude has them. */
static int weight(unsigned char c)
{
    const char *found = c == '\0' ? NULL : strchr(ahead, c);
    if (found != NULL) {
        return (int)(found - ahead);
    }
    int lower = c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
    return (int)sizeof ahead + (lower >= 'a' && lower <= 'z' ? lower - 'a' : 'z' + c);
}

static int sign(long difference)
{
    return difference < 0 ? -1 : difference > 0;
}

bool js_collate(struct slice a, struct slice b, int *order)
{
    int by_case = 0;
    size_t both = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < both; i++) {
        unsigned char x = (unsigned char)a.data[i];
        unsigned char y = (unsigned char)b.data[i];
        if (x > 127 || y > 127) {
            return false;
        }
        int difference = x == y ? 0 : weight(x) - weight(y);
        if (difference != 0) {
            *order = sign(difference);
            return true;
        }
        if (by_case == 0) {
            by_case = sign((long)y - x); /* of one letter the large one has the lower code */
        }
    }
    *order = a.len == b.len ? by_case : a.len < b.len ? -1 : 1;
    return true;
}

/* collate(a, b) -> -1, 0 or 1; undefined where ASCII does not decide */
static JSValue native_collate(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct slice a;
    struct slice b;
    int order = 0;
    (void)this_val;
    (void)argc; /* the prelude always gives two texts */
    a.data = JS_ToCStringLen(ctx, &a.len, argv[0]);
    b.data = a.data == NULL ? NULL : JS_ToCStringLen(ctx, &b.len, argv[1]);
    JSValue result = b.data == NULL             ? JS_EXCEPTION
                     : js_collate(a, b, &order) ? JS_NewInt32(ctx, order)
                                                : JS_UNDEFINED;
    JS_FreeCString(ctx, a.data);
    JS_FreeCString(ctx, b.data);
    return result;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("collate", 2, native_collate),
};

int js_collate_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
