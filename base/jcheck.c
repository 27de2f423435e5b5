/* SPDX-License-Identifier: MIT */
/* jcheck.c - jscan_check: one pass over untrusted bytes, grammar and UTF-8 together, no recursion.
 * The rest of jscan.h, which reads text accepted here, is in jscan.c. */
#include <stdint.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/utf8.h"

/* One bit per open container says whether it is an object. */
#define DEPTH_CEILING 4096UL

struct check {
    const char *begin;
    const char *at;
    const char *end;
    enum jscan_mode mode;
    size_t depth;
    size_t depth_max;
    uint64_t objects[DEPTH_CEILING / 64];
};

static int malformed(const struct check *c, const char *what, struct err *e)
{
    return err_set(e, ERR_PROTO, "JSON: %s at byte %zu", what, (size_t)(c->at - c->begin));
}

static void skip_space(struct check *c)
{
    while (c->at < c->end &&
           (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t')) {
        c->at++;
    }
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_hex(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

/* Stands on a backslash. */
static int check_escape(struct check *c, struct err *e)
{
    size_t left = (size_t)(c->end - c->at);
    if (left >= 2 && c->at[1] != '\0' && strchr("\"\\/bfnrt", c->at[1]) != NULL) {
        c->at += 2;
        return 0;
    }
    if (left < 6 || c->at[1] != 'u') {
        return malformed(c, "bad escape", e);
    }
    for (int i = 2; i < 6; i++) {
        if (!is_hex(c->at[i])) {
            return malformed(c, "bad escape", e);
        }
    }
    c->at += 6;
    return 0;
}

/* Stands on a byte that does not stand for itself, nor ends the string. */
static int check_special(struct check *c, struct err *e)
{
    if (*c->at == '\\') {
        return check_escape(c, e);
    }
    if ((unsigned char)*c->at < 0x20) {
        return malformed(c, "control byte in a string", e);
    }
    struct utf8_step step = utf8_step(c->at, c->end);
    if (step.verdict != UTF8_WHOLE && c->mode == JSCAN_STRICT) {
        return malformed(c, "bytes that are not UTF-8", e);
    }
    c->at += step.len;
    return 0;
}

/* Stands on the opening quote. */
static int check_string(struct check *c, struct err *e)
{
    c->at++;
    for (;;) {
        c->at = utf8_skip_plain(c->at, c->end);
        if (c->at == c->end) {
            return malformed(c, "unfinished string", e);
        }
        if (*c->at == '"') {
            c->at++;
            return 0;
        }
        if (check_special(c, e) < 0) {
            return -1;
        }
    }
}

static bool skip_digits(struct check *c)
{
    const char *start = c->at;
    while (c->at < c->end && is_digit(*c->at)) {
        c->at++;
    }
    return c->at > start;
}

static bool skip_byte(struct check *c, char byte)
{
    if (c->at == c->end || *c->at != byte) {
        return false;
    }
    c->at++;
    return true;
}

static bool skip_word(struct check *c, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(c->end - c->at) < len || memcmp(c->at, word, len) != 0) {
        return false;
    }
    c->at += len;
    return true;
}

static int check_number(struct check *c, struct err *e)
{
    bool minus = skip_byte(c, '-');
    if (minus && c->mode == JSCAN_LENIENT && skip_word(c, "Infinity")) {
        return 0;
    }
    if (!skip_byte(c, '0') && !skip_digits(c)) {
        return malformed(c, minus ? "bad number" : "value expected", e);
    }
    if (skip_byte(c, '.') && !skip_digits(c)) {
        return malformed(c, "bad number", e);
    }
    if (skip_byte(c, 'e') || skip_byte(c, 'E')) {
        if (!skip_byte(c, '+')) {
            (void)skip_byte(c, '-'); /* a sign is optional */
        }
        if (!skip_digits(c)) {
            return malformed(c, "bad number", e);
        }
    }
    return 0;
}

static int check_scalar(struct check *c, struct err *e)
{
    if (c->at == c->end) {
        return malformed(c, "value expected", e);
    }
    switch (*c->at) {
    case '"':
        return check_string(c, e);
    case 't':
        return skip_word(c, "true") ? 0 : malformed(c, "value expected", e);
    case 'f':
        return skip_word(c, "false") ? 0 : malformed(c, "value expected", e);
    case 'n':
        return skip_word(c, "null") ? 0 : malformed(c, "value expected", e);
    case 'N':
    case 'I':
        if (c->mode == JSCAN_LENIENT && (skip_word(c, "NaN") || skip_word(c, "Infinity"))) {
            return 0;
        }
        return malformed(c, "value expected", e);
    default:
        return check_number(c, e);
    }
}

static bool in_object(const struct check *c)
{
    size_t top = c->depth - 1;
    return c->depth > 0 && (c->objects[top / 64] >> (top % 64) & 1) != 0;
}

/* Stands on an opening bracket. */
static int open_container(struct check *c, struct err *e)
{
    if (c->depth == c->depth_max) {
        return err_set(e, ERR_LIMIT, "JSON: nested deeper than %zu at byte %zu", c->depth_max,
                       (size_t)(c->at - c->begin));
    }
    uint64_t bit = UINT64_C(1) << (c->depth % 64);
    if (*c->at == '{') {
        c->objects[c->depth / 64] |= bit;
    } else {
        c->objects[c->depth / 64] &= ~bit;
    }
    c->depth++;
    c->at++;
    return 0;
}

/* Where a member begins: its key, if it has one. */
static int check_key(struct check *c, struct err *e)
{
    if (!in_object(c)) {
        return 0;
    }
    skip_space(c);
    if (c->at == c->end || *c->at != '"') {
        return malformed(c, "key expected", e);
    }
    if (check_string(c, e) < 0) {
        return -1;
    }
    skip_space(c);
    return skip_byte(c, ':') ? 0 : malformed(c, "':' expected", e);
}

/* After a value: passes closing brackets and one comma with the key behind it. When it leaves
 * depth 0, the document is over; otherwise a value must follow. */
static int check_after(struct check *c, struct err *e)
{
    while (c->depth > 0) {
        skip_space(c);
        if (skip_byte(c, ',')) {
            return check_key(c, e);
        }
        if (!skip_byte(c, in_object(c) ? '}' : ']')) {
            return malformed(c, in_object(c) ? "',' or '}' expected" : "',' or ']' expected", e);
        }
        c->depth--;
    }
    return 0;
}

/* A value, or the way into one: after it, `*value` says whether a value has ended. */
static int check_value(struct check *c, bool *ended, struct err *e)
{
    skip_space(c);
    if (c->at == c->end || (*c->at != '{' && *c->at != '[')) {
        *ended = true;
        return check_scalar(c, e);
    }
    if (open_container(c, e) < 0) {
        return -1;
    }
    skip_space(c);
    *ended = skip_byte(c, in_object(c) ? '}' : ']');
    if (*ended) {
        c->depth--;
        return 0;
    }
    return check_key(c, e);
}

int jscan_check(struct slice text, enum jscan_mode mode, size_t depth_max, struct err *e)
{
    const char *begin = text.len > 0 ? text.data : "";
    struct check c = {.begin = begin, .at = begin, .end = begin + text.len, .mode = mode};
    c.depth_max = depth_max < DEPTH_CEILING ? depth_max : DEPTH_CEILING;
    do {
        bool ended = false;
        if (check_value(&c, &ended, e) < 0 || (ended && check_after(&c, e) < 0)) {
            return -1;
        }
    } while (c.depth > 0);
    skip_space(&c);
    return c.at == c.end ? 0 : malformed(&c, "text after the value", e);
}
