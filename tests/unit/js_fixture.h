/* SPDX-License-Identifier: MIT */
/* js_fixture.h - an engine with both realms, without a worker: for tests of what runs in it. */
#pragma once

#include "contexts/javascript/js.h"
#include "contexts/javascript/js_value.h"
#include "tests/unit/unit.h"

static inline int js_fixture_new(void **state)
{
    static struct js js;
    struct err e = ERR_NONE;
    if (js_set_up(&js, JS_LANGUAGE_JAVASCRIPT, &e) < 0) {
        print_error("%s\n", e.text);
        return -1;
    }
    *state = &js;
    return 0;
}

static inline int js_fixture_done(void **state)
{
    js_done(*state);
    return 0;
}

/* Evaluates in the user's realm; the text of the value, in `out`. */
static inline const char *js_fixture_eval(struct js *js, const char *code, struct buf *out)
{
    JSContext *ctx = js->user.ctx;
    _cleanup_(drop_js_ref) struct js_ref value =
        JS_REF(ctx, JS_Eval(ctx, code, strlen(code), "test", JS_EVAL_TYPE_GLOBAL));
    _cleanup_(drop_js_ref) struct js_ref text = JS_REF(ctx, JS_ToString(ctx, value.v));
    buf_clear(out);
    assert_int_equal(js_value_text(ctx, text.v, out), 0);
    return buf_text(out);
}
