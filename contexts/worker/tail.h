/* SPDX-License-Identifier: MIT */
/* tail.h - the unfinished end of a piece of UTF-8, kept until the rest of the code point comes:
 * pipes and writers may cut text anywhere, frames may not. */
#pragma once

#include "base/buf.h"

enum { TAIL_MAX = 3 };

struct tail {
    char bytes[TAIL_MAX];
    size_t len;
};

/* Appends what is complete of the tail and `text`, and keeps the new end. */
void tail_join(struct tail *t, struct slice text, struct buf *out);

/* Appends the bytes that never became a code point, as they are. */
void tail_give_up(struct tail *t, struct buf *out);
