/* SPDX-License-Identifier: MIT */
#include "kernel/zmq/exchange.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/protocol/reply.h"
#include "kernel/zmq/zdoor_impl.h"

int exchange_new(struct zdoor *d, enum channel channel, const struct message *msg,
                 struct exchange **out, struct err *e)
{
    struct exchange *x = xcalloc(1, sizeof *x);
    x->door = d;
    LIST_INSERT_HEAD(&d->exchanges, x, link);
    x->channel = channel;
    x->type = msg->type;
    x->parent = BUF_INIT(MSG_PARENT_MAX);
    x->identities = BUF_INIT(MSG_IDENTITIES_MAX * 256);
    x->metadata = BUF_INIT(MSG_FIELD_MAX);
    x->content = BUF_INIT(MSG_JSON_MAX);
    for (size_t i = 0; i < msg->identity_count && i < MSG_IDENTITIES_MAX; i++) {
        buf_add_slice(&x->identities, msg->identities[i]);
        x->identity_lens[x->identity_count++] = msg->identities[i].len;
    }
    if (buf_check(&x->identities, e) < 0) {
        (void)err_wrap(e, "identity");
        exchange_free(x);
        return -1;
    }
    if (codec_parent(msg, &x->parent, e) < 0) {
        exchange_free(x);
        return -1;
    }
    *out = x;
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
    free(x);
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

/* From now on everything it sends names this context; NULL: the default one, which is not named. */
static void set_context(struct exchange *x, const char *context_id)
{
    if (context_id != NULL && x->metadata.len == 0) {
        jwrite_object(&x->metadata);
        jwrite_member_text(&x->metadata, "context_id", context_id);
        jwrite_object_end(&x->metadata);
    }
}

/* A publication about the request, to be filled in. */
static struct publication about(const struct exchange *x, enum msg_type type, struct slice content)
{
    return (struct publication){.type = type,
                                .parent = exchange_parent(x),
                                .metadata = buf_slice(&x->metadata),
                                .content = content};
}

static void publish(struct exchange *x, enum msg_type type, struct slice content)
{
    struct publication p = about(x, type, content);
    iopub_publish(x->door->iopub, &p);
}

static void publish_status(struct exchange *x, const char *state)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
    reply_status(&content, state);
    publish(x, MSG_STATUS, buf_slice(&content));
}

void exchange_busy(struct exchange *x)
{
    if (!x->is_busy) {
        x->is_busy = true;
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

/* Sends to the client that asked; e->sys EHOSTUNREACH: it is not connected there. */
static int send_back(struct exchange *x, enum channel channel, const struct outgoing *msg,
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

/* Appends the members of the object `from` to the one that is open in `out`. */
static void add_members(struct buf *out, struct slice from)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    jscan_iter_init(&it, from);
    while (jscan_next(&it, &key, &value)) {
        jwrite_raw(out, key);
        buf_add_text(out, ": ");
        jwrite_raw(out, value);
    }
}

void exchange_reply(struct exchange *x, const struct run_end *end)
{
    enum msg_type type = msg_reply_type(x->type);
    set_context(x, end->context_id);
    exchange_busy(x);
    if (type != MSG_UNKNOWN) {
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf metadata = BUF_INIT(MSG_FIELD_MAX);
        jwrite_object(&metadata);
        jwrite_member_text(&metadata, "started", x->started); /* JupyterLab's timing reads it */
        if (x->metadata.len > 0) {
            add_members(&metadata, buf_slice(&x->metadata));
        }
        jwrite_object_end(&metadata);
        struct outgoing msg = {.type = type,
                               .parent = exchange_parent(x),
                               .metadata = buf_slice(&metadata),
                               .content = end->content};
        if (send_back(x, x->channel, &msg, &e) < 0) {
            log_warn("zmq", "message not sent", "type=%s why=\"%s\"", msg_type_name(type), e.text);
        }
    }
    publish_status(x, "idle");
}

void exchange_on_answer(void *arg, const struct run_end *end)
{
    struct exchange *x = arg;
    exchange_reply(x, end);
    exchange_free(x);
}

void exchange_answer(struct exchange *x, struct slice content)
{
    exchange_on_answer(x, &(struct run_end){.content = content, .exit_code = -1});
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
        if (x->is_asking && is_from(x, msg) && (!named || is_named(x, id))) {
            oldest = x; /* the list is newest first */
        }
    }
    if (oldest != NULL) {
        oldest->is_asking = false;
    }
    return oldest;
}

static void on_started(void *arg, const struct run_start *start)
{
    struct exchange *x = arg;
    set_context(x, start->context_id);
    exchange_busy(x);
    if (start->code.len > 0) {
        _cleanup_(drop_buf) struct buf content = BUF_INIT(start->code.len * 3 + MSG_FIELD_MAX);
        reply_execute_input(&content, start->code, start->execution_count);
        publish(x, MSG_EXECUTE_INPUT, buf_slice(&content));
    }
}

static const enum msg_type output_types[OUTPUT_KINDS] = {
    [OUTPUT_STREAM] = MSG_STREAM,
    [OUTPUT_DISPLAY] = MSG_DISPLAY_DATA,
    [OUTPUT_UPDATE_DISPLAY] = MSG_UPDATE_DISPLAY_DATA,
    [OUTPUT_CLEAR] = MSG_CLEAR_OUTPUT,
    [OUTPUT_RESULT] = MSG_EXECUTE_RESULT,
    [OUTPUT_ERROR] = MSG_ERROR,
    [OUTPUT_COMM_OPEN] = MSG_COMM_OPEN,
    [OUTPUT_COMM_MSG] = MSG_COMM_MSG,
    [OUTPUT_COMM_CLOSE] = MSG_COMM_CLOSE,
};

static void on_output(void *arg, const struct run_output *output)
{
    struct exchange *x = arg;
    exchange_busy(x); /* a run that is refused says so before anything has started */
    struct publication p = about(x, output_types[output->kind], output->content);
    p.buffers = output->buffers;
    p.buffer_count = output->buffer_count;
    _cleanup_(drop_buf) struct buf merged = BUF_INIT(output->metadata.len + MSG_FIELD_MAX);
    if (output->metadata.len > 0 && x->metadata.len > 0) {
        jwrite_object(&merged);
        add_members(&merged, buf_slice(&x->metadata));
        add_members(&merged, output->metadata);
        jwrite_object_end(&merged);
        p.metadata = buf_slice(&merged);
    } else if (output->metadata.len > 0) {
        p.metadata = output->metadata;
    }
    iopub_publish(x->door->iopub, &p);
}

static int on_ask(void *arg, struct slice content, struct err *e)
{
    struct exchange *x = arg;
    struct outgoing msg = {.type = MSG_INPUT_REQUEST,
                           .parent = exchange_parent(x),
                           .metadata = buf_slice(&x->metadata),
                           .content = content};
    if (send_back(x, CHANNEL_STDIN, &msg, e) < 0) {
        return -1;
    }
    x->is_asking = true;
    x->asked = x->door->codec.sent;
    return 0;
}

static void on_ended(void *arg, const struct run_end *end)
{
    struct exchange *x = arg;
    x->is_asking = false;
    exchange_reply(x, end);
}

static void on_release(void *arg)
{
    exchange_free(arg);
}

const struct run_listener exchange_events = {.started = on_started,
                                             .output = on_output,
                                             .ask = on_ask,
                                             .ended = on_ended,
                                             .release = on_release};
