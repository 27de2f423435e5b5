/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_source.h"

#include <string.h>

#include "base/bounds.h"
#include "base/jwrite.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_error.h"
#include "contexts/javascript/js_value.h"

/* Rules of the rewriter begin with one of these. Looked for as bytes: a name that contains one
 * only costs a parse. */
static const char *const words[] = {"let", "const", "class", "import", "export", "using"};

bool js_source_is_plain(struct slice code)
{
    size_t start = 0;
    while (start < code.len && strchr(" \t\r\n", code.data[start]) != NULL) {
        start++;
    }
    if (start < code.len && code.data[start] == '{') {
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (memmem(code.data, code.len, words[i], strlen(words[i])) != NULL) {
            return false;
        }
    }
    return true;
}

/* Calls a function of the tools with the cell's text. */
static JSValue ask(struct js *js, const char *function, const char *name, struct slice code)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref text =
        JS_REF(ctx, JS_NewStringLen(ctx, code.data, code.len));
    _cleanup_(drop_js_ref) struct js_ref cell = JS_REF(ctx, JS_NewString(ctx, name));
    JSValueConst argv[] = {text.v, cell.v, JS_NewBool(ctx, js->language == JS_LANGUAGE_TYPESCRIPT)};
    return js_realm_call(&js->tools, "cell", function, (int)ARRAY_LEN(argv), argv);
}

/* The tools' own failure, which is ours and not the user's. */
static void tell_failure(struct js *js, struct exec_outcome *outcome)
{
    struct err e = ERR_NONE;
    (void)js_realm_fail(&js->tools, &e); /* always fails: that is its job */
    js_error_set(outcome, "InternalError", e.text);
}

/* {name, message, text} of the tools is an error as describe() of the user realm gives it. */
static void tell_error(struct js *js, JSValueConst error, struct exec_outcome *outcome)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_buf) struct buf message = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MIB);
    (void)js_value_member(ctx, error, "message", &message); /* ours always have both */
    (void)js_value_member(ctx, error, "text", &text);
    js_error_set(outcome, "SyntaxError", buf_text(&message));
    js_error_set_text(outcome, buf_slice(&text));
}

bool js_source_prepare(struct js *js, const char *name, struct slice code, struct buf *out,
                       struct exec_outcome *outcome)
{
    if (js->language == JS_LANGUAGE_JAVASCRIPT && js_source_is_plain(code)) {
        buf_add_slice(out, code);
        return true;
    }
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref answer = JS_REF(ctx, ask(js, "prepare", name, code));
    if (JS_IsException(answer.v)) {
        tell_failure(js, outcome);
        return false;
    }
    if (js_value_member(ctx, answer.v, "code", out) == 0) {
        return true;
    }
    _cleanup_(drop_js_ref) struct js_ref error =
        JS_REF(ctx, JS_GetPropertyStr(ctx, answer.v, "error"));
    tell_error(js, error.v, outcome);
    return false;
}

bool js_source_explain(struct js *js, const char *name, struct slice code,
                       struct exec_outcome *outcome)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref error = JS_REF(ctx, ask(js, "explain", name, code));
    if (!JS_IsObject(error.v)) {
        js_value_clear(ctx);
        return false;
    }
    tell_error(js, error.v, outcome);
    return true;
}

void js_source_locate(struct js *js, const char *cell, int32_t *line, int32_t *column)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref name = JS_REF(ctx, JS_NewString(ctx, cell));
    JSValueConst argv[] = {name.v, JS_NewInt32(ctx, *line), JS_NewInt32(ctx, *column)};
    _cleanup_(drop_js_ref) struct js_ref place =
        JS_REF(ctx, js_realm_call(&js->tools, "cell", "locate", (int)ARRAY_LEN(argv), argv));
    if (!JS_IsObject(place.v)) {
        js_value_clear(ctx); /* the cell ran as it was written */
        return;
    }
    *line = (int32_t)js_value_int(ctx, place.v, "line", *line);
    *column = (int32_t)js_value_int(ctx, place.v, "column", *column);
}

void js_source_is_complete(struct js *js, struct slice code, struct buf *reply)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_buf) struct buf status = BUF_INIT(KIB);
    _cleanup_(drop_buf) struct buf indent = BUF_INIT(KIB);
    _cleanup_(drop_js_ref) struct js_ref answer = JS_REF(ctx, ask(js, "isComplete", "", code));
    if (JS_IsException(answer.v) || js_value_member(ctx, answer.v, "status", &status) < 0) {
        js_value_clear(ctx);
        return;
    }
    jwrite_object(reply);
    jwrite_member(reply, "status", buf_slice(&status));
    if (js_value_member(ctx, answer.v, "indent", &indent) == 0) {
        jwrite_member(reply, "indent", buf_slice(&indent));
    }
    jwrite_object_end(reply);
}
