/* SPDX-License-Identifier: MIT */
#include "contexts/worker/tail.h"

#include <assert.h>

#include "base/text.h"

/* Completes the code point that the tail began, byte by byte; returns the bytes of `text` used.
 * Afterwards the tail is empty, or `text` is used up. */
static size_t complete(struct tail *t, struct slice text, struct buf *out)
{
    char joined[TAIL_MAX + 1];
    size_t used = 0;
    while (t->len > 0 && used < text.len) {
        memcpy(joined, t->bytes, t->len);
        joined[t->len] = text.data[used];
        struct slice so_far = {.data = joined, .len = t->len + 1};
        size_t whole = text_complete_len(so_far);
        if (whole == 0) {
            t->bytes[t->len++] = text.data[used++];
            continue;
        }
        /* Finished, or the new byte does not continue it: then that byte is looked at anew. */
        bool finished = text_is_utf8(so_far);
        (void)buf_add(out, joined, finished ? so_far.len : t->len); /* the caller checks */
        used += finished;
        t->len = 0;
    }
    return used;
}

void tail_join(struct tail *t, struct slice text, struct buf *out)
{
    size_t used = complete(t, text, out);
    struct slice rest = {.data = text.data + used, .len = text.len - used};
    if (rest.len == 0) {
        return;
    }
    size_t whole = text_complete_len(rest);
    assert(rest.len - whole <= TAIL_MAX);
    (void)buf_add(out, rest.data, whole); /* the caller checks */
    t->len = rest.len - whole;
    memcpy(t->bytes, rest.data + whole, t->len);
}

void tail_give_up(struct tail *t, struct buf *out)
{
    (void)buf_add(out, t->bytes, t->len); /* the caller checks */
    t->len = 0;
}
