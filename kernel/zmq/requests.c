/* SPDX-License-Identifier: MIT */
/* requests.c - what each message of a client asks for: a run, an order about contexts, or something
 * that the door itself answers. */
#include "base/jscan.h"
#include "base/jwrite.h"
#include "kernel/core/manage.h"
#include "kernel/protocol/reply.h"
#include "kernel/protocol/schema.h"
#include "kernel/zmq/zdoor_impl.h"

enum way {
    AS_RUN,  /* a request of core; code sent on control waits its turn as on shell */
    IN_TURN, /* on shell it waits its turn, on control it is answered at once */
    AT_ONCE
};

struct handler {
    enum way way;
    enum request_kind kind;                                   /* AS_RUN */
    manage_fn manage;                                         /* else one of these */
    void (*answer)(struct exchange *x, struct slice content); /* takes the exchange */
};

static void answer_kernel_info(struct exchange *x, struct slice content)
{
    (void)content; /* it has none */
    exchange_answer(x, buf_slice(&x->door->kernel_info));
}

static void answer_connect(struct exchange *x, struct slice content)
{
    static const struct {
        const char *key;
        enum channel channel;
    } ports[] = {{"shell_port", CHANNEL_SHELL},
                 {"iopub_port", CHANNEL_IOPUB},
                 {"stdin_port", CHANNEL_STDIN},
                 {"control_port", CHANNEL_CONTROL},
                 {"hb_port", CHANNEL_HEARTBEAT}};
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MSG_FIELD_MAX);
    (void)content; /* it has none */
    jwrite_object(&reply);
    jwrite_member_text(&reply, "status", "ok");
    for (size_t i = 0; i < ARRAY_LEN(ports); i++) {
        jwrite_member_int(&reply, ports[i].key, x->door->connection->ports[ports[i].channel]);
    }
    jwrite_object_end(&reply);
    exchange_answer(x, buf_slice(&reply));
}

/* Takes a run that has not started out of its queue. One that is not there (any more) is an answer,
 * no error. */
static void answer_cancel(struct exchange *x, struct slice content)
{
    struct exchange *target = exchange_find(&x->door->exchanges, jscan_get(content, "msg_id"));
    exchange_busy(x);
    bool cancelled = target != NULL && target->run != NULL && run_cancel(target->run);
    exchange_answer(x, cancelled ? SLICE_LIT("{\"status\": \"ok\", \"cancelled\": true}")
                                 : SLICE_LIT("{\"status\": \"ok\", \"cancelled\": false}"));
}

/* The first one is answered when all else is over. */
static void answer_shutdown(struct exchange *x, struct slice content)
{
    struct zdoor *d = x->door;
    bool restart = false;
    (void)jscan_bool(jscan_get(content, "restart"), &restart); /* absent: false */
    exchange_busy(x);
    if (d->shutdown != NULL) {
        _cleanup_(drop_buf) struct buf reply = BUF_INIT(MSG_FIELD_MAX);
        reply_shutdown(&reply, restart);
        exchange_answer(x, buf_slice(&reply));
        return;
    }
    d->shutdown = x;
    d->shutdown_restart = restart;
    broker_shutdown(d->broker);
}

#define HANDLE_KERNEL_INFO_REQUEST                                                                 \
    {                                                                                              \
        .way = IN_TURN, .answer = answer_kernel_info                                               \
    }
#define HANDLE_CONNECT_REQUEST                                                                     \
    {                                                                                              \
        .way = IN_TURN, .answer = answer_connect                                                   \
    }
#define HANDLE_COMM_INFO_REQUEST                                                                   \
    {                                                                                              \
        .way = IN_TURN, .manage = manage_comm_info                                                 \
    }
#define HANDLE_EXECUTE_REQUEST                                                                     \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_EXECUTE                                                     \
    }
#define HANDLE_COMPLETE_REQUEST                                                                    \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_COMPLETE                                                    \
    }
#define HANDLE_INSPECT_REQUEST                                                                     \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_INSPECT                                                     \
    }
#define HANDLE_IS_COMPLETE_REQUEST                                                                 \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_IS_COMPLETE                                                 \
    }
#define HANDLE_HISTORY_REQUEST                                                                     \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_HISTORY                                                     \
    }
#define HANDLE_COMM_OPEN                                                                           \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_COMM_OPEN                                                   \
    }
#define HANDLE_COMM_MSG                                                                            \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_COMM_MSG                                                    \
    }
#define HANDLE_COMM_CLOSE                                                                          \
    {                                                                                              \
        .way = AS_RUN, .kind = REQUEST_COMM_CLOSE                                                  \
    }
#define HANDLE_INTERRUPT_REQUEST                                                                   \
    {                                                                                              \
        .way = AT_ONCE, .manage = manage_interrupt                                                 \
    }
#define HANDLE_USAGE_REQUEST                                                                       \
    {                                                                                              \
        .way = AT_ONCE, .manage = manage_usage                                                     \
    }
#define HANDLE_CREATE_CONTEXT_REQUEST                                                              \
    {                                                                                              \
        .way = AT_ONCE, .manage = manage_create                                                    \
    }
#define HANDLE_LIST_CONTEXT_REQUEST                                                                \
    {                                                                                              \
        .way = AT_ONCE, .manage = manage_list                                                      \
    }
#define HANDLE_DELETE_CONTEXT_REQUEST                                                              \
    {                                                                                              \
        .way = AT_ONCE, .manage = manage_delete                                                    \
    }
#define HANDLE_RESTART_CONTEXT_REQUEST                                                             \
    {                                                                                              \
        .way = AT_ONCE, .manage = manage_restart                                                   \
    }
#define HANDLE_CANCEL_REQUEST                                                                      \
    {                                                                                              \
        .way = AT_ONCE, .answer = answer_cancel                                                    \
    }
#define HANDLE_SHUTDOWN_REQUEST                                                                    \
    {                                                                                              \
        .way = AT_ONCE, .answer = answer_shutdown                                                  \
    }
#define HANDLE_INPUT_REPLY                                                                         \
    {                                                                                              \
        .way = AT_ONCE                                                                             \
    } /* no request: see answer_question */

static const struct handler handlers[MSG_TYPES] = {

#define X(upper, lower, reply, on) [MSG_##upper] = HANDLE_##upper,
    MSG_REQUEST_MAP(X)
#undef X
};

static void answer(struct exchange *x, struct slice content)
{
    const struct handler *h = &handlers[x->type];
    exchange_busy(x);
    if (h->manage != NULL) {
        h->manage(x->door->door, content, exchange_on_answer, x);
    } else {
        h->answer(x, content);
    }
}

static void on_turn(void *arg, const struct run_end *end)
{
    struct exchange *x = arg;
    if (end->status == RUN_OK) {
        answer(x, buf_slice(&x->content));
    } else {
        exchange_on_answer(x, end);
    }
}

static void on_turn_started(void *arg, const struct run_start *start)
{
    (void)start; /* there is no more to it than its end */
    exchange_busy(arg);
}

static void on_turn_output(void *arg, const struct run_output *output)
{
    (void)arg; /* it has none */
    (void)output;
}

static void on_turn_release(void *arg)
{
    (void)arg; /* gone with its answer */
}

static const struct run_listener turn_events = {.started = on_turn_started,
                                                .output = on_turn_output,
                                                .ended = on_turn,
                                                .release = on_turn_release};

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

static void read_execute(const struct exchange *x, const struct message *msg,
                         struct run_options *out)
{
    struct execute_fields fields;
    schema_execute_fields(msg->content, &fields);
    out->silent = fields.silent;
    out->store_history = fields.store_history;
    out->stop_on_error = fields.stop_on_error;
    out->allow_stdin = fields.allow_stdin;
    out->cell_sent_ms = cell_time(msg);
    out->header = exchange_parent(x); /* repaired: a worker takes strict JSON only */
}

/* Takes `x`. `bad` says what is wrong with the content; ERR_OK: nothing. */
static void submit(struct exchange *x, const struct message *msg, const struct err *bad)
{
    const struct handler *h = &handlers[x->type];
    struct door *door = x->door->door;
    struct request request = {.kind = h->kind,
                              .content = msg->content,
                              .metadata = msg->metadata,
                              .buffers = msg->buffers,
                              .buffer_count = msg->buffer_count,
                              .listener = &exchange_events,
                              .arg = x,
                              .handle = &x->run};
    if (bad->code != ERR_OK) {
        run_refuse(door, &request, bad);
        return;
    }
    if (h->way == IN_TURN) {
        (void)buf_add_slice(&x->content, msg->content); /* within a message's own ceiling */
        request = (struct request){.kind = REQUEST_TURN, .listener = &turn_events, .arg = x};
    } else if (h->kind == REQUEST_EXECUTE) {
        read_execute(x, msg, &request.options);
    }
    run_submit(door, &request);
}

/* An input_reply. Only the client that was asked may answer, and once. */
static int answer_question(struct zdoor *d, const struct message *msg, struct err *e)
{
    if (schema_check(msg->type, msg->content, e) < 0) {
        return -1;
    }
    struct exchange *x = exchange_find_asking(&d->exchanges, msg);
    if (x == NULL || x->run == NULL) {
        return err_set(e, ERR_STATE, "nobody asked this client for input");
    }
    return run_answer(x->run, msg->content, e);
}

int requests_handle(struct zdoor *d, enum channel channel, const struct message *msg, struct err *e)
{
    struct exchange *x = NULL;
    struct err bad = ERR_NONE;
    enum way way = handlers[msg->type].way;
    if (msg->type == MSG_INPUT_REPLY) {
        return answer_question(d, msg, e);
    }
    if (exchange_new(d, channel, msg, &x, e) < 0) {
        return -1;
    }
    bool is_bad = schema_check(msg->type, msg->content, &bad) < 0;
    if (is_bad && way != AS_RUN) {
        manage_refuse(&bad, exchange_on_answer, x);
    } else if (way == AS_RUN || (way == IN_TURN && channel == CHANNEL_SHELL)) {
        submit(x, msg, &bad);
    } else {
        answer(x, msg->content);
    }
    return 0;
}
