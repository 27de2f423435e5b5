/* SPDX-License-Identifier: MIT */
/* control.c - requests that are answered at once, also while code runs. Code itself may be sent
 * here too; it waits its turn as on shell. */
#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/protocol/reply.h"
#include "kernel/protocol/schema.h"
#include "kernel/zmq/door_impl.h"

/* A handler answers `x`, or keeps it (and returns 0 with `*x` taken) to answer later. On failure
 * the client is told the error. */
typedef int (*control_fn)(struct door *d, struct exchange **x, struct slice content, struct err *e);

static int handle_local(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(CONTROL_REPLY_MAX);
    exchange_keep(*x, content);
    local_answer(d, *x, &reply);
    if (buf_check(&reply, e) < 0) {
        return -1;
    }
    exchange_answer(*x, buf_slice(&reply));
    return 0;
}

static void answer_ok(struct exchange *x)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MSG_FIELD_MAX);
    reply_ok(&reply);
    exchange_answer(x, buf_slice(&reply));
}

/* Jupyter's own request names no context: its button stops whatever a cell of the notebook runs,
 * also in a context that a first line made. Those of programs are left alone. */
void door_interrupt(struct door *d)
{
    struct pool *pool = broker_pool(d->broker);
    for (struct context *c = pool_next(pool, NULL); c != NULL; c = pool_next(pool, c)) {
        if (context_is_common(c) && !context_is_doomed(c)) {
            context_interrupt(c);
        }
    }
}

static int handle_interrupt(struct door *d, struct exchange **x, struct slice content,
                            struct err *e)
{
    struct pool *pool = broker_pool(d->broker);
    struct context *c = NULL;
    bool is_named = jscan_get(content, "context_id").len > 0;
    if (contexts_named(pool, content, &c, e) < 0) {
        return -1;
    }
    exchange_busy(*x);
    if (is_named) {
        context_interrupt(c);
    } else {
        door_interrupt(d);
    }
    answer_ok(*x);
    return 0;
}

/* Answers when the context is ready: as a request in its own queue. */
static void answer_when_ready(struct exchange **x, struct context *c)
{
    struct job_request ready = {.is_turn = true, .needs_process = true};
    struct exchange *owned = take(*x);
    exchange_set_context(owned, c);
    context_submit(c, job_new(&ready, &exchange_events, owned));
}

static int handle_create(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    struct context *c = NULL;
    if (contexts_create(broker_pool(d->broker), broker_contexts_options(d->broker), content, &c,
                        e) < 0) {
        return -1;
    }
    exchange_busy(*x);
    answer_when_ready(x, c);
    return 0;
}

static int handle_restart(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    struct context *c = NULL;
    if (contexts_named(broker_pool(d->broker), content, &c, e) < 0) {
        return -1;
    }
    exchange_busy(*x);
    door_close_comms(d, c);
    context_restart(c);
    answer_when_ready(x, c);
    return 0;
}

static void on_deleted(void *arg)
{
    struct exchange *x = arg;
    answer_ok(x);
    exchange_free(x);
}

static int handle_delete(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    struct context *c = NULL;
    if (contexts_named(broker_pool(d->broker), content, &c, e) < 0) {
        return -1;
    }
    if (c == broker_default_context(d->broker)) {
        return err_set(e, ERR_INPUT,
                       "the default context cannot be deleted; restart_context_request empties it");
    }
    if (context_is_doomed(c)) {
        return err_set(e, ERR_STATE, "context '%s' is being deleted already", context_id(c));
    }
    exchange_busy(*x);
    door_close_comms(d, c);
    side_forget(broker_side(d->broker), context_id(c));
    context_delete(c, on_deleted, take(*x));
    return 0;
}

/* Takes a run that has not started out of its queue. */
static int handle_cancel(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    struct slice id = jscan_get(content, "msg_id");
    struct exchange *target = exchange_find(&d->exchanges, id);
    bool is_run = target != NULL && exchange_type(target) == MSG_EXECUTE_REQUEST;
    const char *name = is_run ? exchange_context_id(target) : NULL;
    struct context *c = name ? pool_find(broker_pool(d->broker), name) : NULL;
    (void)e; /* a request that is not there (any more) is an answer, no error */
    exchange_busy(*x);
    bool cancelled = c != NULL && context_cancel(c, target);
    exchange_reply(*x, cancelled ? SLICE_LIT("{\"status\": \"ok\", \"cancelled\": true}")
                                 : SLICE_LIT("{\"status\": \"ok\", \"cancelled\": false}"));
    return 0;
}

static void on_usage(void *arg, struct slice content)
{
    struct exchange *x = arg;
    if (content.len > 0) {
        exchange_reply(x, content);
    } else {
        exchange_refuse(x, "KernelError", "usage cannot be read: is /proc mounted?");
    }
    exchange_free(x);
}

static int handle_usage(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    (void)content; /* has none */
    exchange_busy(*x);
    if (side_usage(broker_side(d->broker), on_usage, *x, e) < 0) {
        return -1;
    }
    *x = NULL; /* answered by the side thread */
    return 0;
}

static int handle_shutdown(struct door *d, struct exchange **x, struct slice content, struct err *e)
{
    (void)e; /* cannot fail */
    shutdown_handle(d, take(*x), content);
    return 0;
}

static const struct {
    enum msg_type type;
    control_fn handle;
} handlers[] = {
    {MSG_KERNEL_INFO_REQUEST, handle_local},     {MSG_CONNECT_REQUEST, handle_local},
    {MSG_COMM_INFO_REQUEST, handle_local},       {MSG_LIST_CONTEXT_REQUEST, handle_local},
    {MSG_INTERRUPT_REQUEST, handle_interrupt},   {MSG_SHUTDOWN_REQUEST, handle_shutdown},
    {MSG_CREATE_CONTEXT_REQUEST, handle_create}, {MSG_RESTART_CONTEXT_REQUEST, handle_restart},
    {MSG_DELETE_CONTEXT_REQUEST, handle_delete}, {MSG_CANCEL_REQUEST, handle_cancel},
    {MSG_USAGE_REQUEST, handle_usage},
};

void shutdown_handle(struct door *d, struct exchange *x, struct slice content)
{
    bool restart = false;
    (void)jscan_bool(jscan_get(content, "restart"), &restart); /* absent: false */
    exchange_busy(x);
    if (d->shutdown != NULL) {
        _cleanup_(drop_buf) struct buf reply = BUF_INIT(MSG_FIELD_MAX);
        reply_shutdown(&reply, restart);
        exchange_reply(x, buf_slice(&reply));
        exchange_free(x);
        return;
    }
    d->shutdown = x;
    d->shutdown_restart = restart;
    door_shutdown(d);
}

static control_fn handler_of(enum msg_type type)
{
    for (size_t i = 0; i < ARRAY_LEN(handlers); i++) {
        if (handlers[i].type == type) {
            return handlers[i].handle;
        }
    }
    return NULL;
}

int control_handle(struct door *d, const struct message *msg, struct err *e)
{
    struct err bad = ERR_NONE;
    control_fn handle = handler_of(msg->type);
    if (msg->type == MSG_EXECUTE_REQUEST) {
        return shell_queue(d, CHANNEL_CONTROL, msg, e); /* there is one turn for all code */
    }
    if (handle == NULL) {
        return err_set(e, ERR_PROTO, "not supported");
    }
    _cleanup_(drop_exchange) struct exchange *x = NULL;
    if (exchange_new(d, CHANNEL_CONTROL, msg, &x, e) < 0) {
        return -1;
    }
    if (schema_check(msg->type, msg->content, &bad) < 0 || handle(d, &x, msg->content, &bad) < 0) {
        exchange_refuse_err(x, &bad);
    }
    return 0;
}
