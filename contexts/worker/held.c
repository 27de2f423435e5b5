/* SPDX-License-Identifier: MIT */
#include "contexts/worker/held.h"

#include <assert.h>
#include <errno.h>

#include "base/jwrite.h"
#include "contexts/wire/will.h"

static_assert(HELD_BYTES + HELD_READ_BYTES <= STREAM_CHUNK_MAX, "a held text is one message");
static_assert(HELD_READ_BYTES == WILL_CAPTURED_MAX, "what is read at once fits into the will");
static_assert(HELD_BYTES + HELD_READ_BYTES < WILL_TEXT_MAX, "a held text fits into the will");

static const char *const stream_names[] = {[STREAM_STDOUT] = "stdout", [STREAM_STDERR] = "stderr"};

void held_init(struct held *h, struct will *will)
{
    size_t tails = (size_t)CAPTURE_PIPES * 2 * TAIL_MAX;
    *h = (struct held){
        .text = BUF_INIT(HELD_BYTES + HELD_READ_BYTES + tails),
        .json = BUF_INIT((HELD_BYTES + HELD_READ_BYTES) * 6 + KIB), /* a control byte becomes six */
        .will = will,
    };
}

void held_done(struct held *h)
{
    buf_done(&h->text);
    buf_done(&h->json);
}

/* Notes in the will where text is: so much in its own place, and whether bytes of a pipe (1, 2; 0:
 * none) are on their way. */
static void note(struct held *h, size_t text_len, uint32_t captured)
{
    if (h->will != NULL) {
        h->will->held = will_held((uint32_t)text_len, captured);
    }
}

/* Copies the text behind `from` into the will; what came from a pipe has been taken in. */
static void bequeath(struct held *h, size_t from)
{
    if (h->will == NULL || h->text.len > WILL_TEXT_MAX) {
        return;
    }
    memcpy(h->will->text + from, buf_text(&h->text) + from, h->text.len - from);
    h->will->exec = h->exec;
    h->will->stream = h->kind;
    note(h, h->text.len, 0);
}

void held_pack(struct held *h, struct channel *channel)
{
    if (h->text.len == 0) {
        return;
    }
    buf_clear(&h->json);
    jwrite_object(&h->json);
    jwrite_member_text(&h->json, "name", stream_names[h->kind]);
    jwrite_member(&h->json, "text", buf_slice(&h->text));
    jwrite_object_end(&h->json);
    struct wire_frame frame = {
        .type = WIRE_STREAM, .exec = h->exec, .content = buf_slice(&h->json)};
    channel_add(channel, &frame);
    buf_clear(&h->text);
    note(h, 0, h->will != NULL ? will_captured(h->will->held) : 0);
}

void held_select(struct held *h, uint64_t exec, enum stream_kind kind, struct channel *channel)
{
    if (h->kind != kind || h->exec != exec) {
        held_pack(h, channel);
        h->kind = kind;
        h->exec = exec;
    }
}

static void join(struct held *h, struct tail *tail, struct slice piece)
{
    size_t before = h->text.len;
    tail_join(tail, piece, &h->text);
    bequeath(h, before);
}

void held_add(struct held *h, struct slice piece)
{
    join(h, &h->written[h->kind], piece);
}

/* The bytes are read into the will: whoever survives us finds them there or in the pipe, wherever
 * the end catches us. */
size_t held_read(struct held *h, const struct capture *capture, size_t len)
{
    char own[HELD_READ_BYTES];
    char *place = h->will != NULL ? h->will->taken : own;
    if (h->will != NULL) {
        memset(place, 0, len + 1 < sizeof own ? len + 1 : sizeof own);
        note(h, h->text.len, (uint32_t)h->kind + 1);
    }
    size_t n = capture_read(capture, h->kind, place, len);
    if (n > 0) {
        join(h, &h->captured[h->kind], (struct slice){.data = place, .len = n});
    } else {
        note(h, h->text.len, 0);
    }
    return n;
}

static void give_up(struct held *h, struct tail *tail)
{
    size_t before = h->text.len;
    tail_give_up(tail, &h->text);
    bequeath(h, before);
}

void held_give_up_tails(struct held *h, uint64_t exec, struct channel *channel)
{
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        struct tail *const tails[] = {&h->written[i], &h->captured[i]};
        for (size_t t = 0; t < ARRAY_LEN(tails); t++) {
            if (tails[t]->len > 0) {
                held_select(h, exec, (enum stream_kind)i, channel);
                give_up(h, tails[t]);
            }
        }
    }
}

void held_become_copy(struct held *h)
{
    h->will = NULL; /* the parent's */
    buf_clear(&h->text);
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        h->written[i].len = 0;
    }
}

static void write_raw(enum stream_kind kind, struct slice text)
{
    while (text.len > 0) {
        ssize_t n =
            write(kind == STREAM_STDOUT ? STDOUT_FILENO : STDERR_FILENO, text.data, text.len);
        if (n < 0 && errno != EINTR) {
            return; /* a copy whose descriptors are gone can report it to nobody */
        }
        size_t done = n > 0 ? (size_t)n : 0;
        text = (struct slice){.data = text.data + done, .len = text.len - done};
    }
}

void held_write(struct held *h)
{
    write_raw(h->kind, buf_slice(&h->text));
    buf_clear(&h->text);
}

void held_add_lines(struct held *h, enum stream_kind kind, struct slice text)
{
    if (h->kind != kind || h->text.len + text.len > HELD_BYTES) {
        held_write(h);
        h->kind = kind;
    }
    if (text.len > HELD_BYTES) {
        write_raw(kind, text);
        return;
    }
    (void)buf_add_slice(&h->text, text); /* room was just made */
    if (kind == STREAM_STDERR || memchr(text.data, '\n', text.len) != NULL) {
        held_write(h);
    }
}
