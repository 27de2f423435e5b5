/* SPDX-License-Identifier: MIT */
/* utf8.h - one step of UTF-8, and runs of bytes that need no look: what text, jscan and jwrite
 * are made of. For those files; the rest of the house uses text.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* CUT: valid as far as it goes, but the text ends inside of it. */
enum utf8_verdict { UTF8_WHOLE, UTF8_ILL, UTF8_CUT };

struct utf8_step {
    enum utf8_verdict verdict;
    unsigned len; /* of the sequence, or of the maximal ill-formed or unfinished piece; >= 1 */
};

/* Bytes of a sequence by its lead, and the range its second byte must lie in: table 3-7 of the
 * Unicode standard, which leaves out overlong forms, surrogates and what is above U+10FFFF. */
static inline unsigned utf8_lead(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    *high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (lead < 0x80) {
        return 1;
    }
    return lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
}

/* Looks at the sequence that starts at `at` < `end`. */
static inline struct utf8_step utf8_step(const char *at, const char *end)
{
    unsigned char low = 0;
    unsigned char high = 0;
    unsigned want = utf8_lead((unsigned char)*at, &low, &high);
    if (want == 0) {
        return (struct utf8_step){UTF8_ILL, 1};
    }
    for (unsigned i = 1; i < want; i++) {
        if (at + i == end) {
            return (struct utf8_step){UTF8_CUT, i};
        }
        unsigned char byte = (unsigned char)at[i];
        if (byte < low || byte > high) {
            return (struct utf8_step){UTF8_ILL, i};
        }
        low = 0x80;
        high = 0xbf;
    }
    return (struct utf8_step){UTF8_WHOLE, want};
}

#define EACH_BYTE(value) (UINT64_C(0x0101010101010101) * (value))

static inline uint64_t utf8_load8(const char *at)
{
    uint64_t word = 0;
    memcpy(&word, at, sizeof word);
    return word;
}

/* First byte from `at` on that is not ASCII, or `end`. */
static inline const char *utf8_skip_ascii(const char *at, const char *end)
{
    while (end - at >= 8 && (utf8_load8(at) & EACH_BYTE(0x80)) == 0) {
        at += 8;
    }
    while (at < end && (unsigned char)*at < 0x80) {
        at++;
    }
    return at;
}

/* True for bytes that stand in a JSON string as themselves. */
static inline bool utf8_is_plain(char byte)
{
    return (unsigned char)byte >= 0x20 && (unsigned char)byte < 0x80 && byte != '"' && byte != '\\';
}

/* True when one of the eight bytes is not plain. The subtraction borrows into the high bit of a
 * byte that is below the subtrahend; a borrow can spread upwards only from a byte that is itself
 * a hit, so the answer for the word as a whole is exact. */
static inline bool utf8_has_special(uint64_t word)
{
    uint64_t quote = word ^ EACH_BYTE('"');
    uint64_t slash = word ^ EACH_BYTE('\\');
    uint64_t hit =
        word | (word - EACH_BYTE(0x20)) | (quote - EACH_BYTE(1)) | (slash - EACH_BYTE(1));
    return (hit & EACH_BYTE(0x80)) != 0;
}

/* First byte from `at` on that is not plain, or `end`. */
static inline const char *utf8_skip_plain(const char *at, const char *end)
{
    while (end - at >= 8 && !utf8_has_special(utf8_load8(at))) {
        at += 8;
    }
    while (at < end && utf8_is_plain(*at)) {
        at++;
    }
    return at;
}
