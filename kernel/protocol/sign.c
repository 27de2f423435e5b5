/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/sign.h"

#include <sodium.h>

#include "base/mem.h"
#include "kernel/protocol/replay.h"

enum { DIGEST_SIZE = crypto_auth_hmacsha256_BYTES };

_Static_assert(SIGN_HEX_SIZE == 2 * DIGEST_SIZE + 1, "two digits a byte and a NUL");
_Static_assert((int)REPLAY_DIGEST_SIZE == (int)DIGEST_SIZE, "the guard keeps whole digests");

struct signer {
    /* The state after the key went in; NULL without a key. Copying it for each message saves
     * hashing the key twice, and the key itself is kept nowhere. Lies in memory of sodium_malloc:
     * between guard pages, locked where the system permits, not in core dumps, wiped when freed. */
    crypto_auth_hmacsha256_state *keyed;
    struct replay *seen; /* NULL until the first message was verified */
};

int signer_new(struct slice key, struct signer **out, struct err *e)
{
    if (sodium_init() < 0) {
        return err_set(e, ERR_STATE, "libsodium finds no source of randomness");
    }
    _cleanup_(drop_signer) struct signer *s = xcalloc(1, sizeof *s);
    if (key.len > 0) {
        s->keyed = sodium_malloc(sizeof *s->keyed);
        if (s->keyed == NULL) {
            return err_sys(e, "guarded memory for the key");
        }
        crypto_auth_hmacsha256_init(s->keyed, (const unsigned char *)key.data, key.len);
    }
    *out = take(s);
    return 0;
}

void signer_free(struct signer *s)
{
    if (s == NULL) {
        return;
    }
    replay_free(s->seen);
    sodium_free(s->keyed);
    free(s);
}

bool signer_is_keyed(const struct signer *s)
{
    return s->keyed != NULL;
}

static void digest_frames(const struct signer *s, const struct slice frames[SIGN_FRAMES],
                          unsigned char digest[DIGEST_SIZE])
{
    crypto_auth_hmacsha256_state state = *s->keyed;
    for (size_t i = 0; i < SIGN_FRAMES; i++) {
        if (frames[i].len > 0) {
            crypto_auth_hmacsha256_update(&state, (const unsigned char *)frames[i].data,
                                          frames[i].len);
        }
    }
    crypto_auth_hmacsha256_final(&state, digest);
    sodium_memzero(&state, sizeof state); /* who has the state can sign */
}

void signer_sign(const struct signer *s, const struct slice frames[SIGN_FRAMES],
                 char hex[SIGN_HEX_SIZE])
{
    if (!signer_is_keyed(s)) {
        hex[0] = '\0';
        return;
    }
    unsigned char digest[DIGEST_SIZE];
    digest_frames(s, frames, digest);
    sodium_bin2hex(hex, SIGN_HEX_SIZE, digest, sizeof digest);
}

int signer_verify(struct signer *s, const struct slice frames[SIGN_FRAMES], struct slice signature,
                  struct err *e)
{
    if (!signer_is_keyed(s)) {
        return 0;
    }
    if (signature.len == 0) {
        return err_set(e, ERR_AUTH, "message is not signed");
    }
    if (signature.len != SIGN_HEX_SIZE - 1) {
        return err_set(e, ERR_AUTH, "signature of %zu bytes, must be %d", signature.len,
                       SIGN_HEX_SIZE - 1);
    }
    unsigned char digest[DIGEST_SIZE];
    char hex[SIGN_HEX_SIZE];
    digest_frames(s, frames, digest);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    if (sodium_memcmp(hex, signature.data, signature.len) != 0) {
        return err_set(e, ERR_AUTH, "wrong signature");
    }
    if (s->seen == NULL) {
        s->seen = replay_new();
    }
    if (!replay_add(s->seen, digest)) {
        return err_set(e, ERR_AUTH, "replayed message: this signature was seen before");
    }
    return 0;
}

void sign_wipe(void *secret, size_t len)
{
    sodium_memzero(secret, len);
}
