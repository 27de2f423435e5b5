/* SPDX-License-Identifier: MIT */
/* selector.h - which context a request asks for: by the first line of its code (`%%context NAME`,
 * or that of a language, such as `%%js`) or by the run option `context`. The line wins: people see
 * it. Works on raw JSON; the line is later blanked, not cut, so that lines, columns and cursor
 * positions stay what the client knows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/bounds.h"
#include "base/buf.h"

enum select_by {
    SELECT_DEFAULT, /* nothing was said */
    SELECT_ID,      /* `name` is the id of a context */
    SELECT_LANGUAGE /* `name` is a language: its default context */
};

struct selection {
    enum select_by by;
    char name[CONTEXT_ID_MAX + 1];
    size_t line_at;  /* where the line lies in the content */
    size_t line_len; /* bytes to blank; 0: nothing */
    bool is_bare;    /* the line is all of the code */
};

/* Reads the selection of a request with this `content` (a checked JSON object) and the id of its
 * option `context`, which may be empty. ERR_INPUT names what is wrong with the line. On failure
 * `*out` is untouched. */
MUST_CHECK int selector_read(struct slice context, struct slice content, struct selection *out,
                             struct err *e);

/* Overwrites the selecting line in a copy of the content with spaces. */
void selector_blank(const struct selection *selection, char *content);
