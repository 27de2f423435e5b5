/* SPDX-License-Identifier: MIT */
#include "kernel/core/broker.h"

#include "base/bounds.h"
#include "base/mem.h"

/* How far a shutdown has come; each step has its time. */
enum shutdown_step { RUNNING, DRAINING, INTERRUPTING, KILLING, STOPPED };

struct broker {
    struct loop *loop;
    const struct broker_options *options;
    const struct broker_sink *sink;
    void *arg;
    struct pool *pool;
    struct context *context; /* the default one, lent by the pool */
    struct comms *comms;
    struct side *side;
    enum shutdown_step step;
    struct loop_timer *step_timer;
};

static void on_drain(void *arg)
{
    struct broker *b = arg;
    b->sink->drain(b->arg);
}

static void on_died(void *arg, struct context *context, const struct death *death)
{
    struct broker *b = arg;
    b->sink->died(b->arg, context, death);
    comms_drop_context(b->comms, context_id(context));
}

static void finish(struct broker *b)
{
    if (b->step != STOPPED) {
        b->step = STOPPED;
        loop_timer_cancel(b->step_timer);
        b->sink->stopped(b->arg);
    }
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

int broker_new(struct loop *loop, const struct broker_options *options,
               const struct broker_sink *sink, void *arg, struct broker **out, struct err *e)
{
    _cleanup_(drop_broker) struct broker *b = xcalloc(1, sizeof *b);
    b->loop = loop;
    b->options = options;
    b->sink = sink;
    b->arg = arg;
    b->comms = comms_new();
    b->side = side_new(loop, options->history_path);
    b->step_timer = loop_add_timer(loop, on_step_over, b);
    if (pool_new(loop, &options->pool, &pool_events, b, &b->pool, e) < 0 ||
        contexts_add_default(b->pool, &options->contexts, &b->context, e) < 0 ||
        pool_prepare(b->pool, options->contexts.language, e) < 0) {
        return -1;
    }
    *out = take(b);
    return 0;
}

void broker_free(struct broker *b)
{
    if (b == NULL) {
        return;
    }
    b->step = STOPPED; /* the door is going too: tell it nothing more */
    pool_free(b->pool);
    comms_free(b->comms);
    side_free(b->side);
    loop_timer_free(b->step_timer);
    free(b);
}

struct context *broker_default_context(const struct broker *b)
{
    return b->context;
}

int broker_select(struct broker *b, const struct selection *selection, struct context **out,
                  struct err *e)
{
    return contexts_select(b->pool, &b->options->contexts, selection, out, e);
}

struct pool *broker_pool(const struct broker *b)
{
    return b->pool;
}

const struct contexts_options *broker_contexts_options(const struct broker *b)
{
    return &b->options->contexts;
}

struct comms *broker_comms(const struct broker *b)
{
    return b->comms;
}

struct side *broker_side(const struct broker *b)
{
    return b->side;
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
