/* SPDX-License-Identifier: MIT */
#include "contexts/pool/pool.h"

#include <assert.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"

bool pool_is_stopping(const struct pool *pool)
{
    return pool->stopping;
}

void pool_drain(struct pool *pool)
{
    pool->sink->drain(pool->arg);
}

void pool_check_stopped(struct pool *pool)
{
    if (!pool->stopping || pool->stopped || nmap_len(pool->by_ticket) > 0) {
        return;
    }
    nursery_stop(pool->nursery);
    if (nursery_is_empty(pool->nursery)) {
        pool->stopped = true;
        pool->sink->stopped(pool->arg);
    }
}

void pool_context_died(struct pool *pool, struct context *c, const struct death *death)
{
    pool->sink->died(pool->arg, c, death);
    pool_check_stopped(pool);
}

int pool_new(struct loop *loop, const struct pool_options *options, const struct pool_sink *sink,
             void *arg, struct pool **out, struct err *e)
{
    int lifeline[2];
    if (fd_pipe(lifeline, e) < 0) {
        return -1;
    }
    /* Orphans of a dead zygote come to us, so that no context is ever without a reaper. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
        close(lifeline[0]);
        close(lifeline[1]);
        return err_sys(e, "prctl(PR_SET_CHILD_SUBREAPER)");
    }
    struct pool *pool = xcalloc(1, sizeof *pool);
    pool->loop = loop;
    pool->options = *options;
    pool->sink = sink;
    pool->arg = arg;
    pool->lifeline[0] = lifeline[0];
    pool->lifeline[1] = lifeline[1];
    pool->next_ticket = 1;
    pool->by_id = map_new(NULL);
    pool->by_ticket = nmap_new();
    pool->by_pid = nmap_new();
    LIST_INIT(&pool->contexts);
    LIST_INIT(&pool->paused);
    struct nursery_options nursery = {.languages = options->languages,
                                      .language_count = options->language_count,
                                      .lifeline_fd = lifeline[0],
                                      .descriptor_limit = options->descriptor_limit,
                                      .preload_ms = options->preload_ms};
    pool->nursery = nursery_new(loop, &nursery, &pool_nursery_events, pool);
    *out = pool;
    return 0;
}

int pool_prepare(struct pool *pool, const char *language, struct err *e)
{
    struct zygote *ignored = NULL;
    return nursery_pick(pool->nursery, language, &ignored, e);
}

const struct wire_hello *pool_hello(const struct pool *pool, const char *language)
{
    return nursery_hello(pool->nursery, language);
}

struct context *pool_find(const struct pool *pool, const char *id)
{
    return map_get(pool->by_id, id);
}

struct context *pool_next(const struct pool *pool, const struct context *previous)
{
    return previous ? LIST_NEXT(previous, link) : LIST_FIRST(&pool->contexts);
}

int pool_add_context(struct pool *pool, const struct context_options *options, struct context **out,
                     struct err *e)
{
    if (nursery_check_language(pool->nursery, options->language, e) < 0) {
        return -1;
    }
    if (pool_find(pool, options->id) != NULL) {
        return err_set(e, ERR_INPUT, "a context '%s' exists already", options->id);
    }
    if (map_len(pool->by_id) >= CONTEXTS_MAX) {
        return err_set(e, ERR_LIMIT, "%zu contexts exist, limit %lu", map_len(pool->by_id),
                       CONTEXTS_MAX);
    }
    struct context *c = xcalloc(1, sizeof *c);
    c->pool = pool;
    c->loop = pool->loop;
    c->id = xstrdup(options->id);
    c->language = xstrdup(options->language);
    c->is_common = options->is_common;
    c->start_options = xstrndup(options->start.data, options->start.len);
    c->next_exec = 1;
    c->created_ms = c->last_used_ms = clock_epoch_ms();
    TAILQ_INIT(&c->queue);
    TAILQ_INIT(&c->aside);
    LIST_INSERT_HEAD(&pool->contexts, c, link);
    map_put(pool->by_id, c->id, c);
    *out = c;
    return 0;
}

/* Out of the list of paused contexts, or of those that pool_resume is about to resume. */
static void unlink_paused(struct context *c)
{
    if (c->paused_link.le_prev != NULL) {
        LIST_REMOVE(c, paused_link);
        c->paused_link.le_prev = NULL;
    }
}

static void context_free(struct context *c)
{
    struct err e = ERR_NONE;
    (void)err_set(&e, ERR_GONE, "the context was removed");
    if (c->current != NULL) {
        struct job_result result = {.end = JOB_REFUSED,
                                    .failed = true,
                                    .reason = &e,
                                    .execution_count = c->current->execution_count};
        struct job *job = take(c->current);
        job_end(job, &result);
        job_free(job);
        aside_end_all(c, &result);
    }
    context_refuse_queue(c, &e);
    for (size_t i = 0; i < RECENT_JOBS; i++) {
        job_free(c->recent[i]);
    }
    life_free(c->life);
    loop_timer_free(c->interrupt_timer);
    loop_timer_free(c->run_timer);
    loop_timer_free(c->queue_timer);
    LIST_REMOVE(c, link);
    unlink_paused(c);
    map_remove(c->pool->by_id, c->id);
    free(c->id);
    free(c->language);
    free(c->start_options);
    free(c);
}

void pool_context_gone(struct pool *pool, struct context *c)
{
    context_gone_fn gone = c->gone;
    void *arg = c->gone_arg;
    log_info("pool", "context deleted", "ctx=%s", c->id);
    context_free(c);
    if (gone != NULL) {
        gone(arg);
    }
    pool_check_stopped(pool);
}

void pool_free(struct pool *pool)
{
    if (pool == NULL) {
        return;
    }
    pool_kill_all(pool);
    while (!LIST_EMPTY(&pool->contexts)) {
        context_free(LIST_FIRST(&pool->contexts));
    }
    nursery_free(pool->nursery);
    map_free(pool->by_id);
    nmap_free(pool->by_ticket);
    nmap_free(pool->by_pid);
    close(pool->lifeline[0]);
    close(pool->lifeline[1]);
    free(pool);
}

void context_pause(struct context *c, unsigned reader)
{
    assert(reader < READERS_MAX);
    unlink_paused(c); /* it may wait to be resumed */
    c->paused_by |= UINT32_C(1) << reader;
    LIST_INSERT_HEAD(&c->pool->paused, c, paused_link);
    if (c->life != NULL) {
        life_update_events(c->life);
    }
}

void pool_resume(struct pool *pool, unsigned reader)
{
    struct context_list resumed = LIST_HEAD_INITIALIZER(resumed);
    struct context *next = NULL;
    assert(reader < READERS_MAX);
    for (struct context *c = LIST_FIRST(&pool->paused); c != NULL; c = next) {
        next = LIST_NEXT(c, paused_link);
        c->paused_by &= ~(UINT32_C(1) << reader);
        if (c->paused_by == 0) {
            unlink_paused(c);
            LIST_INSERT_HEAD(&resumed, c, paused_link);
        }
    }
    /* Whoever hears of the frames that were held may pause or delete any of them again. */
    while (!LIST_EMPTY(&resumed)) {
        struct context *c = LIST_FIRST(&resumed);
        unlink_paused(c);
        context_resume(c);
    }
}

void pool_stop(struct pool *pool)
{
    struct context *c = NULL;
    pool->stopping = true;
    nursery_end_preloading(pool->nursery);
    LIST_FOREACH (c, &pool->contexts, link) {
        context_stop(c);
    }
    pool_check_stopped(pool);
}

void pool_interrupt_all(struct pool *pool)
{
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        context_interrupt(c);
    }
}

void pool_kill_all(struct pool *pool)
{
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        context_kill(c, VERDICT_STOPPED);
    }
    /* Zygotes stay until the last context is gone: they report how it ended. */
}
