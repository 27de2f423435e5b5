/* SPDX-License-Identifier: MIT */
#include "mime/bundle.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "base/text.h"
#include "mime/base64.h"
#include "mime/sniff.h"

#define TEXT_TYPE "text/plain"

/* What bundle_write adds around the members. */
#define FRAME_LEN (sizeof "\"data\": {\"" TEXT_TYPE "\": \"\", }, \"metadata\": {}" - 1)

/* Room that richer types leave for the text, and the longest mark of a cut. */
#define TEXT_RESERVE 4096UL
#define MARK_MAX     64UL

/* Of which list a type is remembered. */
#define IN_DATA     'd'
#define IN_METADATA 'm'

static size_t notes_room(size_t budget)
{
    return budget / 8 < BUNDLE_NOTES_BYTES ? budget / 8 : BUNDLE_NOTES_BYTES;
}

void bundle_init(struct bundle *b, size_t budget)
{
    budget = budget < FRAME_CONTENT_MAX ? budget : FRAME_CONTENT_MAX;
    *b = (struct bundle){
        .data = BUF_INIT(budget),
        .metadata = BUF_INIT(budget),
        .text = BUF_INIT(3 * budget),         /* repaired bytes are three for one */
        .names = BUF_INIT(budget + MARK_MAX), /* of those that are there, less than they take */
        .notes = BUF_INIT(notes_room(budget)),
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
    buf_done(&b->notes);
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
    reserve += notes_room(b->budget);
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

/* Escapes what is not ASCII from `start` on. */
static int make_ascii(struct buf *json, size_t start)
{
    struct slice tail = {.data = buf_text(json) + start, .len = json->len - start};
    _cleanup_(drop_buf) struct buf ascii = BUF_INIT(less(json->limit, start));
    if (jwrite_ascii(&ascii, tail) < 0) {
        json->full = true;
        return -1;
    }
    if (ascii.len > tail.len) { /* else it was ASCII */
        buf_truncate(json, start);
        return buf_add_slice(json, buf_slice(&ascii));
    }
    return 0;
}

/* A member on its way into data or metadata: opened with its key, closed or taken back. */
struct member {
    struct buf *list;
    size_t start;
    char name; /* of the list */
    const char *mime;
    size_t len; /* of the value, for the note if it does not fit */
};

static int open_member(struct bundle *b, struct member *m)
{
    struct buf *list = m->list;
    m->start = list->len;
    list->limit = list->len + room_left(b);
    list->full = false;
    int failed = jwrite_string(list, slice_of(m->mime)); /* a type may be any text */
    failed |= buf_add_text(list, ": ");
    return failed;
}

/* The person reads of it at the end of the text. */
static void note_dropped(struct bundle *b, const struct member *m)
{
    b->dropped++;
    if (b->dropped > BUNDLE_NOTES_MAX) {
        return;
    }
    size_t start = b->notes.len;
    int failed = buf_add_text(&b->notes, m->name == IN_DATA ? "\n... (" : "\n... (metadata of ");
    failed |= text_add_utf8(&b->notes, text_cut(slice_of(m->mime), BUNDLE_NOTE_NAME_MAX));
    failed |=
        buf_addf(&b->notes, " of %zu bytes left out: over the limit of %zu)", m->len, b->budget);
    if (failed) {
        buf_truncate(&b->notes, start); /* a budget so small that nothing is said */
    }
}

static int close_member(struct bundle *b, struct member *m, int failed)
{
    if (failed == 0 && b->ascii) {
        failed = make_ascii(m->list, m->start);
    }
    /* A text that is left out is not remembered: a bundle has one, if not this one. */
    if (failed == 0 || strcmp(m->mime, TEXT_TYPE) != 0) {
        failed |= remember(b, m->name, m->mime);
    }
    if (failed) {
        buf_truncate(m->list, m->start);
        note_dropped(b, m);
        return -1;
    }
    return 0;
}

bool bundle_knows(const struct bundle *b, const char *mime)
{
    return is_there(b, IN_DATA, mime);
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
    struct member m = {.list = &b->data, .name = IN_DATA, .mime = mime, .len = text.len};
    int failed = open_member(b, &m);
    failed |= jwrite_string(&b->data, text);
    return close_member(b, &m, failed);
}

int bundle_add_binary(struct bundle *b, const char *mime, struct slice bytes)
{
    if (is_there(b, IN_DATA, mime)) {
        return -1;
    }
    struct member m = {
        .list = &b->data, .name = IN_DATA, .mime = mime, .len = base64_len(bytes.len)};
    int failed = open_member(b, &m);
    failed |= buf_add_byte(&b->data, '"');
    failed |= base64_add(&b->data, bytes);
    failed |= buf_add_byte(&b->data, '"');
    return close_member(b, &m, failed);
}

int bundle_add_base64(struct bundle *b, const char *mime, struct slice text, struct err *e)
{
    _cleanup_(drop_buf) struct buf bytes = BUF_INIT(text.len + 3);
    if (base64_decode(text, &bytes, e) < 0) {
        return err_wrap(e, "%s", mime);
    }
    if (image_check(mime, buf_slice(&bytes), e) < 0) {
        return -1;
    }
    (void)bundle_add_binary(b, mime, buf_slice(&bytes)); /* what is left out is noted */
    return 0;
}

int bundle_add_json(struct bundle *b, const char *mime, struct slice raw)
{
    if (is_there(b, IN_DATA, mime)) {
        return -1;
    }
    struct member m = {.list = &b->data, .name = IN_DATA, .mime = mime, .len = raw.len};
    int failed = open_member(b, &m);
    failed |= buf_add_slice(&b->data, raw);
    return close_member(b, &m, failed);
}

int bundle_add_metadata(struct bundle *b, const char *mime, struct slice raw)
{
    if (is_there(b, IN_METADATA, mime)) {
        return -1;
    }
    struct member m = {.list = &b->metadata, .name = IN_METADATA, .mime = mime, .len = raw.len};
    int failed = open_member(b, &m);
    failed |= buf_add_slice(&b->metadata, raw);
    return close_member(b, &m, failed);
}

/* Bytes that one byte of well-formed text takes in JSON. Those of a sequence are counted at its
 * lead, so that a cut before it has not paid for it. */
static size_t byte_cost(unsigned char byte, bool ascii)
{
    if (byte >= 0x80) {
        return !ascii ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 6 : 12;
    }
    bool plain = byte >= 0x20 && byte != '"' && byte != '\\'; /* nearly all bytes */
    bool named = !plain && byte != 0 && strchr("\"\\\b\f\n\r\t", byte) != NULL;
    return plain ? 1 : named ? 2 : 6;
}

/* Length of the longest prefix of well-formed `text` whose JSON form takes at most `room` bytes,
 * quotes not counted. */
static size_t fitting_len(struct slice text, size_t room, bool ascii)
{
    size_t cost = 0;
    for (size_t i = 0; i < text.len; i++) {
        cost += byte_cost((unsigned char)text.data[i], ascii);
        if (cost > room) {
            return text_cut(text, i).len;
        }
    }
    return text.len;
}

static size_t json_cost(struct slice text, bool ascii)
{
    size_t cost = 0;
    for (size_t i = 0; i < text.len; i++) {
        cost += byte_cost((unsigned char)text.data[i], ascii);
    }
    return cost;
}

/* The notes on what was left out, or nothing where there is no room for them. */
static int collect_notes(const struct bundle *b, size_t room, struct buf *out)
{
    int failed = buf_add_slice(out, buf_slice(&b->notes));
    if (b->dropped > BUNDLE_NOTES_MAX) {
        failed |= buf_addf(out, "\n... (%zu more left out)", b->dropped - BUNDLE_NOTES_MAX);
    }
    if (json_cost(buf_slice(out), b->ascii) > room) {
        buf_clear(out);
    }
    return failed;
}

/* The text as it is shown: cut to what the other types left of the budget, with a mark that says
 * how much is missing, and the notes. */
static int compose_text(const struct bundle *b, struct buf *out)
{
    size_t room = less(b->budget, FRAME_LEN + b->data.len + b->metadata.len);
    struct slice text = buf_slice(&b->text);
    _cleanup_(drop_buf) struct buf notes = BUF_INIT(BUNDLE_NOTES_BYTES + MARK_MAX);
    int failed = collect_notes(b, room, &notes);
    room -= json_cost(buf_slice(&notes), b->ascii);
    size_t kept = fitting_len(text, room, b->ascii);
    if (b->text_missing > 0 || kept < text.len) {
        kept = fitting_len(text, less(room, MARK_MAX), b->ascii);
    }
    failed |= buf_add(out, text.data, kept);
    size_t missing = b->text_missing + text.len - kept;
    if (missing > 0 && room >= MARK_MAX) {
        failed |= buf_addf(out, "\n... (%zu more bytes)", missing);
    }
    size_t skipped = out->len == 0 && notes.len > 0 ? 1 : 0; /* no line before the first */
    failed |= buf_add(out, buf_text(&notes) + skipped, notes.len - skipped);
    return failed;
}

/* Nearly always there is nothing to cut and nothing to say. */
static bool text_is_whole(const struct bundle *b)
{
    size_t room = less(b->budget, FRAME_LEN + b->data.len + b->metadata.len);
    return b->dropped == 0 && b->text_missing == 0 &&
           fitting_len(buf_slice(&b->text), room, b->ascii) == b->text.len;
}

static int write_text(const struct bundle *b, struct buf *out)
{
    size_t start = out->len;
    _cleanup_(drop_buf) struct buf shown =
        BUF_INIT(b->text.len + BUNDLE_NOTES_BYTES + 2 * MARK_MAX);
    bool whole = text_is_whole(b);
    if (!whole && compose_text(b, &shown) < 0) {
        return -1;
    }
    int failed = jwrite_string(out, buf_slice(whole ? &b->text : &shown));
    return failed == 0 && b->ascii ? make_ascii(out, start) : failed;
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
