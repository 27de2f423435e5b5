/* SPDX-License-Identifier: MIT */
#include "contexts/wire/frame.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/bounds.h"
#include "base/mem.h"

/* The version is part of the magic: two builds that differ do not even begin to talk. */
#define MAGIC ((uint32_t)0x50570000U | (uint32_t)WIRE_VERSION)

struct header {
    uint32_t magic;
    uint32_t type;
    uint64_t exec;
    uint64_t content_len;
    uint64_t buffers_len; /* the buffers together, without the table of their lengths */
    uint32_t buffer_count;
    uint32_t zero;
};

static_assert(sizeof(struct header) == 40, "no padding: the header goes out as it lies in memory");
static_assert(offsetof(struct header, exec) == 8, "layout of the header");
static_assert(offsetof(struct header, buffers_len) == 24, "layout of the header");
static_assert(offsetof(struct header, zero) == 36, "layout of the header");
static_assert(WIRE_VERSION > 0 && WIRE_VERSION <= 0xffff, "the magic has 16 bits for it");

#define FRAME_MAX                                                                                  \
    (sizeof(struct header) + FRAME_CONTENT_MAX + FRAME_BUFFER_COUNT_MAX * sizeof(uint64_t) +       \
     FRAME_BUFFERS_MAX)

/* What one read asks for at least, and what an idle reader may keep; one byte is the buf's NUL. */
#define READ_CHUNK (32UL * KIB - 1)
#define KEEP_CAP   (32UL * KIB)

/* Pieces handed to the kernel at once, far below IOV_MAX. */
enum { PIECES_AT_ONCE = 64 };

void wire_reader_init(struct wire_reader *r)
{
    *r = (struct wire_reader){.in = BUF_INIT(FRAME_MAX + READ_CHUNK)};
}

void wire_reader_done(struct wire_reader *r)
{
    if (r == NULL) {
        return;
    }
    buf_done(&r->in);
    free(take(r->buffers));
    r->buffers_cap = 0;
    r->used = 0;
}

/* Forgets the frames that were given; the memory of a huge one goes back at once. */
static void settle(struct wire_reader *r)
{
    if (r->used < r->in.len) {
        return;
    }
    if (r->in.cap > KEEP_CAP) {
        buf_done(&r->in);
    } else {
        buf_clear(&r->in);
    }
    r->used = 0;
}

/* Moves what is left to the front, but only when that is no more than what was used up (so that
 * each byte pays for at most one move) or when there is no other room. */
static void compact(struct wire_reader *r, size_t wanted)
{
    settle(r);
    size_t left = r->in.len - r->used;
    if (r->used == 0 || (left > r->used && r->in.len + wanted <= r->in.limit)) {
        return;
    }
    if (r->in.cap > KEEP_CAP && left < KEEP_CAP / 2) {
        struct buf small = BUF_INIT(r->in.limit);
        (void)buf_add(&small, r->in.data + r->used, left); /* far below the ceiling */
        buf_done(&r->in);
        r->in = small;
    } else {
        buf_shift(&r->in, r->used);
    }
    r->used = 0;
}

static int check_counts(const struct header *h, struct err *e)
{
    if (h->magic != MAGIC) {
        return err_set(e, ERR_PROTO, "not a frame of wire version %d", WIRE_VERSION);
    }
    if (h->type >= WIRE_TYPES) {
        return err_set(e, ERR_PROTO, "frame of unknown type %u", h->type);
    }
    if (h->zero != 0 || (h->buffer_count == 0 && h->buffers_len != 0)) {
        return err_set(e, ERR_PROTO, "%s frame with a malformed header",
                       wire_type_name((enum wire_type)h->type));
    }
    if (h->content_len > FRAME_CONTENT_MAX) {
        return err_set(e, ERR_LIMIT, "frame content of %llu bytes, limit %lu",
                       (unsigned long long)h->content_len, FRAME_CONTENT_MAX);
    }
    if (h->buffer_count > FRAME_BUFFER_COUNT_MAX) {
        return err_set(e, ERR_LIMIT, "frame of %u buffers, limit %lu", h->buffer_count,
                       FRAME_BUFFER_COUNT_MAX);
    }
    if (h->buffers_len > FRAME_BUFFERS_MAX) {
        return err_set(e, ERR_LIMIT, "frame buffers of %llu bytes, limit %lu",
                       (unsigned long long)h->buffers_len, FRAME_BUFFERS_MAX);
    }
    return 0;
}

static size_t table_len(const struct header *h)
{
    return (size_t)h->buffer_count * sizeof(uint64_t);
}

static size_t frame_len(const struct header *h)
{
    return sizeof *h + (size_t)h->content_len + table_len(h) + (size_t)h->buffers_len;
}

/* Lengths may lie at any address: the content in front of them has any length. */
static uint64_t table_at(const char *table, size_t i)
{
    uint64_t len = 0;
    memcpy(&len, table + i * sizeof len, sizeof len);
    return len;
}

static int check_table(const struct header *h, const char *table, struct err *e)
{
    uint64_t left = h->buffers_len;
    for (size_t i = 0; i < h->buffer_count; i++) {
        uint64_t len = table_at(table, i);
        if (len > left) {
            return err_set(e, ERR_PROTO, "frame whose buffers do not add up");
        }
        left -= len;
    }
    if (left != 0) {
        return err_set(e, ERR_PROTO, "frame whose buffers do not add up");
    }
    return 0;
}

static void lend_buffers(struct wire_reader *r, const struct header *h, const char *table)
{
    if (h->buffer_count > r->buffers_cap) {
        r->buffers = xrealloc(r->buffers, h->buffer_count, sizeof *r->buffers);
        r->buffers_cap = h->buffer_count;
    }
    const char *at = table + table_len(h);
    for (size_t i = 0; i < h->buffer_count; i++) {
        r->buffers[i] = (struct slice){.data = at, .len = (size_t)table_at(table, i)};
        at += r->buffers[i].len;
    }
}

/* Reads the header of the frame that comes next. 1: `*out` is checked; 0: not all there. */
static int peek(const struct wire_reader *r, struct header *out, struct err *e)
{
    if (r->in.len - r->used < sizeof *out) {
        return 0;
    }
    memcpy(out, r->in.data + r->used, sizeof *out);
    return check_counts(out, e) < 0 ? -1 : 1;
}

int wire_reader_next(struct wire_reader *r, struct wire_frame *out, struct err *e)
{
    settle(r);
    struct header h;
    int there = peek(r, &h, e);
    if (there <= 0) {
        return there;
    }
    size_t have = r->in.len - r->used;
    size_t table_end = sizeof h + (size_t)h.content_len + table_len(&h);
    if (have < table_end) {
        return 0;
    }
    const char *content = r->in.data + r->used + sizeof h;
    const char *table = content + h.content_len;
    if (check_table(&h, table, e) < 0) {
        return -1;
    }
    if (have < frame_len(&h)) {
        return 0;
    }
    lend_buffers(r, &h, table);
    r->used += frame_len(&h);
    *out = (struct wire_frame){.type = (enum wire_type)h.type,
                               .exec = h.exec,
                               .content = {.data = content, .len = (size_t)h.content_len},
                               .buffers = h.buffer_count > 0 ? r->buffers : NULL,
                               .buffer_count = h.buffer_count};
    return 1;
}

/* How much to ask for: the rest of a frame that has begun, so that it lands where it stays, else
 * a chunk. Room grows only with what really came (it doubles), not with what a header claims. */
static size_t wanted(const struct wire_reader *r)
{
    struct header h;
    if (peek(r, &h, NULL) != 1) {
        return READ_CHUNK;
    }
    size_t have = r->in.len - r->used;
    size_t total = frame_len(&h);
    size_t rest = total > have ? total - have : 0;
    size_t most = have > READ_CHUNK ? have : READ_CHUNK;
    return rest > most ? most : rest < READ_CHUNK ? READ_CHUNK : rest;
}

ssize_t wire_reader_fill(struct wire_reader *r, int fd, struct err *e)
{
    size_t len = wanted(r);
    compact(r, len);
    char *room = buf_reserve(&r->in, len);
    if (room == NULL) {
        return err_set(e, ERR_LIMIT, "more than %zu unread bytes of frames", r->in.limit);
    }
    ssize_t n = 0;
    do {
        n = read(fd, room, len);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        return err_sys(e, "read");
    }
    buf_commit(&r->in, (size_t)n);
    return n;
}

int wire_reader_feed(struct wire_reader *r, struct slice data, struct err *e)
{
    compact(r, data.len);
    if (buf_add_slice(&r->in, data) < 0) {
        return err_set(e, ERR_LIMIT, "more than %zu unread bytes of frames", r->in.limit);
    }
    return 0;
}

/* Makes the header of a frame; refuses what the reader at the other end would refuse. */
static int make_header(const struct wire_frame *frame, struct header *out, struct err *e)
{
    *out = (struct header){.magic = MAGIC,
                           .type = (uint32_t)frame->type,
                           .exec = frame->exec,
                           .content_len = frame->content.len};
    if (frame->buffer_count > FRAME_BUFFER_COUNT_MAX) {
        return err_set(e, ERR_LIMIT, "frame of %zu buffers, limit %lu", frame->buffer_count,
                       FRAME_BUFFER_COUNT_MAX);
    }
    out->buffer_count = (uint32_t)frame->buffer_count;
    for (size_t i = 0; i < frame->buffer_count; i++) {
        if (__builtin_add_overflow(out->buffers_len, frame->buffers[i].len, &out->buffers_len)) {
            return err_set(e, ERR_LIMIT, "frame buffers beyond all bounds");
        }
    }
    return check_counts(out, e);
}

int wire_encode(struct buf *out, const struct wire_frame *frame, struct err *e)
{
    struct header h;
    if (make_header(frame, &h, e) < 0) {
        return -1;
    }
    size_t total = frame_len(&h);
    if (buf_reserve(out, total) == NULL) {
        return err_set(e, ERR_LIMIT, "frame of %zu bytes into a queue of %zu", total, out->limit);
    }
    /* The room is there: none of these can fail. */
    (void)buf_add(out, &h, sizeof h);
    (void)buf_add_slice(out, frame->content);
    for (size_t i = 0; i < frame->buffer_count; i++) {
        uint64_t len = frame->buffers[i].len;
        (void)buf_add(out, &len, sizeof len);
    }
    for (size_t i = 0; i < frame->buffer_count; i++) {
        (void)buf_add_slice(out, frame->buffers[i]);
    }
    return 0;
}

/* A frame on its way out: pieces are the header, the content, the table, then the buffers. */
struct writer {
    struct header header;
    const struct wire_frame *frame;
    uint64_t *table;
    size_t piece;  /* first that is not out whole */
    size_t offset; /* bytes of it that are out */
};

enum { PIECE_HEADER, PIECE_CONTENT, PIECE_TABLE, PIECE_BUFFERS };

static struct slice piece_at(const struct writer *w, size_t i)
{
    switch (i) {
    case PIECE_HEADER:
        return (struct slice){.data = (const char *)&w->header, .len = sizeof w->header};
    case PIECE_CONTENT:
        return w->frame->content;
    case PIECE_TABLE:
        return (struct slice){.data = (const char *)w->table, .len = table_len(&w->header)};
    default:
        return w->frame->buffers[i - PIECE_BUFFERS];
    }
}

static size_t piece_count(const struct writer *w)
{
    return PIECE_BUFFERS + w->frame->buffer_count;
}

static size_t gather(const struct writer *w, struct iovec *iov)
{
    size_t n = 0;
    size_t skip = w->offset;
    for (size_t i = w->piece; i < piece_count(w) && n < PIECES_AT_ONCE; i++) {
        struct slice piece = piece_at(w, i);
        if (piece.len > skip) {
            iov[n++] = (struct iovec){.iov_base = (void *)(uintptr_t)(piece.data + skip),
                                      .iov_len = piece.len - skip};
        }
        skip = 0;
    }
    return n;
}

static void advance(struct writer *w, size_t len)
{
    while (w->piece < piece_count(w)) {
        size_t rest = piece_at(w, w->piece).len - w->offset;
        if (rest > len) {
            w->offset += len;
            return;
        }
        len -= rest;
        w->piece++;
        w->offset = 0;
    }
}

/* After a failed send: 0 when it is to be tried again. */
static int recover(int fd, struct err *e)
{
    if (errno == EINTR) {
        return 0;
    }
    if (errno == EAGAIN) {
        struct pollfd writable = {.fd = fd, .events = POLLOUT};
        if (poll(&writable, 1, -1) < 0 && errno != EINTR) {
            return err_sys(e, "poll");
        }
        return 0;
    }
    bool gone = errno == EPIPE || errno == ECONNRESET;
    (void)err_sys(e, "sendmsg");
    if (gone && e != NULL) {
        e->code = ERR_GONE;
    }
    return -1;
}

int wire_write(int fd, const struct wire_frame *frame, struct err *e)
{
    struct writer w = {.frame = frame};
    if (make_header(frame, &w.header, e) < 0) {
        return -1;
    }
    _cleanup_(drop_free) uint64_t *table = NULL;
    if (frame->buffer_count > 0) {
        table = xrealloc(NULL, frame->buffer_count, sizeof *table);
        for (size_t i = 0; i < frame->buffer_count; i++) {
            table[i] = frame->buffers[i].len;
        }
    }
    w.table = table;
    for (;;) {
        struct iovec iov[PIECES_AT_ONCE];
        struct msghdr msg = {.msg_iov = iov, .msg_iovlen = gather(&w, iov)};
        if (msg.msg_iovlen == 0) {
            return 0;
        }
        ssize_t n = sendmsg(fd, &msg, MSG_NOSIGNAL);
        if (n >= 0) {
            advance(&w, (size_t)n);
        } else if (recover(fd, e) < 0) {
            return -1;
        }
    }
}

bool wire_reader_is_empty(const struct wire_reader *r)
{
    return r->used == r->in.len;
}
