/* SPDX-License-Identifier: MIT */
#include "base/jwrite.h"

#include "base/utf8.h"

/* What stands between a value or key and the text before it. */
static struct slice separator(const struct buf *out)
{
    size_t len = out->len;
    while (len > 0 && (out->data[len - 1] == ' ' || out->data[len - 1] == '\n')) {
        len--;
    }
    bool is_first = len == 0 || strchr("{[:,", out->data[len - 1]) != NULL;
    return is_first ? SLICE_LIT("") : SLICE_LIT(", ");
}

/* Appends `first` and `second` behind a separator, all or nothing. */
static int add_separated(struct buf *out, struct slice first, struct slice second)
{
    struct slice comma = separator(out);
    size_t len = comma.len + first.len + second.len;
    char *room = buf_reserve(out, len);
    if (room == NULL) {
        return -1;
    }
    const struct slice parts[] = {comma, first, second};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len > 0) { /* an empty one may have no place */
            memcpy(room, parts[i].data, parts[i].len);
            room += parts[i].len;
        }
    }
    buf_commit(out, len);
    return 0;
}

int jwrite_object(struct buf *out)
{
    return add_separated(out, SLICE_LIT("{"), SLICE_LIT(""));
}

int jwrite_object_end(struct buf *out)
{
    return buf_add_byte(out, '}');
}

int jwrite_list(struct buf *out)
{
    return add_separated(out, SLICE_LIT("["), SLICE_LIT(""));
}

int jwrite_list_end(struct buf *out)
{
    return buf_add_byte(out, ']');
}

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
    int failed = add_separated(out, SLICE_LIT("\""), SLICE_LIT(""));
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
    size_t start = out->len;
    if (add_separated(out, SLICE_LIT("\""), slice_of(key)) < 0 || buf_add(out, "\": ", 3) < 0) {
        buf_truncate(out, start);
        return -1;
    }
    return 0;
}

int jwrite_text(struct buf *out, const char *text)
{
    return jwrite_string(out, slice_of(text));
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
    return jwrite_raw(out, (struct slice){.data = at, .len = (size_t)(text + sizeof text - at)});
}

int jwrite_bool(struct buf *out, bool value)
{
    return jwrite_raw(out, value ? SLICE_LIT("true") : SLICE_LIT("false"));
}

int jwrite_raw(struct buf *out, struct slice json)
{
    return add_separated(out, json, SLICE_LIT(""));
}

/* A key whose value did not fit is taken back. */
static int close_member(struct buf *out, size_t start, int failed)
{
    if (failed) {
        buf_truncate(out, start);
    }
    return failed ? -1 : 0;
}

int jwrite_member(struct buf *out, const char *key, struct slice s)
{
    size_t start = out->len;
    return close_member(out, start, jwrite_key(out, key) < 0 || jwrite_string(out, s) < 0);
}

int jwrite_member_text(struct buf *out, const char *key, const char *text)
{
    return jwrite_member(out, key, slice_of(text));
}

int jwrite_member_int(struct buf *out, const char *key, int64_t value)
{
    size_t start = out->len;
    return close_member(out, start, jwrite_key(out, key) < 0 || jwrite_int(out, value) < 0);
}

int jwrite_member_bool(struct buf *out, const char *key, bool value)
{
    return jwrite_member_raw(out, key, value ? SLICE_LIT("true") : SLICE_LIT("false"));
}

int jwrite_member_raw(struct buf *out, const char *key, struct slice json)
{
    size_t start = out->len;
    return close_member(out, start, jwrite_key(out, key) < 0 || jwrite_raw(out, json) < 0);
}
