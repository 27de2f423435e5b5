/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_rejections.h"

#include <stdlib.h>

#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_error.h"

/* What nobody reads need not be kept without end. */
enum { REJECTIONS_MAX = 1000 };

static void drop_at(struct js *js, size_t index)
{
    struct js_rejections *r = &js->rejections;
    JS_FreeValue(js->user.ctx, r->items[index].promise);
    JS_FreeValue(js->user.ctx, r->items[index].reason);
    r->items[index] = r->items[--r->count];
}

void js_rejections_forget(struct js *js, JSValueConst promise)
{
    for (size_t i = js->rejections.count; i > 0; i--) {
        if (JS_IsStrictEqual(js->user.ctx, js->rejections.items[i - 1].promise, promise)) {
            drop_at(js, i - 1);
            return;
        }
    }
}

static void on_rejection(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool is_handled,
                         void *opaque)
{
    struct js *js = opaque;
    struct js_rejections *r = &js->rejections;
    if (is_handled) {
        js_rejections_forget(js, promise);
        return;
    }
    if (r->count == REJECTIONS_MAX) {
        return;
    }
    if (r->count == r->cap) {
        r->cap = r->cap ? r->cap * 2 : 8;
        r->items = xrealloc(r->items, r->cap, sizeof *r->items);
    }
    r->items[r->count++] = (struct js_rejection){.promise = JS_DupValue(ctx, promise),
                                                 .reason = JS_DupValue(ctx, reason)};
}

void js_rejections_watch(struct js *js)
{
    JS_SetHostPromiseRejectionTracker(js->user.rt, on_rejection, js);
}

void js_rejections_report(struct js *js)
{
    struct js_rejections now = js->rejections;
    js->rejections = (struct js_rejections){0}; /* telling may run user code that rejects more */
    for (size_t i = 0; i < now.count; i++) {
        js_error_uncaught(js, now.items[i].reason, "Uncaught (in promise) ");
        JS_FreeValue(js->user.ctx, now.items[i].promise);
        JS_FreeValue(js->user.ctx, now.items[i].reason);
    }
    free(now.items);
}

void js_rejections_clear(struct js *js)
{
    while (js->rejections.count > 0) {
        drop_at(js, js->rejections.count - 1);
    }
    free(js->rejections.items);
    js->rejections = (struct js_rejections){0};
}
