/* SPDX-License-Identifier: MIT */
#include "mime/bundle.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "base/text.h"
#include "mime/base64.h"

#define TEXT_TYPE "text/plain"

/* What bundle_write adds around the members. */
#define FRAME_LEN (sizeof "\"data\": {\"" TEXT_TYPE "\": \"\", }, \"metadata\": {}" - 1)

/* Room that richer types leave for the text, and the longest mark of a cut. */
#define TEXT_RESERVE 4096UL
#define MARK_MAX     64UL

/* Of which list a type is remembered. */
#define IN_DATA     'd'
#define IN_METADATA 'm'

void bundle_init(struct bundle *b, size_t budget)
{
    budget = budget < FRAME_CONTENT_MAX ? budget : FRAME_CONTENT_MAX;
    *b = (struct bundle){
        .data = BUF_INIT(budget),
        .metadata = BUF_INIT(budget),
        .text = BUF_INIT(3 * budget),         /* repaired bytes are three for one */
        .names = BUF_INIT(budget + MARK_MAX), /* less than the members take, but for the text */
        .budget = budget,
    };
}

void bundle_done(struct bundle *b)
{
    if (b == NULL) {
        return;
    }
    buf_done(&b->data);
    buf_done(&b->metadata);
    buf_done(&b->text);
    buf_done(&b->names);
}

static size_t less(size_t from, size_t what)
{
    return from > what ? from - what : 0;
}

/* Bytes left for members beside the text. */
static size_t room_left(const struct bundle *b)
{
    size_t reserve = b->budget / 4 < TEXT_RESERVE ? b->budget / 4 : TEXT_RESERVE;
    if (b->has_text && b->text_missing == 0 && b->text.len < reserve) {
        reserve = b->text.len; /* a short text needs no more, or little */
    }
    return less(b->budget, FRAME_LEN + reserve + b->data.len + b->metadata.len);
}

/* Names are kept between NULs, which no name holds: one cannot pass for a part of another. */
static int add_name(struct buf *names, char list, const char *mime)
{
    size_t len = strlen(mime);
    char *room = buf_reserve(names, len + 3);
    if (room == NULL) {
        return -1;
    }
    room[0] = '\0';
    room[1] = list;
    memcpy(room + 2, mime, len + 1);
    buf_commit(names, len + 3);
    return 0;
}

static bool is_there(const struct bundle *b, char list, const char *mime)
{
    if (b->names.len == 0) { /* as for every value that has but a text */
        return false;
    }
    _cleanup_(drop_buf) struct buf line = BUF_INIT(b->names.limit + MARK_MAX);
    if (add_name(&line, list, mime) < 0) {
        return false; /* longer than all that could be there */
    }
    return memmem(buf_text(&b->names), b->names.len, line.data, line.len) != NULL;
}

static int remember(struct bundle *b, char list, const char *mime)
{
    return add_name(&b->names, list, mime);
}

/* A member on its way into data or metadata: opened with its key, closed or taken back. */
struct member {
    struct buf *list;
    size_t start;
};

static int open_member(struct bundle *b, struct buf *list, const char *mime, struct member *out)
{
    *out = (struct member){.list = list, .start = list->len};
    list->limit = list->len + room_left(b);
    list->full = false;
    int failed = jwrite_string(list, slice_of(mime)); /* a type may be any text */
    failed |= buf_add_text(list, ": ");
    return failed;
}

static int close_member(struct bundle *b, struct member *m, char list, const char *mime, int failed)
{
    if (failed || remember(b, list, mime) < 0) {
        buf_truncate(m->list, m->start);
        b->dropped++;
        return -1;
    }
    return 0;
}

static int add_plain(struct bundle *b, struct slice text)
{
    struct slice kept = text_cut(text, b->budget);
    b->has_text = true;
    b->text_missing = text.len - kept.len;
    (void)text_add_utf8(&b->text, kept); /* the ceiling allows for every byte being repaired */
    return remember(b, IN_DATA, TEXT_TYPE);
}

int bundle_add_text(struct bundle *b, const char *mime, struct slice text)
{
    if (is_there(b, IN_DATA, mime)) {
        return -1;
    }
    if (strcmp(mime, TEXT_TYPE) == 0) {
        return add_plain(b, text);
    }
    struct member m;
    int failed = open_member(b, &b->data, mime, &m);
    failed |= jwrite_string(&b->data, text);
    return close_member(b, &m, IN_DATA, mime, failed);
}

int bundle_add_binary(struct bundle *b, const char *mime, struct slice bytes)
{
    if (is_there(b, IN_DATA, mime)) {
        return -1;
    }
    struct member m;
    int failed = open_member(b, &b->data, mime, &m);
    failed |= buf_add_byte(&b->data, '"');
    failed |= base64_add(&b->data, bytes);
    failed |= buf_add_byte(&b->data, '"');
    return close_member(b, &m, IN_DATA, mime, failed);
}

int bundle_add_json(struct bundle *b, const char *mime, struct slice raw)
{
    if (is_there(b, IN_DATA, mime)) {
        return -1;
    }
    struct member m;
    int failed = open_member(b, &b->data, mime, &m);
    failed |= buf_add_slice(&b->data, raw);
    return close_member(b, &m, IN_DATA, mime, failed);
}

int bundle_add_metadata(struct bundle *b, const char *mime, struct slice raw)
{
    if (is_there(b, IN_METADATA, mime)) {
        return -1;
    }
    struct member m;
    int failed = open_member(b, &b->metadata, mime, &m);
    failed |= buf_add_slice(&b->metadata, raw);
    return close_member(b, &m, IN_METADATA, mime, failed);
}

/* Length of the longest prefix of well-formed `text` whose JSON form takes at most `room` bytes,
 * quotes not counted. */
static size_t fitting_len(struct slice text, size_t room)
{
    size_t cost = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        bool plain = byte >= 0x20 && byte != '"' && byte != '\\'; /* nearly all bytes */
        bool named = !plain && byte != 0 && strchr("\"\\\b\f\n\r\t", byte) != NULL;
        cost += plain ? 1 : named ? 2 : 6;
        if (cost > room) {
            return text_cut(text, i).len;
        }
    }
    return text.len;
}

/* Writes the text, cut to what the other types left of the budget. */
static int write_text(const struct bundle *b, struct buf *out)
{
    size_t room = less(b->budget, FRAME_LEN + b->data.len + b->metadata.len);
    struct slice text = buf_slice(&b->text);
    if (b->text_missing == 0 && fitting_len(text, room) == text.len) {
        return jwrite_string(out, text);
    }
    size_t kept = fitting_len(text, less(room, MARK_MAX));
    _cleanup_(drop_buf) struct buf cut = BUF_INIT(kept + MARK_MAX);
    int failed = buf_add(&cut, text.data, kept);
    if (room >= MARK_MAX) {
        failed |= buf_addf(&cut, "\n... (%zu more bytes)", b->text_missing + text.len - kept);
    }
    return failed ? -1 : jwrite_string(out, buf_slice(&cut));
}

static int add_members(struct buf *out, const struct buf *members)
{
    return members->len > 0 ? jwrite_raw(out, buf_slice(members)) : 0;
}

int bundle_write(const struct bundle *b, struct buf *out)
{
    size_t start = out->len;
    int failed = jwrite_key(out, "data");
    failed |= jwrite_object(out);
    if (b->has_text || !is_there(b, IN_DATA, TEXT_TYPE)) {
        failed |= jwrite_key(out, TEXT_TYPE);
        failed |= write_text(b, out);
    }
    failed |= add_members(out, &b->data);
    failed |= jwrite_object_end(out);
    failed |= jwrite_key(out, "metadata");
    failed |= jwrite_object(out);
    failed |= add_members(out, &b->metadata);
    failed |= jwrite_object_end(out);
    if (failed) {
        buf_truncate(out, start);
        return -1;
    }
    return 0;
}
