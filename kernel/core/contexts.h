/* SPDX-License-Identifier: MIT */
/* contexts.h - the contexts of a broker by name: found, made on request, described.
 * Not here: their processes and queues (contexts/pool). */
#pragma once

#include "contexts/pool/pool.h"
#include "kernel/core/selector.h"

#define DEFAULT_CONTEXT "default"

struct contexts_options {
    const char *language; /* of the default context, and of a new one that names none */
    const char *cwd;      /* NULL: where the broker runs */
};

/* Makes the default context. */
MUST_CHECK int contexts_add_default(struct pool *pool, const struct contexts_options *options,
                                    struct context **out, struct err *e);

/* Lends the context that `selection` asks for; the context of a language is made when it is first
 * wanted. ERR_INPUT names what is not there and the remedy. */
MUST_CHECK int contexts_select(struct pool *pool, const struct contexts_options *options,
                               const struct selection *selection, struct context **out,
                               struct err *e);

/* Makes a context after the content of a create_context_request, a JSON object. Lends it. */
MUST_CHECK int contexts_create(struct pool *pool, const struct contexts_options *options,
                               struct slice content, struct context **out, struct err *e);

/* Finds the context named in member `context_id` of `content`; absent means the default one. */
MUST_CHECK int contexts_named(struct pool *pool, struct slice content, struct context **out,
                              struct err *e);

/* Appends a JSON object about one context, or an array of all. */
void contexts_describe(const struct context *c, struct buf *out);
void contexts_describe_all(const struct pool *pool, struct buf *out);
