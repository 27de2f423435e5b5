/* SPDX-License-Identifier: MIT */
/* words.h - a growing list of texts that owns its copies. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct words {
    char **items; /* owned, like each item */
    size_t count;
};

/* Appends a copy of `text`. */
void words_add(struct words *w, const char *text);

bool words_has(const struct words *w, const char *text);

/* Frees the list; it is empty afterwards. */
void words_done(struct words *w);
DEFINE_DROP_VALUE(words, struct words, words_done)
