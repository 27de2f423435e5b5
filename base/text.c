/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "base/utf8.h"

static const struct slice REPLACEMENT = {"\xef\xbf\xbd", 3};

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* First byte from `at` on that begins something ill-formed or unfinished, or `end`. */
static const char *skip_well_formed(const char *at, const char *end)
{
    for (;;) {
        at = utf8_skip_ascii(at, end);
        if (at == end) {
            return end;
        }
        struct utf8_step step = utf8_step(at, end);
        if (step.verdict != UTF8_WHOLE) {
            return at;
        }
        at += step.len;
    }
}

bool text_is_utf8(struct slice s)
{
    return s.len == 0 || skip_well_formed(s.data, s.data + s.len) == s.data + s.len;
}

size_t text_complete_len(struct slice s)
{
    for (size_t back = 1; back <= 3 && back <= s.len; back++) {
        const char *at = s.data + s.len - back;
        if (is_continuation(*at)) {
            continue;
        }
        bool cut = utf8_step(at, s.data + s.len).verdict == UTF8_CUT;
        return cut ? s.len - back : s.len;
    }
    return s.len;
}

int text_add_utf8(struct buf *out, struct slice s)
{
    size_t start = out->len;
    const char *at = s.data;
    const char *end = s.len > 0 ? s.data + s.len : s.data;
    while (at < end) {
        const char *bad = skip_well_formed(at, end);
        int failed = buf_add(out, at, (size_t)(bad - at));
        at = bad;
        if (failed == 0 && at < end) {
            failed = buf_add_slice(out, REPLACEMENT);
            at += utf8_step(at, end).len;
        }
        if (failed) {
            buf_truncate(out, start);
            return -1;
        }
    }
    return 0;
}

struct slice text_cut(struct slice s, size_t max)
{
    if (s.len <= max) {
        return s;
    }
    size_t len = max;
    while (len > 0 && max - len < 3 && is_continuation(s.data[len])) {
        len--;
    }
    if (is_continuation(s.data[len])) {
        len = max; /* not UTF-8: there is no better place */
    }
    return (struct slice){.data = s.data, .len = len};
}

size_t text_code_points(struct slice s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++) {
        count += !is_continuation(s.data[i]);
    }
    return count;
}

size_t text_offset(struct slice s, size_t index)
{
    for (size_t at = 0; at < s.len; at++) {
        if (is_continuation(s.data[at])) {
            continue;
        }
        if (index == 0) {
            return at;
        }
        index--;
    }
    return s.len;
}

struct slice text_of_int(int64_t value, char room[TEXT_INT_SIZE])
{
    char *at = room + TEXT_INT_SIZE;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        *--at = '-';
    }
    return (struct slice){.data = at, .len = (size_t)(room + TEXT_INT_SIZE - at)};
}
