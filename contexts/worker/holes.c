/* SPDX-License-Identifier: MIT */
/* holes.c - see preload.h. */
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "contexts/worker/preload.h"

/* glibc keeps small pieces by size, 16 bytes apart; a large one is cut to what is asked for. */
enum { LARGEST = 4096, SMALLEST = 24, STEP = 16, PIECES_MAX = 1000000 };

/* Where the free end of the heap begins; NULL when there is none. */
static const char *end_of_used(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.keepcost == 0 ? NULL : (const char *)sbrk(0) - info.keepcost;
}

void holes_fill(void)
{
    const char *end = end_of_used();
    size_t pieces = 0;
    for (size_t size = LARGEST; end != NULL && size >= SMALLEST; size -= STEP) {
        char *piece = malloc(size);
        while (piece != NULL && piece < end && pieces++ < PIECES_MAX) {
            piece = malloc(size); /* the one before is never given back: that is the point */
        }
        free(piece);
    }
}
