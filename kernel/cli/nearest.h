/* SPDX-License-Identifier: MIT */
/* nearest.h - "did you mean": which known name a mistyped one stands for. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

/* Number of one-letter changes (insert, remove, replace, swap of neighbours) between the two. */
size_t nearest_distance(struct slice a, struct slice b);

/* Keeps the best candidate seen so far. */
struct nearest {
    struct slice wanted;
    const char *best; /* lent by the table it came from; NULL: nothing is near */
    size_t distance;  /* of `best` */
};

#define NEAREST_INIT(text) ((struct nearest){.wanted = (text)})

/* Offers a known name; a name that shares too little with the wanted one is not kept. */
void nearest_offer(struct nearest *n, const char *name);
