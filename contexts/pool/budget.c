/* SPDX-License-Identifier: MIT */
#include "contexts/pool/budget.h"

#include <stdio.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/text.h"

/* A quarter of the budget is kept for the end. */
enum { TAIL_SHARE = 4, STREAMS = 2 };

static const char *const stream_names[STREAMS] = {"stdout", "stderr"};

struct budget {
    size_t limit;
    size_t head_left;         /* bytes that may still pass at once */
    size_t tail_max;          /* bytes kept of the end of both streams together */
    struct buf tail[STREAMS]; /* the ends */
    size_t missing;           /* bytes of text that were neither passed nor kept */
    size_t displays_missing;
};

struct budget *budget_new(size_t limit_bytes)
{
    struct budget *b = xcalloc(1, sizeof *b);
    b->limit = limit_bytes;
    b->tail_max = limit_bytes / TAIL_SHARE;
    b->head_left = limit_bytes - b->tail_max;
    for (size_t i = 0; i < STREAMS; i++) {
        b->tail[i] = BUF_INIT(b->tail_max + FRAME_CONTENT_MAX);
    }
    return b;
}

void budget_free(struct budget *b)
{
    if (b == NULL) {
        return;
    }
    for (size_t i = 0; i < STREAMS; i++) {
        buf_done(&b->tail[i]);
    }
    free(b);
}

static void pass_text(size_t stream, struct slice text, budget_pass_fn pass, void *arg)
{
    if (text.len == 0) {
        return;
    }
    /* Escapes make a byte six at most. */
    _cleanup_(drop_buf) struct buf content = BUF_INIT(text.len * 6 + 64);
    jwrite_object(&content);
    jwrite_member_text(&content, "name", stream_names[stream]);
    jwrite_member(&content, "text", text);
    jwrite_object_end(&content);
    pass(arg, WIRE_STREAM, buf_slice(&content));
}

/* Forgets the beginning of one end, at least `drop` bytes, up to a code point. */
static void forget(struct budget *b, struct buf *tail, size_t drop)
{
    while (drop < tail->len && ((unsigned char)tail->data[drop] & 0xC0) == 0x80) {
        drop++;
    }
    b->missing += drop;
    buf_shift(tail, drop);
}

/* Adds to the end that is kept. What no longer fits is taken from the stream that has more than
 * its half; nothing is as long as both fit together. */
static void keep(struct budget *b, size_t stream, struct slice text)
{
    size_t half = b->tail_max / STREAMS;
    buf_add_slice(&b->tail[stream], text);
    for (size_t i = 0; i < STREAMS; i++) {
        size_t kept = b->tail[0].len + b->tail[1].len;
        size_t own = b->tail[i].len;
        if (kept > b->tail_max && own > half) {
            size_t over = kept - b->tail_max;
            forget(b, &b->tail[i], over < own - half ? over : own - half);
        }
    }
}

void budget_stream(struct budget *b, struct slice content, budget_pass_fn pass, void *arg)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    size_t stream = jscan_string_is(jscan_get(content, "name"), stream_names[1]) ? 1 : 0;
    if (jscan_string(jscan_get(content, "text"), &text) < 0) {
        return; /* no text, nothing to show */
    }
    if (text.len <= b->head_left) {
        b->head_left -= text.len;
        pass(arg, WIRE_STREAM, content);
        return;
    }
    struct slice head = text_cut(buf_slice(&text), b->head_left);
    b->head_left = 0;
    pass_text(stream, head, pass, arg);
    keep(b, stream, (struct slice){.data = text.data + head.len, .len = text.len - head.len});
}

bool budget_display(struct budget *b, size_t bytes)
{
    if (bytes <= b->head_left) {
        b->head_left -= bytes;
        return true;
    }
    b->displays_missing++;
    return false;
}

bool budget_result(struct budget *b, size_t bytes)
{
    if (bytes <= b->limit) {
        return true;
    }
    b->displays_missing++;
    return false;
}

void budget_finish(struct budget *b, budget_pass_fn pass, void *arg)
{
    char notice[160];
    if (b->missing > 0 || b->displays_missing > 0) {
        (void)snprintf(
            notice, sizeof notice,
            "\n[output limit of %zu bytes: %zu bytes of text and %zu displays left out]\n",
            b->limit, b->missing, b->displays_missing);
        pass_text(1, slice_of(notice), pass, arg);
    }
    for (size_t i = 0; i < STREAMS; i++) {
        pass_text(i, buf_slice(&b->tail[i]), pass, arg);
        buf_clear(&b->tail[i]);
    }
    b->missing = 0;
    b->displays_missing = 0;
}
