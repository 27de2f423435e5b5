/* SPDX-License-Identifier: MIT */
#include "base/jwrite.h"

#include <stdio.h>

#include "base/utf8.h"

/* First byte from `at` on that cannot be copied as it is, or `end`. */
static const char *skip_copied(const char *at, const char *end)
{
    for (;;) {
        at = utf8_skip_plain(at, end);
        if (at == end || (unsigned char)*at < 0x80) {
            return at;
        }
        struct utf8_step step = utf8_step(at, end);
        if (step.verdict != UTF8_WHOLE) {
            return at;
        }
        at += step.len;
    }
}

static int add_escape(struct buf *out, unsigned char byte)
{
    static const char names[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    static const char digits[] = "0123456789abcdef";
    const char *name = byte != 0 ? strchr(names, byte) : NULL;
    if (name != NULL) {
        return buf_add(out, (char[]){'\\', letters[name - names]}, 2);
    }
    return buf_add(out, (char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]}, 6);
}

/* Appends what stands for the piece at `*at`, which skip_copied stopped at, and passes it. */
static int add_special(struct buf *out, const char **at, const char *end)
{
    unsigned char byte = (unsigned char)**at;
    if (byte < 0x80) {
        *at += 1;
        return add_escape(out, byte);
    }
    *at += utf8_step(*at, end).len;
    return buf_add_text(out, "\xef\xbf\xbd");
}

int jwrite_string(struct buf *out, struct slice s)
{
    size_t start = out->len;
    const char *at = s.data;
    const char *end = s.len > 0 ? s.data + s.len : s.data;
    int failed = buf_add_byte(out, '"');
    while (at < end && failed == 0) {
        const char *special = skip_copied(at, end);
        failed = buf_add(out, at, (size_t)(special - at));
        at = special;
        if (failed == 0 && at < end) {
            failed = add_special(out, &at, end);
        }
    }
    if (failed || buf_add_byte(out, '"') < 0) {
        buf_truncate(out, start);
        return -1;
    }
    return 0;
}

int jwrite_key(struct buf *out, const char *key)
{
    size_t len = strlen(key);
    char *room = buf_reserve(out, len + 4);
    if (room == NULL) {
        return -1;
    }
    room[0] = '"';
    memcpy(room + 1, key, len);
    memcpy(room + 1 + len, "\": ", 3);
    buf_commit(out, len + 4);
    return 0;
}

int jwrite_int(struct buf *out, int64_t value)
{
    enum { DIGITS_MAX = 20 }; /* of INT64_MIN, with its sign */

    char text[DIGITS_MAX];
    char *at = text + sizeof text;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        *--at = '-';
    }
    return buf_add(out, at, (size_t)(text + sizeof text - at));
}
