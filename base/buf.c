/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/mem.h"

enum { BUF_MIN_CAP = 64 };

char *buf_reserve(struct buf *b, size_t len)
{
    size_t need = 0;
    if (__builtin_add_overflow(b->len, len, &need) || need > b->limit || need > SIZE_MAX / 4) {
        b->full = true;
        return NULL;
    }
    if (need + 1 > b->cap) { /* one more for the NUL */
        size_t cap = b->cap ? b->cap : BUF_MIN_CAP;
        while (cap < need + 1) {
            cap *= 2;
        }
        b->data = xrealloc(b->data, cap, 1);
        b->cap = cap;
    }
    return b->data + b->len;
}

void buf_commit(struct buf *b, size_t len)
{
    assert(len < b->cap - b->len);
    b->len += len;
    b->data[b->len] = '\0';
}

int buf_add(struct buf *b, const void *data, size_t len)
{
    char *room = buf_reserve(b, len);
    if (room == NULL) {
        return -1;
    }
    if (len > 0) {
        memcpy(room, data, len);
    }
    buf_commit(b, len);
    return 0;
}

int buf_add_byte(struct buf *b, char byte)
{
    return buf_add(b, &byte, 1);
}

int buf_add_text(struct buf *b, const char *text)
{
    return buf_add(b, text, strlen(text));
}

int buf_add_slice(struct buf *b, struct slice s)
{
    return buf_add(b, s.data, s.len);
}

int buf_addf(struct buf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0) {
        b->full = true;
        return -1;
    }
    char *room = buf_reserve(b, (size_t)n);
    if (room == NULL) {
        return -1;
    }
    va_start(args, format);
    (void)vsnprintf(room, (size_t)n + 1, format, args); /* measured above */
    va_end(args);
    buf_commit(b, (size_t)n);
    return 0;
}

int buf_check(const struct buf *b, struct err *e)
{
    if (b->full) {
        return err_set(e, ERR_LIMIT, "more than %zu bytes", b->limit);
    }
    return 0;
}

void buf_shift(struct buf *b, size_t len)
{
    if (len >= b->len) {
        buf_clear(b);
        return;
    }
    memmove(b->data, b->data + len, b->len - len);
    b->len -= len;
    b->data[b->len] = '\0';
}

void buf_truncate(struct buf *b, size_t len)
{
    assert(len <= b->len);
    if (len < b->len) {
        b->len = len;
        b->data[len] = '\0';
    }
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    b->full = false;
    if (b->data != NULL) {
        b->data[0] = '\0';
    }
}

void buf_done(struct buf *b)
{
    if (b == NULL) {
        return;
    }
    free(b->data);
    *b = BUF_INIT(b->limit);
}

char *buf_take(struct buf *b)
{
    char *text = b->data ? take(b->data) : xstrdup("");
    *b = BUF_INIT(b->limit);
    return text;
}
