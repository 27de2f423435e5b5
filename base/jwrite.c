/* SPDX-License-Identifier: MIT */
#include "base/jwrite.h"

#include <stdio.h>

#include "base/jscan.h"
#include "base/text.h"
#include "base/utf8.h"

/* How many bytes of ", " stand between a value or key and the text before it. */
static size_t separator_len(const struct buf *out)
{
    size_t len = out->len;
    while (len > 0 && (out->data[len - 1] == ' ' || out->data[len - 1] == '\n')) {
        len--;
    }
    char last = len > 0 ? out->data[len - 1] : '[';
    return last == '{' || last == '[' || last == ':' || last == ',' ? 0 : 2;
}

/* Reserves room for `len` bytes behind a separator, which it writes; lends the place, or NULL at
 * the ceiling. The caller commits both. */
static char *reserve(struct buf *out, size_t len, size_t *separator)
{
    *separator = separator_len(out);
    char *room = buf_reserve(out, *separator + len);
    if (room != NULL && *separator > 0) {
        room[0] = ',';
        room[1] = ' ';
    }
    return room != NULL ? room + *separator : NULL;
}

int jwrite_raw(struct buf *out, struct slice json)
{
    size_t separator = 0;
    char *room = reserve(out, json.len, &separator);
    if (room == NULL) {
        return -1;
    }
    if (json.len > 0) { /* an empty one may have no place */
        memcpy(room, json.data, json.len);
    }
    buf_commit(out, separator + json.len);
    return 0;
}

int jwrite_object(struct buf *out)
{
    return jwrite_raw(out, SLICE_LIT("{"));
}

int jwrite_object_end(struct buf *out)
{
    return buf_add_byte(out, '}');
}

int jwrite_list(struct buf *out)
{
    return jwrite_raw(out, SLICE_LIT("["));
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
    int failed = jwrite_raw(out, SLICE_LIT("\""));
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
    static const char colon[] = "\": ";
    size_t len = strlen(key);
    size_t quoted = 1 + len + sizeof colon - 1;
    size_t separator = 0;
    char *room = reserve(out, quoted, &separator);
    if (room == NULL) {
        return -1;
    }
    room[0] = '"';
    memcpy(room + 1, key, len);
    memcpy(room + 1 + len, colon, sizeof colon - 1);
    buf_commit(out, separator + quoted);
    return 0;
}

int jwrite_text(struct buf *out, const char *text)
{
    return jwrite_string(out, slice_of(text));
}

int jwrite_int(struct buf *out, int64_t value)
{
    char text[TEXT_INT_SIZE];
    return jwrite_raw(out, text_of_int(value, text));
}

int jwrite_bool(struct buf *out, bool value)
{
    return jwrite_raw(out, value ? SLICE_LIT("true") : SLICE_LIT("false"));
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

int jwrite_member_real(struct buf *out, const char *key, double value)
{
    char text[512]; /* DBL_MAX has 309 digits */
    int len = snprintf(text, sizeof text, "%.1f", value);
    return jwrite_member_raw(out, key, (struct slice){.data = text, .len = (size_t)len});
}

/* The code point of a whole sequence of `len` bytes, two to four. */
static uint32_t code_point(const char *at, unsigned len)
{
    uint32_t code = (unsigned char)at[0] & (0x7fU >> len);
    for (unsigned i = 1; i < len; i++) {
        code = code << 6 | ((unsigned char)at[i] & 0x3f);
    }
    return code;
}

static int add_unit(struct buf *out, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    return buf_add(out,
                   (char[]){'\\', 'u', digits[unit >> 12], digits[unit >> 8 & 15],
                            digits[unit >> 4 & 15], digits[unit & 15]},
                   6);
}

static int add_code_point(struct buf *out, uint32_t code)
{
    if (code <= 0xffff) {
        return add_unit(out, code);
    }
    code -= 0x10000;
    int failed = add_unit(out, 0xd800 | code >> 10);
    return failed ? failed : add_unit(out, 0xdc00 | (code & 0x3ff));
}

int jwrite_ascii(struct buf *out, struct slice json)
{
    size_t start = out->len;
    const char *at = json.data;
    const char *end = json.len > 0 ? json.data + json.len : json.data;
    int failed = 0;
    while (at < end && failed == 0) {
        const char *wide = utf8_skip_ascii(at, end);
        failed = buf_add(out, at, (size_t)(wide - at));
        at = wide;
        if (failed == 0 && at < end) {
            struct utf8_step step = utf8_step(at, end);
            bool whole = step.verdict == UTF8_WHOLE;
            failed = add_code_point(out, whole ? code_point(at, step.len) : 0xfffd);
            at += step.len;
        }
    }
    if (failed) {
        buf_truncate(out, start);
    }
    return failed;
}

#define ESCAPE_LEN 6 /* of \uXXXX */

/* The first escape from `at`, where no escape is under way, that is half a pair; or `end`. */
static const char *find_half(const char *at, const char *end)
{
    while (at < end && (at = memchr(at, '\\', (size_t)(end - at))) != NULL) {
        int32_t unit = jscan_code_unit(at, end);
        bool high = unit >= 0xd800 && unit <= 0xdbff;
        bool low = unit >= 0xdc00 && unit <= 0xdfff;
        int32_t next = high ? jscan_code_unit(at + ESCAPE_LEN, end) : -1;
        bool pair = next >= 0xdc00 && next <= 0xdfff;
        if (low || (high && !pair)) {
            return at;
        }
        at += pair ? 2 * ESCAPE_LEN : unit >= 0 ? ESCAPE_LEN : 2;
    }
    return end;
}

struct slice jwrite_mended(struct slice json, struct buf *copy)
{
    const char *end = json.len > 0 ? json.data + json.len : json.data;
    const char *at = find_half(json.data, end);
    if (at == end || buf_add_slice(copy, json) < 0) {
        return json;
    }
    for (; at < end; at = find_half(at + ESCAPE_LEN, end)) {
        memcpy(copy->data + (at - json.data), "\\ufffd", ESCAPE_LEN);
    }
    return buf_slice(copy);
}
