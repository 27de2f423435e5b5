/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_watch.h"

#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

static struct js_watch *add(struct js *js, struct js_watch watch)
{
    struct js_watches *w = &js->watches;
    if (w->count == w->cap) {
        w->cap = w->cap ? w->cap * 2 : 8;
        w->items = xrealloc(w->items, w->cap, sizeof *w->items);
    }
    watch.id = ++w->last_id;
    watch.origin = js->origin;
    w->items[w->count] = watch;
    return &w->items[w->count++];
}

static void cut(struct js *js, size_t index)
{
    struct js_watches *w = &js->watches;
    JSValue callback = w->items[index].callback;
    w->items[index] = w->items[--w->count];
    JS_FreeValue(js->user.ctx, callback);
}

void js_watch_set(struct js *js, int fd, short events, js_watch_fn *call, void *opaque)
{
    struct js_watches *w = &js->watches;
    size_t i = 0;
    while (i < w->count && (w->items[i].fd != fd || w->items[i].call == NULL)) {
        i++;
    }
    if (events == 0) {
        if (i < w->count) {
            cut(js, i);
        }
        return;
    }
    struct js_watch *watch =
        i < w->count ? &w->items[i] : add(js, (struct js_watch){.callback = JS_UNDEFINED});
    watch->fd = fd;
    watch->events = events;
    watch->call = call;
    watch->opaque = opaque;
}

bool js_watch_pending(const struct js_watches *w)
{
    return w->count > 0 || w->due_us != 0;
}

static int64_t sooner(int64_t timeout_us, const struct js_watches *w)
{
    if (w->due_us == 0) {
        return timeout_us;
    }
    int64_t left = w->due_us - clock_us();
    left = left > 0 ? left : 0;
    return timeout_us < 0 || left < timeout_us ? left : timeout_us;
}

bool js_watch_wait(struct js *js, int fd, int64_t timeout_us)
{
    struct js_watches *w = &js->watches;
    if (!js_watch_pending(w)) {
        return js_interrupt_poll(fd, timeout_us);
    }
    struct pollfd *fds = xcalloc(w->count + 1, sizeof *fds);
    for (size_t i = 0; i < w->count; i++) {
        fds[i] = (struct pollfd){.fd = w->items[i].fd, .events = w->items[i].events};
    }
    fds[w->count] = (struct pollfd){.fd = fd, .events = POLLIN};
    (void)js_interrupt_poll_many(fds, w->count + 1, sooner(timeout_us, w)); /* the fields tell */
    for (size_t i = 0; i < w->count; i++) {
        w->items[i].ready = fds[i].revents;
    }
    bool readable = fds[w->count].revents != 0;
    free(fds);
    return readable;
}

static bool run_due(struct js *js)
{
    struct js_watches *w = &js->watches;
    if (w->due_us == 0 || clock_us() < w->due_us) {
        return false;
    }
    w->due_us = 0;
    w->on_due(js, w->due_opaque, -1, 0);
    return true;
}

bool js_watch_run_one(struct js *js, bool *failed)
{
    struct js_watches *w = &js->watches;
    JSContext *ctx = js->user.ctx;
    *failed = false;
    size_t i = 0;
    while (i < w->count && w->items[i].ready == 0) {
        i++;
    }
    if (i == w->count) {
        return run_due(js);
    }
    struct js_watch watch = w->items[i];
    w->items[i].ready = 0;
    js->origin = watch.origin;
    if (watch.call != NULL) {
        watch.call(js, watch.opaque, watch.fd, watch.ready);
        return true;
    }
    _cleanup_(drop_js_ref) struct js_ref callback =
        JS_REF(ctx, JS_DupValue(ctx, watch.callback)); /* it may end its own watch */
    _cleanup_(drop_js_ref) struct js_ref done =
        JS_REF(ctx, JS_Call(ctx, callback.v, JS_UNDEFINED, 0, NULL));
    *failed = JS_IsException(done.v);
    return true;
}

void js_watch_clear(struct js *js)
{
    while (js->watches.count > 0) {
        cut(js, js->watches.count - 1);
    }
    free(js->watches.items);
    js->watches = (struct js_watches){0};
}

static JSValue native_watch(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t fd = -1;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &fd, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    short events = JS_ToBool(ctx, argv[1]) > 0 ? POLLOUT : POLLIN;
    struct js_watch *watch =
        add(js_of(ctx),
            (struct js_watch){.fd = fd, .events = events, .callback = JS_DupValue(ctx, argv[2])});
    return JS_NewInt64(ctx, watch->id);
}

static JSValue native_unwatch(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int64_t id = 0;
    struct js *js = js_of(ctx);
    (void)this_val;
    (void)argc;
    if (JS_ToInt64(ctx, &id, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    for (size_t i = 0; i < js->watches.count; i++) {
        if (js->watches.items[i].id == id) {
            cut(js, i);
            break;
        }
    }
    return JS_UNDEFINED;
}

/* poll([fd...], [for writing...], milliseconds or -1) -> [ready...]; false when interrupted. Waits
 * without the loop: for the synchronous calls of child_process. */
static JSValue native_poll(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    enum { POLL_MAX = 16 };
    struct pollfd fds[POLL_MAX] = {0};
    int64_t count = 0;
    double ms = -1;
    (void)this_val;
    (void)argc;
    if (JS_GetLength(ctx, argv[0], &count) < 0 || JS_ToFloat64(ctx, &ms, argv[2]) < 0) {
        return JS_EXCEPTION;
    }
    count = count < POLL_MAX ? count : POLL_MAX;
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        _cleanup_(drop_js_ref) struct js_ref fd =
            JS_REF(ctx, JS_GetPropertyUint32(ctx, argv[0], i));
        _cleanup_(drop_js_ref) struct js_ref writing =
            JS_REF(ctx, JS_GetPropertyUint32(ctx, argv[1], i));
        if (JS_ToInt32(ctx, &fds[i].fd, fd.v) < 0) {
            return JS_EXCEPTION;
        }
        fds[i].events = JS_ToBool(ctx, writing.v) > 0 ? POLLOUT : POLLIN;
    }
    (void)js_interrupt_poll_many(fds, (size_t)count, ms < 0 ? -1 : (int64_t)(ms * 1000));
    if (js_interrupted()) {
        return JS_FALSE;
    }
    JSValue ready[POLL_MAX];
    for (int64_t i = 0; i < count; i++) {
        ready[i] = JS_NewBool(ctx, fds[i].revents != 0);
    }
    return JS_NewArrayFrom(ctx, (int)count, ready);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("watch", 3, native_watch),
    JS_CFUNC_DEF("unwatch", 1, native_unwatch),
    JS_CFUNC_DEF("poll", 3, native_poll),
};

int js_watch_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
