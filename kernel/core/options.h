/* SPDX-License-Identifier: MIT */
/* options.h - the options of a context and of a run: one table each, read once, with one text for
 * each mistake. A new option is a row in options.c. */
#pragma once

#include "base/buf.h"
#include "kernel/core/request.h"

/* The content of a create_context_request, decoded. */
struct context_wish {
    struct buf id;       /* empty: one is drawn */
    struct buf language; /* empty: the broker's default */
    struct buf cwd;      /* empty: the broker's */
    struct slice env;    /* raw JSON object of texts or null; borrowed, may be empty */
    struct buf engine; /* members that the language's engine reads in START, as `"a": 1, "b": 2` */
};

void context_wish_init(struct context_wish *wish);
void context_wish_done(struct context_wish *wish);
DEFINE_DROP_VALUE(context_wish, struct context_wish, context_wish_done)

/* Reads a JSON object into an initialised wish. `language` is that of a context that names none.
 * ERR_INPUT names the option and what it must be; one that is not in the table is an error. */
MUST_CHECK int options_read_context(struct slice content, const char *language,
                                    struct context_wish *out, struct err *e);

/* Reads the metadata of a request (a checked JSON object) over `out`, which borrows from it. Other
 * members are ignored: JupyterLab copies in what notebooks keep of a cell. */
MUST_CHECK int options_read_run(struct slice metadata, struct run_options *out, struct err *e);

/* May `id` name a context? Letters, digits, `.`, `_`, `-`; not empty, at most CONTEXT_ID_MAX. */
bool options_is_id(struct slice id);
