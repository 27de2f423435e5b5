/* SPDX-License-Identifier: MIT */
/* js_hash.c - RFC 1321 (MD5) and FIPS 180-4 (SHA). */
#include "contexts/javascript/node/js_hash.h"

#include <string.h>

static uint32_t rotl(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

static uint32_t rotr(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static uint64_t rotr64(uint64_t x, unsigned by)
{
    return x >> by | x << (64 - by);
}

static uint32_t big32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* floor(2^32 * abs(sin(i + 1))), as the standard defines them. */
static const uint32_t md5_sines[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
};

static const uint8_t md5_shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

static void md5_block(uint32_t s[8], const uint8_t *p)
{
    uint32_t a = s[0];
    uint32_t b = s[1];
    uint32_t c = s[2];
    uint32_t d = s[3];
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t mixes[] = {(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)};
        const unsigned words[] = {i, 5 * i + 1, 3 * i + 5, 7 * i};
        unsigned round = i / 16;
        uint32_t sum =
            a + mixes[round] + md5_sines[i] + little32(p + (size_t)4 * (words[round] % 16));
        a = d;
        d = c;
        c = b;
        b += rotl(sum, md5_shifts[round * 4 + i % 4]);
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
}

static void sha1_block(uint32_t s[8], const uint8_t *p)
{
    static const uint32_t constants[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    uint32_t w[80];
    uint32_t v[5];
    memcpy(v, s, sizeof v);
    for (unsigned i = 0; i < 80; i++) {
        w[i] = i < 16 ? big32(p + 4 * (size_t)i)
                      : rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (unsigned i = 0; i < 80; i++) {
        uint32_t parity = v[1] ^ v[2] ^ v[3];
        const uint32_t mixes[] = {(v[1] & v[2]) | (~v[1] & v[3]), parity,
                                  (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]), parity};
        uint32_t next = rotl(v[0], 5) + mixes[i / 20] + v[4] + constants[i / 20] + w[i];
        memmove(v + 1, v, 4 * sizeof *v);
        v[2] = rotl(v[2], 30);
        v[0] = next;
    }
    for (unsigned i = 0; i < 5; i++) {
        s[i] += v[i];
    }
}

/* Fractions of the cube roots of the first 80 primes; SHA-256 uses the upper halves of 64. */
static const uint64_t roots[80] = {
    0x428A2F98D728AE22, 0x7137449123EF65CD, 0xB5C0FBCFEC4D3B2F, 0xE9B5DBA58189DBBC,
    0x3956C25BF348B538, 0x59F111F1B605D019, 0x923F82A4AF194F9B, 0xAB1C5ED5DA6D8118,
    0xD807AA98A3030242, 0x12835B0145706FBE, 0x243185BE4EE4B28C, 0x550C7DC3D5FFB4E2,
    0x72BE5D74F27B896F, 0x80DEB1FE3B1696B1, 0x9BDC06A725C71235, 0xC19BF174CF692694,
    0xE49B69C19EF14AD2, 0xEFBE4786384F25E3, 0x0FC19DC68B8CD5B5, 0x240CA1CC77AC9C65,
    0x2DE92C6F592B0275, 0x4A7484AA6EA6E483, 0x5CB0A9DCBD41FBD4, 0x76F988DA831153B5,
    0x983E5152EE66DFAB, 0xA831C66D2DB43210, 0xB00327C898FB213F, 0xBF597FC7BEEF0EE4,
    0xC6E00BF33DA88FC2, 0xD5A79147930AA725, 0x06CA6351E003826F, 0x142929670A0E6E70,
    0x27B70A8546D22FFC, 0x2E1B21385C26C926, 0x4D2C6DFC5AC42AED, 0x53380D139D95B3DF,
    0x650A73548BAF63DE, 0x766A0ABB3C77B2A8, 0x81C2C92E47EDAEE6, 0x92722C851482353B,
    0xA2BFE8A14CF10364, 0xA81A664BBC423001, 0xC24B8B70D0F89791, 0xC76C51A30654BE30,
    0xD192E819D6EF5218, 0xD69906245565A910, 0xF40E35855771202A, 0x106AA07032BBD1B8,
    0x19A4C116B8D2D0C8, 0x1E376C085141AB53, 0x2748774CDF8EEB99, 0x34B0BCB5E19B48A8,
    0x391C0CB3C5C95A63, 0x4ED8AA4AE3418ACB, 0x5B9CCA4F7763E373, 0x682E6FF3D6B2B8A3,
    0x748F82EE5DEFB2FC, 0x78A5636F43172F60, 0x84C87814A1F0AB72, 0x8CC702081A6439EC,
    0x90BEFFFA23631E28, 0xA4506CEBDE82BDE9, 0xBEF9A3F7B2C67915, 0xC67178F2E372532B,
    0xCA273ECEEA26619C, 0xD186B8C721C0C207, 0xEADA7DD6CDE0EB1E, 0xF57D4F7FEE6ED178,
    0x06F067AA72176FBA, 0x0A637DC5A2C898A6, 0x113F9804BEF90DAE, 0x1B710B35131C471B,
    0x28DB77F523047D84, 0x32CAAB7B40C72493, 0x3C9EBE0A15C9BEBC, 0x431D67C49C100D4C,
    0x4CC5D4BECB3E42B6, 0x597F299CFC657E2A, 0x5FCB6FAB3AD6FAEC, 0x6C44198C4A475817,
};

static void sha256_block(uint32_t s[8], const uint8_t *p)
{
    uint32_t w[64];
    uint32_t v[8];
    memcpy(v, s, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        if (i < 16) {
            w[i] = big32(p + 4 * (size_t)i);
            continue;
        }
        uint32_t a = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    for (unsigned i = 0; i < 64; i++) {
        uint32_t e = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        uint32_t one =
            v[7] + e + ((v[4] & v[5]) ^ (~v[4] & v[6])) + (uint32_t)(roots[i] >> 32) + w[i];
        uint32_t a = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t two = a + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++) {
        s[i] += v[i];
    }
}

static void sha512_block(uint64_t s[8], const uint8_t *p)
{
    uint64_t w[80];
    uint64_t v[8];
    memcpy(v, s, sizeof v);
    for (unsigned i = 0; i < 80; i++) {
        if (i < 16) {
            w[i] = (uint64_t)big32(p + 8 * (size_t)i) << 32 | big32(p + 8 * (size_t)i + 4);
            continue;
        }
        uint64_t a = rotr64(w[i - 15], 1) ^ rotr64(w[i - 15], 8) ^ w[i - 15] >> 7;
        uint64_t b = rotr64(w[i - 2], 19) ^ rotr64(w[i - 2], 61) ^ w[i - 2] >> 6;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    for (unsigned i = 0; i < 80; i++) {
        uint64_t e = rotr64(v[4], 14) ^ rotr64(v[4], 18) ^ rotr64(v[4], 41);
        uint64_t one = v[7] + e + ((v[4] & v[5]) ^ (~v[4] & v[6])) + roots[i] + w[i];
        uint64_t a = rotr64(v[0], 28) ^ rotr64(v[0], 34) ^ rotr64(v[0], 39);
        uint64_t two = a + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++) {
        s[i] += v[i];
    }
}

static const struct {
    size_t digest_bytes;
    uint64_t start[8];
} kinds[] = {
    [HASH_MD5] = {16, {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476}},
    [HASH_SHA1] = {20, {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0}},
    [HASH_SHA224] = {28,
                     {0xC1059ED8, 0x367CD507, 0x3070DD17, 0xF70E5939, 0xFFC00B31, 0x68581511,
                      0x64F98FA7, 0xBEFA4FA4}},
    [HASH_SHA256] = {32,
                     {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C,
                      0x1F83D9AB, 0x5BE0CD19}},
    [HASH_SHA384] = {48,
                     {0xCBBB9D5DC1059ED8, 0x629A292A367CD507, 0x9159015A3070DD17,
                      0x152FECD8F70E5939, 0x67332667FFC00B31, 0x8EB44A8768581511,
                      0xDB0C2E0D64F98FA7, 0x47B5481DBEFA4FA4}},
    [HASH_SHA512] = {64,
                     {0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B,
                      0xA54FF53A5F1D36F1, 0x510E527FADE682D1, 0x9B05688C2B3E6C1F,
                      0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179}},
};

static int is_wide(enum hash_kind kind)
{
    return kind == HASH_SHA384 || kind == HASH_SHA512;
}

size_t hash_block_bytes(enum hash_kind kind)
{
    return is_wide(kind) ? 128 : 64;
}

void hash_init(struct hash *h, enum hash_kind kind)
{
    *h = (struct hash){.kind = kind};
    for (unsigned i = 0; i < 8; i++) {
        if (is_wide(kind)) {
            h->state.wide[i] = kinds[kind].start[i];
        } else {
            h->state.narrow[i] = (uint32_t)kinds[kind].start[i];
        }
    }
}

static void add_block(struct hash *h, const uint8_t *p)
{
    switch (h->kind) {
    case HASH_MD5:
        md5_block(h->state.narrow, p);
        break;
    case HASH_SHA1:
        sha1_block(h->state.narrow, p);
        break;
    case HASH_SHA224:
    case HASH_SHA256:
        sha256_block(h->state.narrow, p);
        break;
    case HASH_SHA384:
    case HASH_SHA512:
        sha512_block(h->state.wide, p);
        break;
    }
}

void hash_add(struct hash *h, const void *data, size_t len)
{
    const uint8_t *p = data;
    size_t size = hash_block_bytes(h->kind);
    h->total += len;
    while (len > 0) {
        size_t n = size - h->held < len ? size - h->held : len;
        memcpy(h->block + h->held, p, n);
        h->held += (uint32_t)n;
        p += n;
        len -= n;
        if (h->held == size) {
            add_block(h, h->block);
            h->held = 0;
        }
    }
}

/* A one bit, zeros, and the length in bits at the very end of a block. */
static void pad(struct hash *h)
{
    uint64_t bits = h->total * 8;
    size_t size = hash_block_bytes(h->kind);
    size_t room = is_wide(h->kind) ? 16 : 8;
    uint8_t one = 0x80;
    uint8_t zero = 0;
    hash_add(h, &one, 1);
    while (h->held != size - room) {
        hash_add(h, &zero, 1);
    }
    memset(h->block + h->held, 0, room);
    for (unsigned i = 0; i < 8; i++) {
        size_t at = h->kind == HASH_MD5 ? h->held + i : size - 1 - i;
        h->block[at] = (uint8_t)(bits >> (8 * i));
    }
    add_block(h, h->block);
}

size_t hash_end(struct hash *h, uint8_t digest[HASH_DIGEST_MAX])
{
    size_t len = kinds[h->kind].digest_bytes;
    pad(h);
    for (size_t i = 0; i < len; i++) {
        if (is_wide(h->kind)) {
            digest[i] = (uint8_t)(h->state.wide[i / 8] >> (56 - 8 * (i % 8)));
        } else {
            size_t shift = h->kind == HASH_MD5 ? 8 * (i % 4) : 24 - 8 * (i % 4);
            digest[i] = (uint8_t)(h->state.narrow[i / 4] >> shift);
        }
    }
    return len;
}
