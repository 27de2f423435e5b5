/* SPDX-License-Identifier: MIT */
#include "kernel/cli/nearest.h"

/* Names here are short; anything longer is nobody's typing error. */
enum { NAME_MAX_LEN = 48 };

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Optimal string alignment, row by row: `before` and `last` are the two rows above `row`. */
size_t nearest_distance(struct slice a, struct slice b)
{
    if (a.len > NAME_MAX_LEN || b.len > NAME_MAX_LEN) {
        return a.len > b.len ? a.len : b.len;
    }
    size_t rows[3][NAME_MAX_LEN + 1] = {{0}};
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *row = rows[2];
    for (size_t j = 0; j <= b.len; j++) {
        last[j] = j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t changed = a.data[i - 1] != b.data[j - 1];
            row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + changed);
            bool swapped =
                i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1];
            if (swapped && before[j - 2] + 1 < row[j]) {
                row[j] = before[j - 2] + 1;
            }
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b.len];
}

void nearest_offer(struct nearest *n, const char *name)
{
    struct slice known = slice_of(name);
    size_t distance = nearest_distance(n->wanted, known);
    /* A beginning of the name counts as near: people expect options to be abbreviable. */
    bool begins = n->wanted.len >= 2 && n->wanted.len < known.len &&
                  memcmp(n->wanted.data, name, n->wanted.len) == 0;
    if (begins) {
        distance = 1;
    }
    bool near = distance <= 2 && distance < known.len && distance < n->wanted.len;
    if (near && (n->best == NULL || distance < n->distance)) {
        n->best = name;
        n->distance = distance;
    }
}
