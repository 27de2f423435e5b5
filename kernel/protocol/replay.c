/* SPDX-License-Identifier: MIT */
/* A ring holds the digests in the order they came; an open-addressing table, twice as large, finds
 * them. Removal shifts later entries back instead of leaving tombstones, so that the table never
 * degrades however long the broker lives. */
#include "kernel/protocol/replay.h"

#include <stdint.h>
#include <string.h>

#include "base/bounds.h"
#include "base/mem.h"

enum { SLOTS = 2 * REPLAY_REMEMBERED, SLOT_MASK = SLOTS - 1 };

_Static_assert((SLOTS & SLOT_MASK) == 0, "the table is addressed by mask");

struct replay {
    unsigned char ring[REPLAY_REMEMBERED][REPLAY_DIGEST_SIZE];
    uint32_t slots[SLOTS]; /* place in the ring plus one; 0: free */
    uint32_t count;        /* digests in the ring */
    uint32_t next;         /* place of the next one: the oldest, once the ring is full */
};

struct replay *replay_new(void)
{
    return xcalloc(1, sizeof(struct replay));
}

void replay_free(struct replay *r)
{
    free(r);
}

/* A digest is an HMAC, evenly spread for everyone who could not choose it by holding the key; its
 * own first bytes are the hash. */
static uint32_t home_slot(const unsigned char *digest)
{
    uint32_t word = 0;
    memcpy(&word, digest, sizeof word);
    return word & SLOT_MASK;
}

/* The slot that holds `digest`, or the free one where it belongs. */
static uint32_t find_slot(const struct replay *r, const unsigned char *digest)
{
    uint32_t slot = home_slot(digest);
    while (r->slots[slot] != 0 &&
           memcmp(r->ring[r->slots[slot] - 1], digest, REPLAY_DIGEST_SIZE) != 0) {
        slot = (slot + 1) & SLOT_MASK;
    }
    return slot;
}

/* Frees the slot `hole`; entries behind it that would be unreachable across the gap move up. */
static void clear_slot(struct replay *r, uint32_t hole)
{
    uint32_t slot = hole;
    for (;;) {
        slot = (slot + 1) & SLOT_MASK;
        if (r->slots[slot] == 0) {
            break;
        }
        uint32_t home = home_slot(r->ring[r->slots[slot] - 1]);
        uint32_t walked = (slot - home) & SLOT_MASK;
        uint32_t to_hole = (slot - hole) & SLOT_MASK;
        if (walked >= to_hole) {
            r->slots[hole] = r->slots[slot];
            hole = slot;
        }
    }
    r->slots[hole] = 0;
}

bool replay_add(struct replay *r, const unsigned char digest[REPLAY_DIGEST_SIZE])
{
    if (r->slots[find_slot(r, digest)] != 0) {
        return false;
    }
    if (r->count == REPLAY_REMEMBERED) {
        clear_slot(r, find_slot(r, r->ring[r->next]));
    } else {
        r->count++;
    }
    /* Only now: clearing may have moved the entries around the place found above. */
    uint32_t slot = find_slot(r, digest);
    memcpy(r->ring[r->next], digest, REPLAY_DIGEST_SIZE);
    r->slots[slot] = r->next + 1;
    r->next = (r->next + 1) % REPLAY_REMEMBERED;
    return true;
}
