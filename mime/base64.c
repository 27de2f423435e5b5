/* SPDX-License-Identifier: MIT */
#include "mime/base64.h"

#include <stdint.h>

/* What is no digit: all of them are above the 63 that six bits hold. */
enum { DIGITS = 64, SPACE = 64, PADDING = 65, WRONG = 255 };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_len(size_t len)
{
    return len / 3 * 4 + (len % 3 != 0 ? 4 : 0);
}

static void encode_three(const unsigned char *in, char *out)
{
    unsigned group = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
    out[0] = alphabet[group >> 18];
    out[1] = alphabet[group >> 12 & 63];
    out[2] = alphabet[group >> 6 & 63];
    out[3] = alphabet[group & 63];
}

/* The last one or two bytes, with their padding. */
static void encode_rest(const unsigned char *in, size_t len, char *out)
{
    unsigned char group[3] = {in[0], len > 1 ? in[1] : 0, 0};
    encode_three(group, out);
    out[2] = len > 1 ? out[2] : '=';
    out[3] = '=';
}

int base64_add(struct buf *out, struct slice bytes)
{
    size_t len = base64_len(bytes.len);
    char *room = buf_reserve(out, len);
    if (room == NULL) {
        return -1;
    }
    const unsigned char *in = (const unsigned char *)bytes.data;
    size_t left = bytes.len;
    for (; left >= 3; left -= 3, in += 3, room += 4) {
        encode_three(in, room);
    }
    if (left > 0) {
        encode_rest(in, left, room);
    }
    buf_commit(out, len);
    return 0;
}

/* The meaning of every byte, made once for a text: far less work than the text itself. */
static void fill_meanings(unsigned char meanings[256])
{
    memset(meanings, WRONG, 256);
    for (unsigned i = 0; i < DIGITS; i++) {
        meanings[(unsigned char)alphabet[i]] = (unsigned char)i;
    }
    for (const char *space = " \t\n\v\f\r"; *space != '\0'; space++) {
        meanings[(unsigned char)*space] = SPACE;
    }
    meanings['='] = PADDING;
}

/* A text on its way: `at` is the next byte of it, `group` what has come of four characters. */
struct decoder {
    const unsigned char *text;
    size_t len;
    size_t at;
    unsigned char *out;
    uint32_t group;
    unsigned digits; /* in the group */
    unsigned char meanings[256];
};

/* Whole groups without white space, which is nearly all of any text. */
static void decode_run(struct decoder *d)
{
    const unsigned char *meanings = d->meanings;
    for (; d->len - d->at >= 4; d->at += 4) {
        const unsigned char *in = d->text + d->at;
        unsigned a = meanings[in[0]];
        unsigned b = meanings[in[1]];
        unsigned c = meanings[in[2]];
        unsigned last = meanings[in[3]];
        if ((a | b | c | last) >= DIGITS) {
            return;
        }
        unsigned group = a << 18 | b << 12 | c << 6 | last;
        *d->out++ = (unsigned char)(group >> 16);
        *d->out++ = (unsigned char)(group >> 8);
        *d->out++ = (unsigned char)group;
    }
}

static void take_digit(struct decoder *d, unsigned digit)
{
    d->group = d->group << 6 | digit;
    d->digits++;
    if (d->digits == 4) {
        *d->out++ = (unsigned char)(d->group >> 16);
        *d->out++ = (unsigned char)(d->group >> 8);
        *d->out++ = (unsigned char)d->group;
        d->digits = 0;
        d->group = 0;
    }
}

static int wrong_byte(const struct decoder *d, size_t at, struct err *e)
{
    unsigned char byte = d->text[at];
    if (byte > ' ' && byte < 0x7f) {
        return err_set(e, ERR_INPUT, "not base64: '%c' at offset %zu", byte, at);
    }
    return err_set(e, ERR_INPUT, "not base64: byte 0x%02x at offset %zu", byte, at);
}

/* From the first `=` on: as many as the group lacks, and nothing but white space behind. */
static int decode_padding(struct decoder *d, struct err *e)
{
    unsigned lacking = 4 - d->digits;
    unsigned leftover = d->digits == 2 ? d->group & 15 : d->group & 3;
    if (d->digits < 2 || leftover != 0) {
        return wrong_byte(d, d->at, e);
    }
    unsigned seen = 0;
    for (; d->at < d->len; d->at++) {
        unsigned char meaning = d->meanings[d->text[d->at]];
        seen += meaning == PADDING;
        if ((meaning != PADDING && meaning != SPACE) || seen > lacking) {
            return wrong_byte(d, d->at, e);
        }
    }
    if (seen < lacking) {
        return err_set(e, ERR_INPUT, "not base64: padding is missing at offset %zu", d->len);
    }
    *d->out++ = (unsigned char)(d->digits == 2 ? d->group >> 4 : d->group >> 10);
    if (d->digits == 3) {
        *d->out++ = (unsigned char)(d->group >> 2);
    }
    return 0;
}

static int decode_all(struct decoder *d, struct err *e)
{
    while (d->at < d->len) {
        if (d->digits == 0) {
            decode_run(d);
        }
        if (d->at == d->len) {
            break;
        }
        unsigned char meaning = d->meanings[d->text[d->at]];
        if (meaning == PADDING) {
            return decode_padding(d, e);
        }
        if (meaning == WRONG) {
            return wrong_byte(d, d->at, e);
        }
        if (meaning < DIGITS) {
            take_digit(d, meaning);
        }
        d->at++;
    }
    if (d->digits > 0) {
        return err_set(e, ERR_INPUT, "not base64: padding is missing at offset %zu", d->len);
    }
    return 0;
}

int base64_decode(struct slice text, struct buf *out, struct err *e)
{
    size_t most = text.len / 4 * 3 + 3;
    char *room = buf_reserve(out, most);
    if (room == NULL) {
        return err_set(e, ERR_LIMIT, "base64 of %zu bytes, where %zu are allowed", most,
                       out->limit);
    }
    struct decoder d = {
        .text = (const unsigned char *)text.data, .len = text.len, .out = (unsigned char *)room};
    fill_meanings(d.meanings);
    int failed = decode_all(&d, e);
    buf_commit(out, failed ? 0 : (size_t)((char *)d.out - room));
    return failed;
}
