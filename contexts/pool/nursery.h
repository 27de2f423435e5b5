/* SPDX-License-Identifier: MIT */
/* nursery.h - the zygotes of a broker. Of each language there is a bare one, which serves at once,
 * and, where modules are to be loaded ahead, a warm one that has them; contexts come from the warm
 * one as soon as it is ready. Heals what dies: a warm one that a module has killed is started
 * again without it, and the bare one goes on serving meanwhile.
 * Not here: one zygote and its socket (zygote.h), the contexts (pool.h). */
#pragma once

#include <stdbool.h>

#include "contexts/pool/pool.h"
#include "contexts/pool/zygote.h"

struct nursery;

struct nursery_options {
    const struct pool_language *languages; /* borrowed for life */
    size_t language_count;
    int lifeline_fd; /* likewise */
    size_t descriptor_limit;
    int64_t preload_ms; /* 0: PRELOAD_MS */
};

/* As zygote_sink; the zygote that `gone` names is freed after it. */
struct nursery_sink {
    void (*forked)(void *arg, uint64_t ticket, pid_t pid, int pidfd);
    void (*failed)(void *arg, uint64_t ticket, const char *why);
    void (*exited)(void *arg, uint64_t ticket, const struct wire_exited *exited);
    void (*gone)(void *arg, struct zygote *zygote, const char *why);
};

/* Borrows `sink` and `arg` for life. */
struct nursery *nursery_new(struct loop *loop, const struct nursery_options *options,
                            const struct nursery_sink *sink, void *arg);
void nursery_free(struct nursery *n);

/* ERR_INPUT, naming those there are, when the language is not one of them. */
MUST_CHECK int nursery_check_language(const struct nursery *n, const char *language, struct err *e);

/* Lends the zygote that the next context of `language` comes from: the warm one if it is ready,
 * else the bare one, started if need be. */
MUST_CHECK int nursery_pick(struct nursery *n, const char *language, struct zygote **out,
                            struct err *e);

/* Lends the hello of a zygote of `language`, NULL before it. */
const struct wire_hello *nursery_hello(const struct nursery *n, const char *language);

/* Lends the zygote with this pid, NULL when none has it. */
struct zygote *nursery_by_pid(const struct nursery *n, pid_t pid);

/* `zygote` could not make a context. A warm one gets no more requests but goes on reaping: true.
 * False for a bare one, as nothing could replace it. */
bool nursery_retire(struct nursery *n, const struct zygote *zygote, const char *why);

/* No warm one is started any more, and one that still loads is killed. */
void nursery_end_preloading(struct nursery *n);

/* Ends all; `gone` comes for each when it is reaped. */
void nursery_stop(struct nursery *n);
bool nursery_is_empty(const struct nursery *n);
