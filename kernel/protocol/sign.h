/* SPDX-License-Identifier: MIT */
/* sign.h - HMAC-SHA256 signatures of messages, and the guard against replays.
 * Its .c is the only file here that sees libsodium. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* 64 lowercase hex digits and a NUL. */
enum { SIGN_HEX_SIZE = 65 };

/* The four JSON frames, in order: header, parent header, metadata, content. Never the buffers. */
enum { SIGN_FRAMES = 4 };

struct signer;

/* Borrows `key`; what is derived from it lies in guarded memory and is wiped at the end. An empty
 * key means unsigned: every signature is accepted, replays too, and none is written. */
MUST_CHECK int signer_new(struct slice key, struct signer **out, struct err *e);
void signer_free(struct signer *s);
DEFINE_DROP(signer, struct signer, signer_free)

bool signer_is_keyed(const struct signer *s);

/* Writes the signature of the frames ("" when there is no key). */
void signer_sign(const struct signer *s, const struct slice frames[SIGN_FRAMES],
                 char hex[SIGN_HEX_SIZE]);

/* Compares in constant time, then remembers the signature. ERR_AUTH: missing, wrong, or seen
 * among the last REPLAY_REMEMBERED. */
MUST_CHECK int signer_verify(struct signer *s, const struct slice frames[SIGN_FRAMES],
                             struct slice signature, struct err *e);

/* Overwrites a secret so that no compiler takes it for a dead store. */
void sign_wipe(void *secret, size_t len);
