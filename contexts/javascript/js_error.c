/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_error.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_value.h"

#define ERROR_TEXT_MAX (1UL * MIB)

void js_error_set_text(struct exec_outcome *out, struct slice text)
{
    buf_clear(&out->traceback);
    jwrite_list(&out->traceback);
    const char *at = text.data;
    const char *end = text.data + text.len;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        jwrite_string(&out->traceback, (struct slice){.data = at, .len = (size_t)(stop - at)});
        at = stop + 1;
    }
    jwrite_list_end(&out->traceback);
}

void js_error_set(struct exec_outcome *out, const char *name, const char *message)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(ERROR_TEXT_MAX);
    out->failed = true;
    buf_clear(&out->ename);
    buf_clear(&out->evalue);
    buf_add_text(&out->ename, name);
    buf_add_text(&out->evalue, message);
    buf_addf(&text, message[0] ? "%s: %s" : "%s%s", name, message);
    js_error_set_text(out, buf_slice(&text));
}

static int describe(struct js *js, JSValueConst error, struct exec_outcome *out)
{
    JSContext *ctx = js->user.ctx;
    JSValueConst argv[] = {error};
    _cleanup_(drop_buf) struct buf text = BUF_INIT(ERROR_TEXT_MAX);
    _cleanup_(drop_js_ref) struct js_ref parts =
        JS_REF(ctx, JS_Call(ctx, js->hooks[JS_HOOK_DESCRIBE], JS_UNDEFINED, 1, argv));
    if (JS_IsException(parts.v)) {
        return -1;
    }
    if (js_value_member(ctx, parts.v, "name", &out->ename) < 0 ||
        js_value_member(ctx, parts.v, "message", &out->evalue) < 0 ||
        js_value_member(ctx, parts.v, "text", &text) < 0) {
        return -1;
    }
    js_error_set_text(out, buf_slice(&text));
    return 0;
}

/* Severe lack of memory shows as the exception `null`. */
static bool is_out_of_memory(struct js *js, JSValueConst error)
{
    return JS_IsNull(error) && js->user.memory.was_full;
}

void js_error_describe(struct js *js, JSValueConst error, struct exec_outcome *out)
{
    out->failed = true;
    if (is_out_of_memory(js, error)) {
        js_error_set(out, "InternalError", "out of memory");
        return;
    }
    if (describe(js, error, out) == 0) {
        return;
    }
    js_value_clear(js->user.ctx);
    const char *text = JS_IsObject(error) ? NULL : JS_ToCString(js->user.ctx, error);
    js_error_set(out, "Error", text ? text : "an error that cannot be shown");
    JS_FreeCString(js->user.ctx, text);
    js_value_clear(js->user.ctx);
}

void js_error_uncaught(struct js *js, JSValueConst error, const char *intro)
{
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(ERROR_TEXT_MAX);
    _cleanup_(drop_js_ref) struct js_ref front = JS_REF(ctx, JS_NewString(ctx, intro));
    JSValueConst argv[] = {error, front.v};
    _cleanup_(drop_js_ref) struct js_ref shown =
        JS_REF(ctx, JS_Call(ctx, js->hooks[JS_HOOK_UNCAUGHT], JS_UNDEFINED, 2, argv));
    if (JS_IsException(shown.v) || js_value_text(ctx, shown.v, &text) < 0) {
        js_value_clear(ctx);
        buf_clear(&text);
        buf_addf(&text, "%san error that cannot be shown", intro);
    }
    if (text.len == 0) {
        return;
    }
    buf_add_byte(&text, '\n');
    js->has_uncaught = true;
    worker_write(js->worker, js->origin.exec, STREAM_STDERR, buf_slice(&text));
}
