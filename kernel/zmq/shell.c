/* SPDX-License-Identifier: MIT */
/* shell.c - requests that wait their turn in a context. */
#include "base/bounds.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "kernel/core/run_options.h"
#include "kernel/protocol/schema.h"
#include "kernel/zmq/door_impl.h"

/* One request on its way into a queue; borrows from the message. */
struct entry {
    struct exchange *x;
    const struct message *msg;
    struct selection selection;
    struct job_request request;
    struct context *context;
    struct buf head; /* what the broker says of a comm message, as its first buffer */
    struct slice buffers[FRAME_BUFFER_COUNT_MAX];
};

/* Fails with ERR_INPUT (told to the client) or ERR_PROTO (dropped). */
typedef int (*prepare_fn)(struct door *d, struct entry *entry, struct err *e);

static int prepare_local(struct door *d, struct entry *entry, struct err *e)
{
    (void)e; /* cannot fail */
    entry->request.is_turn = true;
    entry->request.content = SLICE_NONE;
    entry->context = broker_default_context(d->broker);
    exchange_keep(entry->x, entry->msg->content);
    return 0;
}

static int select_context(struct door *d, struct entry *entry, struct err *e)
{
    if (selector_read(entry->msg->metadata, entry->msg->content, &entry->selection, e) < 0) {
        return -1;
    }
    return broker_select(d->broker, &entry->selection, &entry->context, e);
}

/* Of the context it is asked for, in turn with what runs there. */
static int prepare_history(struct door *d, struct entry *entry, struct err *e)
{
    return prepare_local(d, entry, e) < 0 ? -1 : select_context(d, entry, e);
}

static int prepare_code(struct door *d, struct entry *entry, struct err *e)
{
    return select_context(d, entry, e);
}

/* A line that selects and nothing else waits for its code, as cell magics do in IPython: a console
 * would run it otherwise, and take the next line for a cell of the default context. */
static int prepare_is_complete(struct door *d, struct entry *entry, struct err *e)
{
    if (select_context(d, entry, e) < 0) {
        return -1;
    }
    if (entry->selection.is_bare) {
        entry->request.is_turn = true;
        entry->request.content = SLICE_NONE;
        entry->selection.line_len = 0;
    }
    return 0;
}

/* When a cell of a notebook was sent; 0: it is none. JupyterLab and Notebook name the cell,
 * programs that wait for each reply do not. */
static int64_t cell_time(const struct message *msg)
{
    _cleanup_(drop_buf) struct buf date = BUF_INIT(MSG_FIELD_MAX);
    struct err e = ERR_NONE;
    int64_t ms = 0;
    if (jscan_kind(jscan_get(msg->metadata, "cellId")) != JSCAN_STRING ||
        jscan_string(jscan_get(msg->header, "date"), &date) < 0 ||
        clock_parse_iso(buf_text(&date), &ms, &e) < 0) {
        return 0;
    }
    return ms;
}

static int prepare_execute(struct door *d, struct entry *entry, struct err *e)
{
    struct execute_fields fields;
    struct job_request *request = &entry->request;
    schema_execute_fields(entry->msg->content, &fields);
    request->silent = fields.silent;
    request->store_history = fields.store_history;
    request->stop_on_error = fields.stop_on_error;
    request->allow_stdin = fields.allow_stdin;
    request->cell_sent_ms = cell_time(entry->msg);
    request->header = exchange_parent(entry->x); /* repaired: a worker takes strict JSON only */
    exchange_set_execute(entry->x, &fields);
    if (run_options_read(entry->msg->metadata, request, e) < 0) {
        return -1;
    }
    return select_context(d, entry, e);
}

/* Finds the context of a comm message; a new comm goes where its opener says. */
static int find_comm(struct door *d, struct entry *entry, struct err *e)
{
    struct comms *comms = broker_comms(d->broker);
    struct slice content = entry->msg->content;
    struct slice id = jscan_get(content, "comm_id");
    if (entry->msg->type == MSG_COMM_OPEN) {
        if (select_context(d, entry, e) < 0) {
            return -1;
        }
        return comms_open(comms, id, jscan_get(content, "target_name"), context_id(entry->context),
                          e);
    }
    const char *context = comms_context(comms, id);
    entry->context = context ? pool_find(broker_pool(d->broker), context) : NULL;
    if (entry->context == NULL) {
        return err_set(e, ERR_INPUT, "no such comm");
    }
    if (entry->msg->type == MSG_COMM_CLOSE) {
        comms_close(comms, id);
    }
    return 0;
}

/* The worker learns the type and metadata of the message from the first buffer; the client's own
 * buffers follow. */
static int prepare_comm(struct door *d, struct entry *entry, struct err *e)
{
    const struct message *msg = entry->msg;
    if (msg->buffer_count + 1 > FRAME_BUFFER_COUNT_MAX) {
        return err_set(e, ERR_LIMIT, "%zu buffers", msg->buffer_count);
    }
    if (find_comm(d, entry, e) < 0) {
        return -1;
    }
    buf_addf(&entry->head, "{\"msg_type\": \"%s\", \"metadata\": ", msg_type_name(msg->type));
    buf_add_slice(&entry->head, msg->metadata);
    buf_add_text(&entry->head, "}");
    entry->buffers[0] = buf_slice(&entry->head);
    for (size_t i = 0; i < msg->buffer_count; i++) {
        entry->buffers[i + 1] = msg->buffers[i];
    }
    entry->request.buffers = entry->buffers;
    entry->request.buffer_count = msg->buffer_count + 1;
    entry->request.overtakes = msg->type == MSG_COMM_MSG; /* others may depend on what waits */
    return buf_check(&entry->head, e);
}

static const struct {
    enum msg_type type;
    enum wire_type wire; /* how a worker is told; unused for local ones */
    prepare_fn prepare;
} rules[] = {
    {MSG_EXECUTE_REQUEST, WIRE_EXECUTE, prepare_execute},
    {MSG_COMPLETE_REQUEST, WIRE_COMPLETE, prepare_code},
    {MSG_INSPECT_REQUEST, WIRE_INSPECT, prepare_code},
    {MSG_IS_COMPLETE_REQUEST, WIRE_IS_COMPLETE, prepare_is_complete},
    {MSG_COMM_OPEN, WIRE_COMM, prepare_comm},
    {MSG_COMM_MSG, WIRE_COMM, prepare_comm},
    {MSG_COMM_CLOSE, WIRE_COMM, prepare_comm},
    {MSG_KERNEL_INFO_REQUEST, WIRE_EXECUTE, prepare_local},
    {MSG_CONNECT_REQUEST, WIRE_EXECUTE, prepare_local},
    {MSG_COMM_INFO_REQUEST, WIRE_EXECUTE, prepare_local},
    {MSG_HISTORY_REQUEST, WIRE_EXECUTE, prepare_history},
};

static int prepare(struct door *d, struct entry *entry, struct err *e)
{
    entry->request.content = entry->msg->content;
    for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
        if (rules[i].type == entry->msg->type) {
            entry->request.type = rules[i].wire;
            return rules[i].prepare(d, entry, e);
        }
    }
    return err_set(e, ERR_PROTO, "not supported");
}

static void submit(struct entry *entry)
{
    struct exchange *x = take(entry->x);
    exchange_set_context(x, entry->context);
    struct job *job = job_new(&entry->request, &exchange_events, x);
    selector_blank(&entry->selection, job_content(job));
    context_submit(entry->context, job);
}

static void drop_entry(struct entry *entry)
{
    exchange_free(entry->x);
    buf_done(&entry->head);
}

int shell_queue(struct door *d, enum channel channel, const struct message *msg, struct err *e)
{
    struct err bad = ERR_NONE;
    _cleanup_(drop_entry) struct entry entry = {.msg = msg, .head = BUF_INIT(MSG_JSON_MAX)};
    if (exchange_new(d, channel, msg, &entry.x, e) < 0) {
        return -1;
    }
    if (msg->type == MSG_SHUTDOWN_REQUEST) {
        shutdown_handle(d, take(entry.x), msg->content);
        return 0;
    }
    if (schema_check(msg->type, msg->content, &bad) < 0 || prepare(d, &entry, &bad) < 0) {
        if (bad.code == ERR_PROTO) {
            *e = bad;
            return -1;
        }
        exchange_refuse_err(entry.x, &bad);
        return 0;
    }
    submit(&entry);
    return 0;
}

int shell_handle(struct door *d, const struct message *msg, struct err *e)
{
    return shell_queue(d, CHANNEL_SHELL, msg, e);
}
