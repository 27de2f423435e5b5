/* SPDX-License-Identifier: MIT */
#include "contexts/worker/reserve.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/bounds.h"

#define RESERVE_BYTES (4UL * MIB)

void reserve_keep(struct reserve *r)
{
    if (r->block != NULL) {
        return;
    }
    /* Twice as much is asked for and half of it given back: a process that is still at its limit
     * keeps what it was given, so that a cell which frees something can run. */
    char *block =
        mmap(NULL, 2 * RESERVE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return;
    }
    (void)munmap(block + RESERVE_BYTES, RESERVE_BYTES); /* its own half: cannot fail */
    r->block = block;
}

void reserve_spend(struct reserve *r)
{
    if (r->block != NULL) {
        (void)munmap(r->block, RESERVE_BYTES); /* its own block: cannot fail */
        r->block = NULL;
    }
}
