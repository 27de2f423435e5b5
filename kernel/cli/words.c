/* SPDX-License-Identifier: MIT */
#include "kernel/cli/words.h"

#include "base/mem.h"

void words_add(struct words *w, const char *text)
{
    w->items = xrealloc(w->items, w->count + 1, sizeof *w->items);
    w->items[w->count] = xstrdup(text);
    w->count += 1;
}

bool words_has(const struct words *w, const char *text)
{
    for (size_t i = 0; i < w->count; i++) {
        if (strcmp(w->items[i], text) == 0) {
            return true;
        }
    }
    return false;
}

void words_done(struct words *w)
{
    for (size_t i = 0; i < w->count; i++) {
        free(w->items[i]);
    }
    free(w->items);
    *w = (struct words){0};
}
