/* SPDX-License-Identifier: MIT */
#include "kernel/core/manage.h"

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "contexts/pool/job.h"
#include "kernel/core/broker_impl.h"
#include "kernel/core/failure.h"

/* An answer that comes later. */
struct order {
    struct door *door;
    struct context *context; /* lent while its job lives */
    bool is_new;             /* the context was made for it */
    answer_fn answer;
    void *arg;
};

static struct order *order_new(struct door *d, answer_fn answer, void *arg)
{
    struct order *o = xcalloc(1, sizeof *o);
    *o = (struct order){.door = d, .answer = answer, .arg = arg};
    return o;
}

static void answer_content(answer_fn answer, void *arg, const char *context_id,
                           struct slice content)
{
    struct run_end end = {.content = content, .context_id = context_id, .exit_code = -1};
    answer(arg, &end);
}

static void answer_ok(answer_fn answer, void *arg)
{
    answer_content(answer, arg, NULL, SLICE_LIT("{\"status\": \"ok\"}"));
}

static void answer_failure(answer_fn answer, void *arg, const char *context_id,
                           const struct err *reason)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_HEADER_MAX);
    failure_write_reply(&content, failure_name(reason), reason->text);
    struct run_end end = {.status = RUN_FAILED,
                          .content = buf_slice(&content),
                          .context_id = context_id,
                          .ename = failure_name(reason),
                          .reason = reason->text,
                          .exit_code = -1};
    answer(arg, &end);
}

void manage_refuse(const struct err *reason, answer_fn answer, void *arg)
{
    answer_failure(answer, arg, NULL, reason);
}

static void on_started(void *arg, int64_t execution_count)
{
    (void)arg;
    (void)execution_count;
}

static void on_output(void *arg, enum wire_type type, struct slice content,
                      const struct slice *buffers, size_t buffer_count)
{
    (void)arg; /* a job that only waits its turn has none */
    (void)type;
    (void)content;
    (void)buffers;
    (void)buffer_count;
}

static void on_ready(void *arg, const struct job_result *result)
{
    struct order *o = arg;
    struct broker *b = o->door->broker;
    const char *label = broker_label(b, o->context);
    if (result->end != JOB_TURN) {
        if (o->is_new) {
            broker_forget(b, o->context); /* it never came to be */
        }
        answer_failure(o->answer, o->arg, label, result->reason);
        return;
    }
    _cleanup_(drop_buf) struct buf content = BUF_INIT(CONTROL_REPLY_MAX);
    jwrite_object(&content);
    jwrite_member_text(&content, "status", "ok");
    jwrite_key(&content, "context");
    contexts_describe(o->context, &content);
    jwrite_object_end(&content);
    answer_content(o->answer, o->arg, label, buf_slice(&content));
}

static const struct job_sink ready_events = {
    .started = on_started, .output = on_output, .ended = on_ready, .release = free};

/* Answers when the process is ready: as a request in the queue of the context. Takes `o`. */
static void answer_when_ready(struct order *o)
{
    struct job_request ready = {.is_turn = true, .needs_process = true, .reader = o->door->number};
    context_submit(o->context, job_new(&ready, &ready_events, o));
}

void manage_create(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    struct broker *b = d->broker;
    struct err e = ERR_NONE;
    struct context *c = NULL;
    if (contexts_create(b->pool, &b->contexts, content, &c, &e) < 0) {
        answer_failure(answer, arg, NULL, &e);
        return;
    }
    struct order *o = order_new(d, answer, arg);
    o->context = c;
    o->is_new = true;
    answer_when_ready(o);
}

void manage_list(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(CONTROL_REPLY_MAX);
    struct err e = ERR_NONE;
    (void)content; /* it has none */
    jwrite_object(&reply);
    jwrite_member_text(&reply, "status", "ok");
    jwrite_key(&reply, "contexts");
    contexts_describe_all(d->broker->pool, &reply);
    jwrite_object_end(&reply);
    if (buf_check(&reply, &e) < 0) {
        answer_failure(answer, arg, NULL, &e);
    } else {
        answer_content(answer, arg, NULL, buf_slice(&reply));
    }
}

void manage_restart(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    struct broker *b = d->broker;
    struct err e = ERR_NONE;
    struct context *c = NULL;
    if (contexts_named(b->pool, content, &c, &e) < 0) {
        answer_failure(answer, arg, NULL, &e);
        return;
    }
    struct order *o = order_new(d, answer, arg);
    o->context = c;
    broker_close_comms(b, c);
    context_restart(c);
    answer_when_ready(o);
}

static void on_deleted(void *arg)
{
    _cleanup_(drop_free) struct order *o = arg;
    answer_ok(o->answer, o->arg);
}

static int find_deletable(struct broker *b, struct slice content, struct context **out,
                          struct err *e)
{
    struct context *c = NULL;
    if (contexts_named(b->pool, content, &c, e) < 0) {
        return -1;
    }
    if (c == b->context) {
        return err_set(e, ERR_INPUT,
                       "the default context cannot be deleted; restart_context_request empties it");
    }
    if (context_is_doomed(c)) {
        return err_set(e, ERR_STATE, "context '%s' is being deleted already", context_id(c));
    }
    *out = c;
    return 0;
}

void manage_delete(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    struct broker *b = d->broker;
    struct err e = ERR_NONE;
    struct context *c = NULL;
    if (find_deletable(b, content, &c, &e) < 0) {
        answer_failure(answer, arg, NULL, &e);
        return;
    }
    broker_close_comms(b, c);
    side_forget(b->side, context_id(c));
    context_delete(c, on_deleted, order_new(d, answer, arg));
}

static void interrupt_notebook(struct door *d)
{
    struct pool *pool = d->broker->pool;
    for (struct context *c = pool_next(pool, NULL); c != NULL; c = pool_next(pool, c)) {
        if (context_is_common(c) && door_hears(d, c) && !context_is_doomed(c)) {
            context_interrupt(c);
        }
    }
}

void manage_interrupt(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    struct err e = ERR_NONE;
    struct context *c = NULL;
    if (contexts_named(d->broker->pool, content, &c, &e) < 0) {
        answer_failure(answer, arg, NULL, &e);
        return;
    }
    if (jscan_get(content, "context_id").len > 0) {
        context_interrupt(c);
    } else {
        interrupt_notebook(d);
    }
    answer_ok(answer, arg);
}

void manage_comm_info(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(CONTROL_REPLY_MAX);
    struct err e = ERR_NONE;
    comms_write_info(d->broker->comms, jscan_get(content, "target_name"), &reply);
    if (buf_check(&reply, &e) < 0) {
        answer_failure(answer, arg, NULL, &e);
    } else {
        answer_content(answer, arg, NULL, buf_slice(&reply));
    }
}

static void on_usage(void *arg, struct slice content)
{
    _cleanup_(drop_free) struct order *o = arg;
    struct err e = ERR_NONE;
    if (content.len > 0) {
        answer_content(o->answer, o->arg, NULL, content);
        return;
    }
    (void)err_set(&e, ERR_SYS, "usage cannot be read: is /proc mounted?");
    answer_failure(o->answer, o->arg, NULL, &e);
}

void manage_usage(struct door *d, struct slice content, answer_fn answer, void *arg)
{
    struct err e = ERR_NONE;
    (void)content; /* it has none */
    struct order *o = order_new(d, answer, arg);
    if (side_usage(d->broker->side, on_usage, o, &e) < 0) {
        free(o);
        answer_failure(answer, arg, NULL, &e);
    }
}
