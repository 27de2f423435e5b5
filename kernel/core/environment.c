/* SPDX-License-Identifier: MIT */
#include "kernel/core/environment.h"

#include <string.h>

#include "base/jscan.h"
#include "base/jwrite.h"

/* Beginnings of entries. */
static const char *const withheld[] = {
    "JPY_PARENT_PID=", "JPY_API_TOKEN=", "JUPYTER_TOKEN=", "PANDIA_"};

/* What is meant for contexts all the same. */
static const char *const given[] = {"PANDIA_JEDI="};

static bool begins_with(const char *entry, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(entry, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_withheld(const char *entry)
{
    return begins_with(entry, withheld, ARRAY_LEN(withheld)) &&
           !begins_with(entry, given, ARRAY_LEN(given));
}

int environment_write(struct buf *out, char *const *list, struct slice overlay)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    jwrite_object(out);
    for (; *list != NULL; list++) {
        const char *equals = strchr(*list, '=');
        if (equals == NULL || equals == *list || is_withheld(*list)) {
            continue;
        }
        jwrite_string(out, (struct slice){.data = *list, .len = (size_t)(equals - *list)});
        buf_add_text(out, ": ");
        jwrite_string(out, slice_of(equals + 1));
    }
    jscan_iter_init(&it, overlay.len > 0 ? overlay : SLICE_LIT("{}"));
    while (jscan_next(&it, &key, &value)) {
        jwrite_raw(out, key);
        buf_add_text(out, ": ");
        jwrite_raw(out, value);
    }
    return jwrite_object_end(out);
}
