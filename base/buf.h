/* SPDX-License-Identifier: MIT */
/* buf.h - `struct slice` to look at bytes, `struct buf` to build them under a ceiling.
 * A buf is always NUL-terminated and may hold NULs. There is no default ceiling: every buf
 * says how large it may become. An addition that would pass it is refused whole and remembered,
 * so that a builder adds freely and asks once at the end: `return buf_check(&b, e)`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include "base/err.h"

struct slice {
    const char *data;
    size_t len;
};

#define SLICE_NONE         ((struct slice){.data = NULL, .len = 0})
#define SLICE_LIT(literal) ((struct slice){.data = (literal), .len = sizeof(literal) - 1})

/* The same as the initialiser of a static table, where a compound literal is no constant. */
#define SLICE_ROW(literal)                                                                         \
    {                                                                                              \
        .data = (literal), .len = sizeof(literal) - 1                                              \
    }

static inline struct slice slice_of(const char *text)
{
    return (struct slice){.data = text, .len = strlen(text)};
}

static inline bool slice_eq(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool slice_is(struct slice a, const char *text)
{
    return slice_eq(a, slice_of(text));
}

struct buf {
    char *data; /* NULL while empty */
    size_t len;
    size_t cap;
    size_t limit; /* bytes; never exceeded by len */
    bool full;    /* an addition was refused */
};

#define BUF_INIT(limit_bytes) ((struct buf){.limit = (limit_bytes)})

/* Each returns 0, or -1 when the ceiling forbids it (then nothing was added). */
int buf_add(struct buf *b, const void *data, size_t len);
int buf_add_byte(struct buf *b, char byte);
int buf_add_text(struct buf *b, const char *text);
int buf_add_slice(struct buf *b, struct slice s);
int buf_addf(struct buf *b, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes room for `len` more bytes at the end; lends the place, or NULL at the ceiling. */
char *buf_reserve(struct buf *b, size_t len);

/* Counts `len` bytes that were written into reserved room. */
void buf_commit(struct buf *b, size_t len);

/* Fails with ERR_LIMIT when an addition was refused since the last buf_clear. */
MUST_CHECK int buf_check(const struct buf *b, struct err *e);

/* Drops the first `len` bytes. */
void buf_shift(struct buf *b, size_t len);

/* Cuts it to its first `len` bytes; a builder that fails half-way takes its beginning back so. */
void buf_truncate(struct buf *b, size_t len);

/* Empties it and keeps the memory. */
void buf_clear(struct buf *b);

/* Frees the memory; the ceiling stays and the buf can be used again. */
void buf_done(struct buf *b);
DEFINE_DROP_VALUE(buf, struct buf, buf_done)

/* Gives the bytes as a NUL-terminated heap string (never NULL) and empties the buf. */
char *buf_take(struct buf *b);

/* Lends the content; valid until the next change. */
static inline struct slice buf_slice(const struct buf *b)
{
    return (struct slice){.data = b->data ? b->data : "", .len = b->len};
}

/* Lends the content as a C string, never NULL. */
static inline const char *buf_text(const struct buf *b)
{
    return b->data ? b->data : "";
}
