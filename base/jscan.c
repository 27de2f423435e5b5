/* SPDX-License-Identifier: MIT */
/* jscan.c - reading of JSON that jscan_check (jcheck.c) has accepted. Every step is bounded by the
 * end of the slice all the same: text that was not checked gives wrong answers, nothing worse. */
#include "base/jscan.h"

#include "base/text.h"

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at)) {
        at++;
    }
    return at;
}

/* `at` is on the opening quote; returns the place behind the closing one. A quote ends the string
 * when an even number of backslashes stands before it. */
static const char *skip_string(const char *at, const char *end)
{
    const char *first = at + 1;
    const char *from = first;
    while (from < end) {
        const char *quote = memchr(from, '"', (size_t)(end - from));
        if (quote == NULL) {
            return end;
        }
        size_t slashes = 0;
        while (quote - slashes > first && quote[-(ptrdiff_t)slashes - 1] == '\\') {
            slashes++;
        }
        if (slashes % 2 == 0) {
            return quote + 1;
        }
        from = quote + 1;
    }
    return end;
}

static const char *skip_container(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        if (*at == '{' || *at == '[') {
            depth++;
        }
        if ((*at == '}' || *at == ']') && --depth == 0) {
            return at + 1;
        }
        at++;
    }
    return end;
}

static const char *skip_value(const char *at, const char *end)
{
    if (at == end) {
        return end;
    }
    if (*at == '"') {
        return skip_string(at, end);
    }
    if (*at == '{' || *at == '[') {
        return skip_container(at, end);
    }
    while (at < end && !is_space(*at) && *at != ',' && *at != '}' && *at != ']') {
        at++;
    }
    return at;
}

/* The slice without white space around it. */
static struct slice trim(struct slice s)
{
    while (s.len > 0 && is_space(s.data[0])) {
        s.data++;
        s.len--;
    }
    while (s.len > 0 && is_space(s.data[s.len - 1])) {
        s.len--;
    }
    return s;
}

enum jscan_kind jscan_kind(struct slice text)
{
    text = trim(text);
    if (text.len == 0) {
        return JSCAN_NONE;
    }
    switch (text.data[0]) {
    case '{':
        return JSCAN_OBJECT;
    case '[':
        return JSCAN_ARRAY;
    case '"':
        return JSCAN_STRING;
    case 't':
        return JSCAN_TRUE;
    case 'f':
        return JSCAN_FALSE;
    case 'n':
        return JSCAN_NULL;
    default:
        return JSCAN_NUMBER;
    }
}

void jscan_iter_init(struct jscan_iter *it, struct slice container)
{
    enum jscan_kind kind = jscan_kind(container);
    container = trim(container);
    *it = (struct jscan_iter){.object = kind == JSCAN_OBJECT};
    if (kind == JSCAN_OBJECT || kind == JSCAN_ARRAY) {
        it->at = container.data + 1;
        it->end = container.data + container.len;
    }
}

bool jscan_next(struct jscan_iter *it, struct slice *key, struct slice *value)
{
    const char *at = skip_space(it->at, it->end);
    if (at < it->end && *at == ',') {
        at = skip_space(at + 1, it->end);
    }
    if (at == it->end || *at == '}' || *at == ']') {
        it->at = it->end;
        return false;
    }
    *key = SLICE_NONE;
    if (it->object) {
        const char *after = skip_value(at, it->end);
        *key = (struct slice){.data = at, .len = (size_t)(after - at)};
        at = skip_space(after, it->end);
        at = skip_space(at < it->end ? at + 1 : at, it->end); /* the colon */
    }
    it->at = skip_value(at, it->end);
    *value = (struct slice){.data = at, .len = (size_t)(it->at - at)};
    return true;
}

struct slice jscan_get(struct slice object, const char *key)
{
    struct slice found = SLICE_NONE;
    if (jscan_kind(object) != JSCAN_OBJECT) {
        return found;
    }
    struct jscan_iter it;
    struct slice name;
    struct slice value;
    jscan_iter_init(&it, object);
    while (jscan_next(&it, &name, &value)) {
        if (jscan_string_is(name, key)) {
            found = value;
        }
    }
    return found;
}

void jscan_pick(struct slice object, const char *const *keys, struct slice *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = SLICE_NONE;
    }
    if (jscan_kind(object) != JSCAN_OBJECT) {
        return;
    }
    struct jscan_iter it;
    struct slice name;
    struct slice value;
    jscan_iter_init(&it, object);
    while (jscan_next(&it, &name, &value)) {
        for (size_t i = 0; i < count; i++) {
            if (jscan_string_is(name, keys[i])) {
                values[i] = value;
            }
        }
    }
}

/* What lies between the quotes; false when `value` is not a string. */
static bool inner_text(struct slice value, struct slice *out)
{
    value = trim(value);
    if (value.len < 2 || value.data[0] != '"' || value.data[value.len - 1] != '"') {
        return false;
    }
    *out = (struct slice){.data = value.data + 1, .len = value.len - 2};
    return true;
}

static unsigned hex_digit(char byte)
{
    return byte <= '9' ? (unsigned)byte - '0' : ((unsigned)byte | 0x20U) - 'a' + 10;
}

int32_t jscan_code_unit(const char *at, const char *end)
{
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u') {
        return -1;
    }
    unsigned unit = 0;
    for (int i = 2; i < 6; i++) {
        unit = unit << 4 | (hex_digit(at[i]) & 15);
    }
    return (int32_t)unit;
}

static int add_code_point(struct buf *out, uint32_t cp)
{
    char utf8[4];
    size_t len = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = len - 1; i > 0; i--) {
        utf8[i] = (char)(0x80 | (cp & 0x3f));
        cp >>= 6;
    }
    utf8[0] = (char)(leads[len] | cp);
    return buf_add(out, utf8, len);
}

static int add_unicode_escape(struct buf *out, const char **at, const char *end)
{
    int32_t unit = jscan_code_unit(*at, end);
    if (unit < 0) {
        return -1;
    }
    *at += 6;
    uint32_t cp = (uint32_t)unit;
    int32_t low = unit >= 0xd800 && unit <= 0xdbff ? jscan_code_unit(*at, end) : -1;
    if (low >= 0xdc00 && low <= 0xdfff) {
        cp = 0x10000 + ((cp - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
        *at += 6;
    }
    return add_code_point(out, cp);
}

/* `*at` is on a backslash. */
static int add_escape(struct buf *out, const char **at, const char *end)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char bytes[] = "\"\\/\b\f\n\r\t";
    if (end - *at < 2) {
        return -1;
    }
    char letter = (*at)[1];
    if (letter == 'u') {
        return add_unicode_escape(out, at, end);
    }
    const char *found = memchr(letters, letter, sizeof letters - 1);
    if (found == NULL) {
        return -1;
    }
    *at += 2;
    return buf_add_byte(out, bytes[found - letters]);
}

int jscan_string(struct slice value, struct buf *out)
{
    struct slice inner;
    if (!inner_text(value, &inner)) {
        return -1;
    }
    size_t start = out->len;
    const char *at = inner.data;
    const char *end = at + inner.len;
    while (at < end) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        struct slice run = {.data = at, .len = (size_t)((slash ? slash : end) - at)};
        int failed = text_add_utf8(out, run);
        at += run.len;
        if (failed == 0 && at < end) {
            failed = add_escape(out, &at, end);
        }
        if (failed) {
            buf_truncate(out, start);
            return -1;
        }
    }
    return 0;
}

bool jscan_string_is(struct slice value, const char *text)
{
    struct slice inner;
    if (!inner_text(value, &inner)) {
        return false;
    }
    char first = inner.len > 0 ? inner.data[0] : '\0';
    if (first != '\\' && (unsigned char)first < 0x80 && first != text[0]) {
        return false; /* most keys are told apart here */
    }
    bool escaped = inner.len > 0 && memchr(inner.data, '\\', inner.len) != NULL;
    if (!escaped && text_is_utf8(inner)) { /* nearly always */
        return slice_is(inner, text);
    }
    _cleanup_(drop_buf) struct buf decoded = BUF_INIT(strlen(text));
    return jscan_string(value, &decoded) == 0 && slice_is(buf_slice(&decoded), text);
}

bool jscan_bool(struct slice value, bool *out)
{
    enum jscan_kind kind = jscan_kind(value);
    if (kind != JSCAN_TRUE && kind != JSCAN_FALSE) {
        return false;
    }
    *out = kind == JSCAN_TRUE;
    return true;
}

bool jscan_int(struct slice value, int64_t *out)
{
    value = trim(value);
    bool minus = value.len > 0 && value.data[0] == '-';
    int64_t number = 0;
    if (value.len == (minus ? 1 : 0)) {
        return false;
    }
    for (size_t i = minus ? 1 : 0; i < value.len; i++) {
        int digit = value.data[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, minus ? -digit : digit, &number)) {
            return false; /* counted downwards for negatives: INT64_MIN fits */
        }
    }
    *out = number;
    return true;
}
