/* SPDX-License-Identifier: MIT */
/* fuzz_js_source.c - the half of the JavaScript engine that reads cells and runs none: rewriting,
 * TypeScript, completeness, completion, inspection. The first byte of an input chooses the language
 * (`t` is TypeScript), the low six bits of the second say how far before the end the cursor is (`@`
 * is at the end), the rest is the text. What must hold: no line is moved unless the cell was
 * transpiled, every place leads back into the text, what the parser took it takes when it is
 * rewritten, there is always an answer, and it is JSON. */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/text.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_introspect.h"
#include "contexts/javascript/js_source.h"
#include "contexts/javascript/js_value.h"
#include "contexts/worker/content.h"
#include "tests/fuzz/fuzz.h"

enum {
    HEAD = 2,
    JAVASCRIPT_MAX = 2048, /* the parsers are allowed time that grows with the square */
    TYPESCRIPT_MAX = 384,  /* its parser guesses at every `<` and takes its guesses back */
    BACK = 63
};

enum cell_turn { THIS_CELL, NEXT_CELL };

/* Every cell has another name, as in a context. */
static const char *cell_name(enum cell_turn turn)
{
    static unsigned long count;
    static char name[32];
    count += turn == NEXT_CELL;
    (void)snprintf(name, sizeof name, "In[%lu]", count);
    return name;
}

/* What an input led to, for libFuzzer: it sees no branches of code that QuickJS interprets. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t seen[4096];

/* Rewritten code: each three marks that follow each other, whatever words are between them. */
static void notice_shape(struct slice code)
{
    uint32_t marks = 0;
    for (size_t i = 0; i < code.len; i++) {
        unsigned char c = (unsigned char)code.data[i];
        if (ispunct(c)) {
            marks = (marks << 4 ^ c) % ARRAY_LEN(seen);
            seen[marks] = 1;
        }
    }
}

/* An error: its wording without the place. */
static void notice_error(struct slice message)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < message.len; i++) {
        unsigned char c = (unsigned char)message.data[i];
        hash = isdigit(c) ? hash : hash * 31 + c;
    }
    seen[hash % ARRAY_LEN(seen)] = 1;
}

/* The realms take longer to make than thousands of inputs to read: made once, never freed, as in
 * a context. */
static struct js *engine(void)
{
    static struct js js;
    if (js.tools.ctx == NULL) {
        struct err e = ERR_NONE;
        if (js_set_up(&js, JS_LANGUAGE_JAVASCRIPT, &e) < 0) {
            (void)fprintf(stderr, "%s\n", e.text);
            abort();
        }
    }
    return &js;
}

static size_t lines_of(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.data[i] == '\n';
    }
    return count;
}

static void check_json(struct slice text, enum jscan_kind kind)
{
    struct err e = ERR_NONE;
    int bad = jscan_check(text, JSCAN_STRICT, JSON_DEPTH_MAX, &e);
    assert(bad == 0 && jscan_kind(text) == kind);
}

/* Code that TypeScript wrote anew has a map of its own beside that of the parentheses. */
static bool was_transpiled(struct js *js, struct slice code)
{
    JSContext *ctx = js->tools.ctx;
    int64_t maps = 0;
    _cleanup_(drop_js_ref) struct js_ref text =
        JS_REF(ctx, JS_NewStringLen(ctx, code.data, code.len));
    JSValueConst argv[] = {text.v};
    _cleanup_(drop_js_ref) struct js_ref result =
        JS_REF(ctx, js_realm_call(&js->tools, "typescript-cell", "strip", 1, argv));
    _cleanup_(drop_js_ref) struct js_ref chain =
        JS_REF(ctx, JS_GetPropertyStr(ctx, result.v, "chain"));
    int failed = JS_GetLength(ctx, chain.v, &maps);
    assert(failed == 0);
    return maps > 1;
}

/* An object literal has one line more, for its parenthesis: it may end in a comment. */
static bool ends_in_parenthesis(struct slice code)
{
    return code.len >= 2 && memcmp(code.data + code.len - 2, "\n)", 2) == 0;
}

static void check_lines(struct js *js, struct slice code, struct slice prepared)
{
    size_t before = lines_of(code);
    size_t after = lines_of(prepared);
    if (after == before || (after == before + 1 && ends_in_parenthesis(prepared))) {
        return;
    }
    assert(js->language == JS_LANGUAGE_TYPESCRIPT && was_transpiled(js, code));
}

static void check_error(const struct exec_outcome *outcome)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(4 * MIB);
    assert(outcome->failed);
    content_error(&content, outcome);
    check_json(buf_slice(&content), JSCAN_OBJECT);
    notice_error(buf_slice(&outcome->evalue));
}

/* Whether the parser takes the text; only asked of JavaScript. */
static bool parses(struct js *js, struct slice code)
{
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    if (js_source_explain(js, cell_name(THIS_CELL), code, &outcome)) {
        check_error(&outcome);
        return false;
    }
    return true;
}

/* A place in the code that runs is one in the user's text. */
static void check_places(struct js *js, struct slice code, struct slice prepared, int32_t at)
{
    int32_t count = (int32_t)lines_of(code) + 1;
    for (int32_t i = 1; i <= (int32_t)lines_of(prepared) + 1; i++) {
        int32_t line = i;
        int32_t column = at;
        js_source_locate(js, cell_name(THIS_CELL), &line, &column);
        assert(line >= 1 && line <= count + 1 && column >= 1);
    }
}

static void check_prepared(struct js *js, struct slice code, struct slice prepared)
{
    check_lines(js, code, prepared);
    check_places(js, code, prepared, 1);
    check_places(js, code, prepared, 9);
    notice_shape(prepared);
    if (js->language == JS_LANGUAGE_JAVASCRIPT && parses(js, code)) {
        bool still = parses(js, prepared);
        assert(still);
    }
}

static void prepare(struct js *js, struct slice code)
{
    _cleanup_(drop_buf) struct buf prepared = BUF_INIT(4 * MIB);
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    if (js_source_prepare(js, cell_name(NEXT_CELL), code, &prepared, &outcome)) {
        check_prepared(js, code, buf_slice(&prepared));
    } else {
        check_error(&outcome);
    }
}

static void ask_complete(struct js *js, struct slice code)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MIB);
    js_source_is_complete(js, code, &reply);
    check_json(buf_slice(&reply), JSCAN_OBJECT);
}

static void ask_completion(struct js *js, struct slice code, size_t cursor)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(4 * MIB);
    int64_t start = -1;
    js_introspect_complete(js, code, cursor, &reply);
    check_json(buf_slice(&reply), JSCAN_OBJECT);
    bool told = jscan_int(jscan_get(buf_slice(&reply), "cursor_start"), &start);
    assert(told && start >= 0 && start <= (int64_t)cursor);
}

static void ask_inspection(struct js *js, struct slice code, size_t cursor)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(4 * MIB);
    js_introspect_inspect(js, code, cursor, 1, &reply);
    check_json(buf_slice(&reply), JSCAN_OBJECT);
}

static void ask_help(struct js *js, struct slice code)
{
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    js_introspect_remember(js, code);
    if (js_introspect_help(js, code, &outcome)) {
        check_json(buf_slice(&outcome.payload), JSCAN_ARRAY);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool typed = size > 0 && data[0] == 't';
    if (size < HEAD || size > HEAD + (typed ? TYPESCRIPT_MAX : JAVASCRIPT_MAX)) {
        return 0;
    }
    struct js *js = engine();
    struct slice code = {.data = (const char *)data + HEAD, .len = size - HEAD};
    size_t points = text_code_points(code);
    size_t back = data[1] & BACK;
    size_t cursor = back < points ? points - back : 0;
    js->language = typed ? JS_LANGUAGE_TYPESCRIPT : JS_LANGUAGE_JAVASCRIPT;
    prepare(js, code);
    ask_complete(js, code);
    ask_completion(js, code, cursor);
    ask_inspection(js, code, cursor);
    ask_help(js, code);
    return 0;
}
