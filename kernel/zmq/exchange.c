/* SPDX-License-Identifier: MIT */
#include "kernel/zmq/exchange.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/protocol/schema.h"
#include "kernel/zmq/door_impl.h"
#include "kernel/zmq/exchange_impl.h"

static const struct {
    enum msg_type request;
    enum msg_type reply;
} reply_types[] = {
    {MSG_KERNEL_INFO_REQUEST, MSG_KERNEL_INFO_REPLY},
    {MSG_EXECUTE_REQUEST, MSG_EXECUTE_REPLY},
    {MSG_COMPLETE_REQUEST, MSG_COMPLETE_REPLY},
    {MSG_INSPECT_REQUEST, MSG_INSPECT_REPLY},
    {MSG_IS_COMPLETE_REQUEST, MSG_IS_COMPLETE_REPLY},
    {MSG_HISTORY_REQUEST, MSG_HISTORY_REPLY},
    {MSG_COMM_INFO_REQUEST, MSG_COMM_INFO_REPLY},
    {MSG_CONNECT_REQUEST, MSG_CONNECT_REPLY},
    {MSG_INTERRUPT_REQUEST, MSG_INTERRUPT_REPLY},
    {MSG_SHUTDOWN_REQUEST, MSG_SHUTDOWN_REPLY},
    {MSG_USAGE_REQUEST, MSG_USAGE_REPLY},
    {MSG_CREATE_CONTEXT_REQUEST, MSG_CREATE_CONTEXT_REPLY},
    {MSG_LIST_CONTEXT_REQUEST, MSG_LIST_CONTEXT_REPLY},
    {MSG_DELETE_CONTEXT_REQUEST, MSG_DELETE_CONTEXT_REPLY},
    {MSG_RESTART_CONTEXT_REQUEST, MSG_RESTART_CONTEXT_REPLY},
    {MSG_CANCEL_REQUEST, MSG_CANCEL_REPLY},
};

/* MSG_UNKNOWN for messages that have no reply (comms). */
static enum msg_type reply_type(enum msg_type request)
{
    for (size_t i = 0; i < ARRAY_LEN(reply_types); i++) {
        if (reply_types[i].request == request) {
            return reply_types[i].reply;
        }
    }
    return MSG_UNKNOWN;
}

int exchange_new(struct door *d, enum channel channel, const struct message *msg,
                 struct exchange **out, struct err *e)
{
    _cleanup_(drop_exchange) struct exchange *x = xcalloc(1, sizeof *x);
    x->door = d;
    LIST_INSERT_HEAD(&d->exchanges, x, link);
    x->channel = channel;
    x->type = msg->type;
    x->parent = BUF_INIT(MSG_PARENT_MAX);
    x->identities = BUF_INIT(MSG_IDENTITIES_MAX * 256);
    x->metadata = BUF_INIT(MSG_FIELD_MAX);
    x->content = BUF_INIT(MSG_JSON_MAX);
    if (codec_parent(msg, &x->parent, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < msg->identity_count && i < MSG_IDENTITIES_MAX; i++) {
        buf_add_slice(&x->identities, msg->identities[i]);
        x->identity_lens[x->identity_count++] = msg->identities[i].len;
    }
    if (buf_check(&x->identities, e) < 0) {
        return err_wrap(e, "identity");
    }
    *out = take(x);
    return 0;
}

void exchange_free(struct exchange *x)
{
    if (x == NULL) {
        return;
    }
    LIST_REMOVE(x, link);
    buf_done(&x->parent);
    buf_done(&x->identities);
    buf_done(&x->metadata);
    buf_done(&x->content);
    exchange_ask_done(x);
    free(x->context_id);
    free(x->code);
    free(x);
}

void exchange_set_context(struct exchange *x, const struct context *c)
{
    free(x->context_id);
    x->context_id = xstrdup(context_id(c));
    buf_clear(&x->metadata);
    if (c != broker_default_context(x->door->broker)) {
        buf_addf(&x->metadata, "{\"context_id\": \"%s\"}", x->context_id);
    }
}

const char *exchange_context_id(const struct exchange *x)
{
    return x->context_id;
}

void exchange_set_execute(struct exchange *x, const struct execute_fields *fields)
{
    x->silent = fields->silent;
    x->keep_history = fields->store_history;
    x->code = xstrndup(fields->code.data, fields->code.len);
    x->code_len = fields->code.len;
}

void exchange_keep(struct exchange *x, struct slice content)
{
    (void)buf_add_slice(&x->content, content); /* a message cannot pass its own ceiling */
}

struct slice exchange_content(const struct exchange *x)
{
    return buf_slice(&x->content);
}

enum msg_type exchange_type(const struct exchange *x)
{
    return x->type;
}

struct slice exchange_parent(const struct exchange *x)
{
    return buf_slice(&x->parent);
}

struct exchange *exchange_find(const struct exchange_list *list, struct slice raw)
{
    struct exchange *x = NULL;
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    if (jscan_string(raw, &id) < 0) {
        return NULL;
    }
    LIST_FOREACH (x, list, link) {
        if (jscan_string_is(jscan_get(exchange_parent(x), "msg_id"), buf_text(&id))) {
            return x;
        }
    }
    return NULL;
}

void exchange_publish(struct exchange *x, enum msg_type type, struct slice content,
                      const struct slice *buffers, size_t buffer_count)
{
    iopub_publish(x->door->iopub, &(struct publication){.type = type,
                                                        .parent = exchange_parent(x),
                                                        .metadata = buf_slice(&x->metadata),
                                                        .content = content,
                                                        .buffers = buffers,
                                                        .buffer_count = buffer_count});
}

void exchange_publish_comm(struct exchange *x, enum msg_type type, struct slice content,
                           const struct slice *buffers, size_t buffer_count)
{
    /* Its own metadata, and ours in front of it: both are objects. */
    struct slice own = buffers[0];
    _cleanup_(drop_buf) struct buf merged = BUF_INIT(own.len + MSG_FIELD_MAX);
    if (x->metadata.len > 0) {
        struct jscan_iter it;
        struct slice key;
        struct slice value;
        buf_addf(&merged, "{\"context_id\": \"%s\"", x->context_id);
        jscan_iter_init(&it, own);
        while (jscan_next(&it, &key, &value)) {
            buf_add_text(&merged, ", ");
            buf_add_slice(&merged, key);
            buf_add_text(&merged, ": ");
            buf_add_slice(&merged, value);
        }
        buf_add_text(&merged, "}");
        own = buf_slice(&merged);
    }
    iopub_publish(x->door->iopub, &(struct publication){.type = type,
                                                        .parent = exchange_parent(x),
                                                        .metadata = own,
                                                        .content = content,
                                                        .buffers = buffers + 1,
                                                        .buffer_count = buffer_count - 1});
}

static void publish_status(struct exchange *x, const char *state)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
    reply_status(&content, state);
    exchange_publish(x, MSG_STATUS, buf_slice(&content), NULL, 0);
}

void exchange_busy(struct exchange *x)
{
    if (!x->busy) {
        x->busy = true;
        clock_iso_utc(x->started);
        publish_status(x, "busy");
    }
}

/* Rebuilds the routing frames; returns how many. */
static size_t put_identities(const struct exchange *x, struct slice *frames)
{
    const char *at = buf_text(&x->identities);
    for (size_t i = 0; i < x->identity_count; i++) {
        frames[i] = (struct slice){.data = at, .len = x->identity_lens[i]};
        at += x->identity_lens[i];
    }
    return x->identity_count;
}

int exchange_send(struct exchange *x, enum channel channel, const struct outgoing *msg,
                  struct err *e)
{
    struct slice frames[MSG_IDENTITIES_MAX + ENCODED_FRAMES];
    struct encoded encoded;
    codec_encode(&x->door->codec, msg, &encoded);
    size_t count = put_identities(x, frames);
    for (size_t i = 0; i < ENCODED_FRAMES; i++) {
        frames[count++] = encoded.frames[i];
    }
    return zsock_send(x->door->sockets[channel], frames, count, e);
}

void exchange_reply(struct exchange *x, struct slice content)
{
    enum msg_type type = reply_type(x->type);
    if (type != MSG_UNKNOWN) {
        /* JupyterLab's timing of cells reads `started`. */
        _cleanup_(drop_buf) struct buf metadata = BUF_INIT(MSG_FIELD_MAX);
        buf_addf(&metadata, "{\"started\": \"%s\"", x->started);
        if (x->metadata.len > 0) {
            buf_addf(&metadata, ", \"context_id\": \"%s\"", x->context_id);
        }
        buf_add_text(&metadata, "}");
        struct outgoing msg = {.type = type,
                               .parent = exchange_parent(x),
                               .metadata = buf_slice(&metadata),
                               .content = content};
        struct err e = ERR_NONE;
        if (exchange_send(x, x->channel, &msg, &e) < 0) {
            log_warn("zmq", "message not sent", "type=%s why=\"%s\"", msg_type_name(type), e.text);
        }
    }
    publish_status(x, "idle");
}

void exchange_answer(struct exchange *x, struct slice content)
{
    exchange_busy(x);
    exchange_reply(x, content);
}

/* Does `msg` come from the client that made this request? */
static bool is_from(const struct exchange *x, const struct message *msg)
{
    struct slice frames[MSG_IDENTITIES_MAX];
    size_t count = put_identities(x, frames);
    if (count != msg->identity_count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!slice_eq(frames[i], msg->identities[i])) {
            return false;
        }
    }
    return true;
}

/* Is `id`, a raw JSON string, the input_request of this exchange, or the request it is about?
 * Clients name either as the parent of their answer. */
static bool is_named(const struct exchange *x, struct slice id)
{
    char asked[ID_SIZE + 24];
    (void)snprintf(asked, sizeof asked, "%s_%" PRIu64, x->door->codec.session, x->asked);
    return jscan_string_is(id, asked) || slice_eq(id, jscan_get(exchange_parent(x), "msg_id"));
}

struct exchange *exchange_find_asking(const struct exchange_list *list, const struct message *msg)
{
    struct exchange *x = NULL;
    struct exchange *oldest = NULL;
    struct slice id = jscan_get(msg->parent, "msg_id");
    bool named = jscan_kind(id) == JSCAN_STRING && !jscan_string_is(id, "");
    LIST_FOREACH (x, list, link) {
        if (x->asking && is_from(x, msg) && (!named || is_named(x, id))) {
            oldest = x; /* the list is newest first */
        }
    }
    if (oldest != NULL) {
        oldest->asking = false;
    }
    return oldest;
}

const char *exchange_ename(const struct err *reason)
{
    switch (reason->code) {
    case ERR_LIMIT:
        return "LimitExceeded";
    case ERR_TIMEOUT:
        return "TimeoutError";
    case ERR_STATE:
        return "ServiceUnavailable";
    case ERR_GONE:
    case ERR_ENGINE:
        return "ContextNotStarted";
    case ERR_INPUT:
    case ERR_PROTO:
        return "InvalidRequest";
    case ERR_OK:
    case ERR_SYS:
    case ERR_AUTH:
        return "KernelError";
    }
    return "KernelError";
}

void exchange_reply_failure(struct exchange *x, const char *ename, const char *evalue,
                            int64_t execution_count)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_HEADER_MAX);
    if (x->type == MSG_EXECUTE_REQUEST && !x->silent) {
        reply_error_output(&content, ename, slice_of(evalue));
        exchange_publish(x, MSG_ERROR, buf_slice(&content), NULL, 0);
        buf_clear(&content);
    }
    if (x->type == MSG_EXECUTE_REQUEST) {
        reply_execute_error(&content, ename, slice_of(evalue), execution_count);
    } else {
        reply_error(&content, ename, slice_of(evalue));
    }
    exchange_reply(x, buf_slice(&content));
}

void exchange_refuse(struct exchange *x, const char *ename, const char *evalue)
{
    exchange_busy(x);
    exchange_reply_failure(x, ename, evalue,
                           context_execution_count(broker_default_context(x->door->broker)));
}

void exchange_refuse_err(struct exchange *x, const struct err *reason)
{
    exchange_refuse(x, exchange_ename(reason), reason->text);
}
