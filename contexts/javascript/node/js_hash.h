/* SPDX-License-Identifier: MIT */
/* js_hash.h - SHA-2, SHA-1 and MD5 for crypto.createHash. Here and not from libsodium, which knows
 * neither SHA-1 nor MD5 and would be loaded into every context for the rest. Not for signatures of
 * ours: those are kernel/protocol's. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum hash_kind { HASH_MD5, HASH_SHA1, HASH_SHA224, HASH_SHA256, HASH_SHA384, HASH_SHA512 };

enum { HASH_BLOCK_MAX = 128, HASH_DIGEST_MAX = 64 };

/* May be copied: the copy goes on from the same point. */
struct hash {
    enum hash_kind kind;
    uint32_t held;  /* bytes in `block` */
    uint64_t total; /* bytes in all */

    union {
        uint32_t narrow[8];
        uint64_t wide[8];
    } state;

    uint8_t block[HASH_BLOCK_MAX];
};

void hash_init(struct hash *h, enum hash_kind kind);
void hash_add(struct hash *h, const void *data, size_t len);

/* Writes the digest and returns its length. */
size_t hash_end(struct hash *h, uint8_t digest[HASH_DIGEST_MAX]);

/* Bytes that HMAC pads a key to. */
size_t hash_block_bytes(enum hash_kind kind);
