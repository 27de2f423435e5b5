/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_introspect.h"

#include "base/bounds.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_folder.h"
#include "contexts/javascript/js_value.h"

#define QUESTION_MAX (1UL * MIB)
#define MODULE       "introspect"

/* One kind of question: what the tools call its two halves, and who answers. */
struct topic {
    const char *question;
    const char *reply;
    enum js_hook hook;
};

static const struct topic completion = {"completeQuestion", "completeReply", JS_HOOK_MEMBERS};
static const struct topic inspection = {"inspectQuestion", "inspectReply", JS_HOOK_LOOK};
static const struct topic help = {"helpQuestion", "helpReply", JS_HOOK_LOOK};

/* Copies an array of strings from the user realm to the tools; an array in any case. */
static JSValue carry_over(struct js *js, JSValueConst from)
{
    JSContext *tools = js->tools.ctx;
    JSValue to = JS_NewArray(tools);
    int64_t count = 0;
    if (!JS_IsArray(from) || JS_GetLength(js->user.ctx, from, &count) < 0) {
        return to;
    }
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    for (int64_t i = 0; i < count; i++) {
        _cleanup_(drop_js_ref) struct js_ref item =
            JS_REF(js->user.ctx, JS_GetPropertyInt64(js->user.ctx, from, i));
        buf_clear(&text);
        (void)js_value_text(js->user.ctx, item.v, &text); /* ours are strings; too long: cut off */
        (void)JS_DefinePropertyValueUint32(tools, to, (uint32_t)i,
                                           JS_NewStringLen(tools, buf_text(&text), text.len),
                                           JS_PROP_C_W_E); /* a new array refuses nothing */
    }
    return to;
}

/* What the user realm answers, as an array in the tools. */
static JSValue answer(struct js *js, enum js_hook hook, const struct buf *question)
{
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref text =
        JS_REF(ctx, JS_NewStringLen(ctx, buf_text(question), question->len));
    JSValueConst argv[] = {text.v};
    _cleanup_(drop_js_ref) struct js_ref found =
        JS_REF(ctx, JS_Call(ctx, js->hooks[hook], JS_UNDEFINED, 1, argv));
    js_value_clear(ctx); /* an interrupt, or no memory: nothing is known then */
    return carry_over(js, found.v);
}

/* False when the tools could not make sense of the text. */
static bool ask_tools(struct js *js, const char *function, int argc, JSValueConst *argv,
                      struct buf *out)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref text =
        JS_REF(ctx, js_realm_call(&js->tools, MODULE, function, argc, argv));
    bool told = !JS_IsException(text.v) && js_value_text(ctx, text.v, out) == 0;
    js_value_clear(ctx);
    return told;
}

/* An empty question needs no answer from the user realm. */
static bool discuss(struct js *js, const struct topic *topic, int argc, JSValueConst *argv,
                    struct buf *reply)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_buf) struct buf question = BUF_INIT(QUESTION_MAX);
    if (!ask_tools(js, topic->question, argc, argv, &question)) {
        return false;
    }
    _cleanup_(drop_js_ref) struct js_ref facts =
        JS_REF(ctx, question.len > 0 ? answer(js, topic->hook, &question) : JS_NewArray(ctx));
    JSValueConst told[] = {facts.v};
    size_t before = reply->len;
    if (ask_tools(js, topic->reply, 1, told, reply)) {
        return true;
    }
    buf_truncate(reply, before);
    return false;
}

static JSValue text_of(struct js *js, struct slice code)
{
    return JS_NewStringLen(js->tools.ctx, code.data, code.len);
}

void js_introspect_complete(struct js *js, struct slice code, size_t cursor, struct buf *reply)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref text = JS_REF(ctx, text_of(js, code));
    JSValueConst argv[] = {text.v, JS_NewInt64(ctx, (int64_t)cursor),
                           JS_NewBool(ctx, js->language == JS_LANGUAGE_TYPESCRIPT)};
    (void)discuss(js, &completion, (int)ARRAY_LEN(argv), argv,
                  reply); /* none: the worker says so */
}

void js_introspect_inspect(struct js *js, struct slice code, size_t cursor, int detail,
                           struct buf *reply)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_js_ref) struct js_ref text = JS_REF(ctx, text_of(js, code));
    JSValueConst argv[] = {text.v, JS_NewInt64(ctx, (int64_t)cursor), JS_NewInt32(ctx, detail)};
    (void)discuss(js, &inspection, (int)ARRAY_LEN(argv), argv, reply); /* as above */
}

/* One short line with a question mark at an end; anything else is not worth asking about. */
static bool may_be_help(struct slice code)
{
    enum { HELP_MAX = 200 };

    return code.len < HELP_MAX && memchr(code.data, '?', code.len) != NULL &&
           memchr(code.data, '(', code.len) == NULL && memchr(code.data, ':', code.len) == NULL;
}

bool js_introspect_help(struct js *js, struct slice code, struct exec_outcome *out)
{
    JSContext *ctx = js->tools.ctx;
    _cleanup_(drop_buf) struct buf question = BUF_INIT(QUESTION_MAX);
    if (!may_be_help(code)) {
        return false;
    }
    _cleanup_(drop_js_ref) struct js_ref text = JS_REF(ctx, text_of(js, code));
    JSValueConst argv[] = {text.v};
    if (!ask_tools(js, help.question, 1, argv, &question) || question.len == 0) {
        return false;
    }
    return discuss(js, &help, 1, argv, &out->payload);
}

void js_introspect_remember(struct js *js, struct slice code)
{
    JSContext *ctx = js->tools.ctx;
    if (memmem(code.data, code.len, "/**", 3) == NULL) {
        return;
    }
    _cleanup_(drop_js_ref) struct js_ref text = JS_REF(ctx, text_of(js, code));
    JSValueConst argv[] = {text.v};
    JS_FreeValue(ctx, js_realm_call(&js->tools, "description", "remember", 1, argv));
    js_value_clear(ctx); /* then inspection does not know the comment */
}

int js_introspect_install(struct js *js)
{
    return js_folder_install(&js->tools);
}
