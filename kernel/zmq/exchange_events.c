/* SPDX-License-Identifier: MIT */
/* exchange_events.c - what a job tells its exchange, put into messages. */
#include <stdio.h>

#include "base/jscan.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/zmq/door_impl.h"
#include "kernel/zmq/exchange_impl.h"

static struct context *context_of(const struct exchange *x)
{
    return pool_find(broker_pool(x->door->broker), x->context_id);
}

static void on_started(void *arg, int64_t execution_count)
{
    struct exchange *x = arg;
    exchange_busy(x);
    if (x->type != MSG_EXECUTE_REQUEST || x->silent) {
        return;
    }
    struct slice code = {.data = x->code, .len = x->code_len};
    _cleanup_(drop_buf) struct buf content = BUF_INIT(x->code_len + MSG_FIELD_MAX);
    reply_execute_input(&content, code, execution_count);
    exchange_publish(x, MSG_EXECUTE_INPUT, buf_slice(&content), NULL, 0);
    if (x->keep_history) {
        x->line = execution_count;
        side_note_input(broker_side(x->door->broker), context_of(x), x->line, code);
    }
    free(take(x->code));
}

static const struct {
    enum wire_type wire;
    enum msg_type msg;
} output_types[] = {
    {WIRE_STREAM, MSG_STREAM},
    {WIRE_DISPLAY_DATA, MSG_DISPLAY_DATA},
    {WIRE_UPDATE_DISPLAY_DATA, MSG_UPDATE_DISPLAY_DATA},
    {WIRE_CLEAR_OUTPUT, MSG_CLEAR_OUTPUT},
    {WIRE_EXECUTE_RESULT, MSG_EXECUTE_RESULT},
    {WIRE_ERROR, MSG_ERROR},
};

static const struct {
    enum wire_type wire;
    enum msg_type msg;
} comm_types[] = {
    {WIRE_COMM_OPEN, MSG_COMM_OPEN},
    {WIRE_COMM_MSG, MSG_COMM_MSG},
    {WIRE_COMM_CLOSE, MSG_COMM_CLOSE},
};

/* Comms that a context opens or closes are known from then on, so that answers find it. */
static void note_comm(struct exchange *x, enum wire_type type, struct slice content)
{
    struct err e = ERR_NONE;
    struct comms *comms = broker_comms(x->door->broker);
    struct slice id = jscan_get(content, "comm_id");
    if (type == WIRE_COMM_CLOSE) {
        comms_close(comms, id);
    } else if (type == WIRE_COMM_OPEN &&
               comms_open(comms, id, jscan_get(content, "target_name"), x->context_id, &e) < 0) {
        log_warn("zmq", "comm not kept", "ctx=%s why=\"%s\"", x->context_id, e.text);
    }
}

static void publish_output(struct exchange *x, enum wire_type type, struct slice content,
                           const struct slice *buffers, size_t buffer_count)
{
    if (type == WIRE_INPUT_REQUEST) {
        exchange_ask(x, content);
        return;
    }
    if (type == WIRE_EXECUTE_RESULT && x->line > 0) {
        side_note_output(broker_side(x->door->broker), context_of(x), x->line,
                         jscan_get(jscan_get(content, "data"), "text/plain"));
    }
    for (size_t i = 0; i < ARRAY_LEN(comm_types); i++) {
        if (comm_types[i].wire == type) {
            note_comm(x, type, content);
            exchange_publish_comm(x, comm_types[i].msg, content, buffers, buffer_count);
            return;
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(output_types); i++) {
        if (output_types[i].wire == type) {
            exchange_publish(x, output_types[i].msg, content, buffers, buffer_count);
            return;
        }
    }
}

static void on_output(void *arg, enum wire_type type, struct slice content,
                      const struct slice *buffers, size_t buffer_count)
{
    struct exchange *x = arg;
    publish_output(x, type, content, buffers, buffer_count);
    if (x->door->is_behind) {
        context_pause(context_of(x), DOOR_READER);
    }
}

/* What a death means for those who want to go on. */
static const char *aftermath(const struct exchange *x)
{
    const struct context *c = pool_find(broker_pool(x->door->broker), x->context_id);
    if (x->door->ending) {
        return "the kernel is shutting down";
    }
    return c == NULL || context_is_doomed(c) ? "it was deleted"
                                             : "its variables are lost, the context starts afresh";
}

static void reply_died(struct exchange *x, const struct job_result *result)
{
    char evalue[sizeof result->death->text + 80];
    (void)snprintf(evalue, sizeof evalue, "%s; %s", result->death->text, aftermath(x));
    exchange_reply_failure(x, result->death->ename, evalue, result->execution_count);
}

static void reply_aborted(struct exchange *x)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
    reply_execute_aborted(&content);
    exchange_reply(x, buf_slice(&content));
}

static void on_history(void *arg, struct slice history, const struct err *err)
{
    struct exchange *x = arg;
    if (err->code != ERR_OK) {
        exchange_refuse_err(x, err);
    } else {
        _cleanup_(drop_buf) struct buf content = BUF_INIT(history.len + MSG_FIELD_MAX);
        buf_add_text(&content, "{\"status\": \"ok\", \"history\": ");
        buf_add_slice(&content, history);
        buf_add_text(&content, "}");
        exchange_reply(x, buf_slice(&content));
    }
    exchange_free(x);
}

/* The side thread answers; the exchange outlives its job until then. */
static void ask_history(struct exchange *x)
{
    struct err e = ERR_NONE;
    if (side_history(broker_side(x->door->broker), context_of(x), buf_slice(&x->content),
                     on_history, x, &e) < 0) {
        exchange_refuse_err(x, &e);
        return;
    }
    x->detached = true;
}

/* The turn of a request that the door itself answers. */
static void reply_local(struct exchange *x)
{
    if (x->type == MSG_HISTORY_REQUEST) {
        ask_history(x);
        return;
    }
    _cleanup_(drop_buf) struct buf content = BUF_INIT(CONTROL_REPLY_MAX);
    local_answer(x->door, x, &content);
    exchange_reply(x, buf_slice(&content));
}

static void on_ended(void *arg, const struct job_result *result)
{
    struct exchange *x = arg;
    x->asking = false;
    exchange_busy(x);
    switch (result->end) {
    case JOB_REPLIED:
        exchange_reply(x, result->content);
        return;
    case JOB_TURN:
        reply_local(x);
        return;
    case JOB_ABORTED:
        reply_aborted(x);
        return;
    case JOB_REFUSED:
        if (x->type == MSG_CREATE_CONTEXT_REQUEST) {
            door_forget_context(x->door, x->context_id); /* it never came to be */
        }
        exchange_reply_failure(x, exchange_ename(result->reason), result->reason->text,
                               result->execution_count);
        return;
    case JOB_DIED:
        reply_died(x, result);
        return;
    }
}

static void on_release(void *arg)
{
    struct exchange *x = arg;
    if (!x->detached) {
        exchange_free(x);
    }
}

const struct job_sink exchange_events = {
    .started = on_started, .output = on_output, .ended = on_ended, .release = on_release};
