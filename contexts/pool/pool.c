/* SPDX-License-Identifier: MIT */
#include "contexts/pool/pool.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/proc.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/nursery.h"
#include "contexts/pool/pool_impl.h"
#include "contexts/pool/zygote.h"

enum { CHILDREN_SEEN = 256 };

struct pool {
    struct loop *loop;
    struct pool_options options;
    const struct pool_sink *sink;
    void *arg;
    int lifeline[2]; /* nothing is ever written; its end is the message */
    struct nursery *nursery;
    LIST_HEAD(, context) contexts;
    size_t context_count;
    uint64_t next_ticket;
    enum pool_reading reading;
    bool stopping;
    bool stopped; /* said so */
};

bool pool_is_stopping(const struct pool *pool)
{
    return pool->stopping;
}

enum pool_reading pool_reading(const struct pool *pool)
{
    return pool->reading;
}

void pool_drain(struct pool *pool)
{
    pool->sink->drain(pool->arg);
}

static struct context *by_ticket(const struct pool *pool, uint64_t ticket)
{
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        if (c->ticket == ticket && c->state != CTX_NONE) {
            return c;
        }
    }
    return NULL;
}

static struct context *by_pid(const struct pool *pool, pid_t pid)
{
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        if (c->pid == pid && c->state != CTX_NONE) {
            return c;
        }
    }
    return NULL;
}

static void on_forked(void *arg, uint64_t ticket, pid_t pid, int pidfd)
{
    struct pool *pool = arg;
    struct context *c = by_ticket(pool, ticket);
    if (c == NULL || c->pid > 0) {
        close(pidfd); /* its socket is closed already: the process ends by itself */
        return;
    }
    context_forked(c, pid, pidfd);
}

static void on_failed(void *arg, uint64_t ticket, const char *why)
{
    struct pool *pool = arg;
    struct context *c = by_ticket(pool, ticket);
    if (c == NULL || c->state != CTX_FORKING) {
        return;
    }
    if (nursery_retire(pool->nursery, c->zygote, why)) {
        context_fork_lost(c, why); /* the bare one makes it instead */
    } else {
        context_fork_failed(c, why);
    }
}

static void on_exited(void *arg, uint64_t ticket, const struct wire_exited *exited)
{
    struct context *c = by_ticket(arg, ticket);
    if (c != NULL && c->pid == exited->pid) {
        context_reaped(c, exited->status);
    }
}

static void check_stopped(struct pool *pool)
{
    if (!pool->stopping || pool->stopped) {
        return;
    }
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        if (c->state != CTX_NONE) {
            return;
        }
    }
    nursery_stop(pool->nursery);
    if (nursery_is_empty(pool->nursery)) {
        pool->stopped = true;
        pool->sink->stopped(pool->arg);
    }
}

static void on_gone(void *arg, struct zygote *zygote, const char *why)
{
    struct pool *pool = arg;
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        if (c->state != CTX_FORKING || c->zygote != zygote) {
            continue;
        }
        if (zygote_hello(zygote) != NULL) {
            context_fork_lost(c, why);
        } else {
            context_fork_failed(c, why); /* it never worked: trying again would only repeat it */
        }
    }
    check_stopped(pool);
}

static const struct nursery_sink nursery_events = {
    .forked = on_forked, .failed = on_failed, .exited = on_exited, .gone = on_gone};

void pool_context_died(struct pool *pool, struct context *c, const struct death *death)
{
    pool->sink->died(pool->arg, c, death);
    check_stopped(pool);
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
    LIST_INIT(&pool->contexts);
    struct nursery_options nursery = {.languages = options->languages,
                                      .language_count = options->language_count,
                                      .lifeline_fd = lifeline[0],
                                      .descriptor_limit = options->descriptor_limit,
                                      .preload_ms = options->preload_ms};
    pool->nursery = nursery_new(loop, &nursery, &nursery_events, pool);
    *out = pool;
    return 0;
}

int pool_warm(struct pool *pool, const char *language, struct err *e)
{
    struct zygote *ignored = NULL;
    return nursery_pick(pool->nursery, language, &ignored, e);
}

const struct wire_hello *pool_hello(const struct pool *pool, const char *language)
{
    return nursery_hello(pool->nursery, language);
}

int pool_fork(struct pool *pool, struct context *c, const int *fds, struct err *e)
{
    struct wire_fork order = {.policy = WIRE_POLICY_OPEN, .descriptor_count = FORK_FDS};
    for (int i = 0; i < FORK_FDS; i++) {
        order.descriptors[i] = (enum wire_fork_fd)i;
    }
    struct zygote *zygote = NULL;
    c->ticket = pool->next_ticket++;
    for (int i = 0; i < 3; i++) { /* the warm one, the bare one, a new one */
        if (nursery_pick(pool->nursery, c->language, &zygote, e) < 0) {
            return -1;
        }
        if (zygote_fork(zygote, c->ticket, &order, fds, e) == 0) {
            c->zygote = zygote;
            return 0;
        }
        zygote_stop(zygote); /* it died and nobody has noticed yet: the next one is new */
    }
    return -1;
}

struct context *pool_find(const struct pool *pool, const char *id)
{
    struct context *c = NULL;
    LIST_FOREACH (c, &pool->contexts, link) {
        if (strcmp(c->id, id) == 0) {
            return c;
        }
    }
    return NULL;
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
    if (pool->context_count >= CONTEXTS_MAX) {
        return err_set(e, ERR_LIMIT, "%zu contexts exist, limit %lu", pool->context_count,
                       CONTEXTS_MAX);
    }
    struct context *c = xcalloc(1, sizeof *c);
    c->pool = pool;
    c->loop = pool->loop;
    c->id = xstrdup(options->id);
    c->language = xstrdup(options->language);
    c->is_common = options->is_common;
    c->start_options = xstrndup(options->start.data, options->start.len);
    c->pidfd = c->wire_fd = c->pipe_fds[0] = c->pipe_fds[1] = c->will_fd = -1;
    c->backlog = BUF_INIT(CONTEXT_BACKLOG_MAX);
    c->next_exec = 1;
    c->created_ms = c->last_used_ms = clock_epoch_ms();
    wire_reader_init(&c->reader);
    TAILQ_INIT(&c->queue);
    TAILQ_INIT(&c->aside);
    LIST_INSERT_HEAD(&pool->contexts, c, link);
    pool->context_count++;
    *out = c;
    return 0;
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
    context_close_process(c);
    wire_reader_done(&c->reader);
    loop_timer_free(c->state_timer);
    loop_timer_free(c->interrupt_timer);
    loop_timer_free(c->run_timer);
    loop_timer_free(c->queue_timer);
    LIST_REMOVE(c, link);
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
    pool->context_count--;
    if (gone != NULL) {
        gone(arg);
    }
    check_stopped(pool);
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
    close(pool->lifeline[0]);
    close(pool->lifeline[1]);
    free(pool);
}

void pool_set_reading(struct pool *pool, enum pool_reading reading)
{
    struct context *c = NULL;
    if (pool->reading == reading) {
        return;
    }
    pool->reading = reading;
    LIST_FOREACH (c, &pool->contexts, link) {
        if (c->wire == NULL || c->verdict == VERDICT_PROTOCOL) {
            continue;
        }
        if (reading == POOL_READ) {
            context_resume(c);
        } else {
            c->paused = true;
            context_update_events(c);
        }
    }
}

/* Children that are neither zygote nor context are strays of a dead zygote's contexts. */
static void kill_strays(struct pool *pool)
{
    pid_t children[CHILDREN_SEEN];
    size_t count = proc_children(children, CHILDREN_SEEN);
    for (size_t i = 0; i < count; i++) {
        if (by_pid(pool, children[i]) == NULL &&
            nursery_by_pid(pool->nursery, children[i]) == NULL) {
            (void)kill(children[i], SIGKILL); /* our own unreaped child */
        }
    }
}

static void reaped(struct pool *pool, pid_t pid, int status)
{
    struct zygote *zygote = nursery_by_pid(pool->nursery, pid);
    if (zygote != NULL) {
        zygote_reaped(zygote, status);
        kill_strays(pool);
        return;
    }
    struct context *c = by_pid(pool, pid);
    if (c != NULL) {
        context_reaped(c, status); /* orphaned by its zygote: we are its reaper */
        kill_strays(pool);
    }
}

void pool_reap(struct pool *pool)
{
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        reaped(pool, pid, status);
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
    check_stopped(pool);
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
