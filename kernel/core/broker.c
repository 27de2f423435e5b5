/* SPDX-License-Identifier: MIT */
#include "kernel/core/broker.h"

#include <signal.h>
#include <string.h>

#include "base/log.h"
#include "base/loop.h"
#include "base/mem.h"
#include "kernel/core/broker_impl.h"

const char *broker_label(const struct broker *b, const struct context *c)
{
    return c == NULL || c == b->context ? NULL : context_id(c);
}

bool broker_is_ending(const struct broker *b)
{
    return b->step != RUNNING;
}

bool broker_context_died(const struct broker *b)
{
    return b->context_died;
}

void broker_close_comms(struct broker *b, const struct context *c)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    while (comms_pop(b->comms, context_id(c), &id)) {
        for (size_t i = 0; i < b->door_count; i++) {
            struct door *d = b->doors[i];
            if (d->events->comm_closed != NULL && door_hears(d, c)) {
                d->events->comm_closed(d->arg, broker_label(b, c), buf_slice(&id));
            }
        }
    }
}

static void on_forget(void *arg)
{
    struct broker *b = arg;
    while (b->forgotten_count > 0) {
        _cleanup_(drop_free) char *id = b->forgotten[--b->forgotten_count];
        struct context *c = pool_find(b->pool, id);
        if (c != NULL && !context_is_doomed(c)) {
            context_delete(c, NULL, NULL);
        }
    }
}

void broker_forget(struct broker *b, const struct context *c)
{
    b->forgotten = xrealloc(b->forgotten, b->forgotten_count + 1, sizeof *b->forgotten);
    b->forgotten[b->forgotten_count++] = xstrdup(context_id(c));
    loop_timer_set(b->forget_timer, 0);
}

static void on_drain(void *arg)
{
    struct broker *b = arg;
    for (size_t i = 0; i < b->door_count; i++) {
        if (b->doors[i]->events->drain != NULL) {
            b->doors[i]->events->drain(b->doors[i]->arg);
        }
    }
}

/* Clients watch the default context as "the kernel". JupyterLab puts a dialog over the notebook
 * that says the kernel has died, which is right only where nothing else says so. */
static void announce_death(struct broker *b, const struct context *c, const struct death *death)
{
    if (c != b->context || death->is_told || death->verdict == VERDICT_NOT_STARTED) {
        return;
    }
    for (size_t i = 0; i < b->door_count; i++) {
        struct door *d = b->doors[i];
        if (d->events->default_died != NULL && door_hears(d, c)) {
            d->events->default_died(d->arg);
        }
    }
}

static void on_died(void *arg, struct context *c, const struct death *death)
{
    struct broker *b = arg;
    if (broker_is_ending(b)) {
        comms_drop_context(b->comms, context_id(c));
        return;
    }
    broker_close_comms(b, c);
    announce_death(b, c, death);
    if (b->options->exit_on_death && death->verdict != VERDICT_STOPPED) {
        b->context_died = true;
        broker_shutdown(b);
    }
}

static void finish(struct broker *b)
{
    if (b->step == STOPPED) {
        return;
    }
    b->step = STOPPED;
    loop_timer_cancel(b->step_timer);
    for (size_t i = 0; i < b->door_count; i++) {
        if (b->doors[i]->events->stopped != NULL) {
            b->doors[i]->events->stopped(b->doors[i]->arg);
        }
    }
    loop_stop(b->loop);
}

static void on_stopped(void *arg)
{
    finish(arg);
}

static const struct pool_sink pool_events = {
    .drain = on_drain, .died = on_died, .stopped = on_stopped};

static void on_step_over(void *arg)
{
    struct broker *b = arg;
    switch (b->step) {
    case DRAINING:
        b->step = INTERRUPTING;
        pool_interrupt_all(b->pool);
        loop_timer_set(b->step_timer, SHUTDOWN_INTERRUPT_MS);
        return;
    case INTERRUPTING:
        b->step = KILLING;
        pool_kill_all(b->pool);
        loop_timer_set(b->step_timer, SHUTDOWN_KILL_MS);
        return;
    case KILLING:
        finish(b); /* what SIGKILL cannot end (uninterruptible sleep) must not hold us */
        return;
    case RUNNING:
    case STOPPED:
        return;
    }
}

void broker_interrupt(struct broker *b)
{
    for (struct context *c = pool_next(b->pool, NULL); c != NULL; c = pool_next(b->pool, c)) {
        if (context_is_common(c) && !context_is_doomed(c)) {
            context_interrupt(c);
        }
    }
}

static void on_signal(void *arg, int signo)
{
    struct broker *b = arg;
    if (signo == SIGCHLD) {
        pool_reap(b->pool);
    } else if (signo == SIGINT) {
        broker_interrupt(b);
    } else {
        log_info("core", "asked to end", "signal=%d", signo);
        broker_shutdown(b);
    }
}

static int open_pool(struct broker *b, struct err *e)
{
    const struct broker_options *o = b->options;
    b->languages = xcalloc(o->worker_count, sizeof *b->languages);
    for (size_t i = 0; i < o->worker_count; i++) {
        const struct broker_worker *w = &o->workers[i];
        b->languages[i] = (struct pool_language){.name = w->language,
                                                 .worker_path = w->path,
                                                 .argv = w->argv,
                                                 .preload = w->preload,
                                                 .preload_count = w->preload_count};
    }
    struct pool_options options = {.languages = b->languages,
                                   .language_count = o->worker_count,
                                   .descriptor_limit = o->descriptor_limit,
                                   .preload_ms = o->preload_ms};
    return pool_new(b->loop, &options, &pool_events, b, &b->pool, e);
}

int broker_new(struct loop *loop, const struct broker_options *options, struct broker **out,
               struct err *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0};
    _cleanup_(drop_broker) struct broker *b = xcalloc(1, sizeof *b);
    b->loop = loop;
    b->options = options;
    b->contexts = (struct contexts_options){.language = options->language, .cwd = options->cwd};
    b->comms = comms_new();
    b->keeps_history = options->history_path != NULL;
    bool in_file = b->keeps_history && strcmp(options->history_path, ":memory:") != 0;
    b->side = side_new(loop, in_file ? options->history_path : NULL);
    b->step_timer = loop_add_timer(loop, on_step_over, b);
    b->forget_timer = loop_add_timer(loop, on_forget, b);
    /* A zygote that is just starting inherits this; the loop gets its signals all the same. */
    (void)signal(SIGINT, SIG_IGN);
    if (open_pool(b, e) < 0 || loop_add_signals(loop, signals, on_signal, b, e) < 0 ||
        contexts_add_default(b->pool, &b->contexts, &b->context, e) < 0) {
        return -1;
    }
    *out = take(b);
    return 0;
}

int broker_start(struct broker *b, struct err *e)
{
    return pool_prepare(b->pool, b->options->language, e);
}

void broker_free(struct broker *b)
{
    if (b == NULL) {
        return;
    }
    b->step = STOPPED; /* contexts that end now are no news any more */
    pool_free(b->pool);
    side_free(b->side); /* may still answer requests: the doors are open */
    for (size_t i = 0; i < b->door_count; i++) {
        b->doors[i]->events->close(b->doors[i]->arg);
        free(b->doors[i]);
    }
    comms_free(b->comms);
    for (size_t i = 0; i < b->forgotten_count; i++) {
        free(b->forgotten[i]);
    }
    free(b->forgotten);
    free(b->languages);
    loop_timer_free(b->step_timer);
    loop_timer_free(b->forget_timer);
    free(b);
}

void broker_shutdown(struct broker *b)
{
    if (b->step != RUNNING) {
        return;
    }
    b->step = DRAINING;
    loop_timer_set(b->step_timer, SHUTDOWN_DRAIN_MS);
    for (struct context *c = pool_next(b->pool, NULL); c != NULL; c = pool_next(b->pool, c)) {
        context_abort_queue(c);
    }
    pool_stop(b->pool);
}
