/* SPDX-License-Identifier: MIT */
#include "kernel/zmq/door.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/zmq/door_impl.h"

enum { IPC_NUMBER_MAX = 65535 };

/* Channels in the order in which they are served: control must never wait behind shell. */
static const struct {
    enum channel channel;
    int (*handle)(struct door *d, const struct message *msg, struct err *e);
} served[] = {
    {CHANNEL_CONTROL, control_handle},
    {CHANNEL_STDIN, stdin_handle},
    {CHANNEL_SHELL, shell_handle},
};

static void drop_message(struct door *d, enum channel channel, const struct message *msg,
                         const char *why)
{
    d->dropped++;
    log_warn("zmq", "message dropped", "channel=%s type=%.*s why=\"%s\" dropped=%zu",
             channel_name(channel),
             msg ? (int)(msg->type_name.len < 80 ? msg->type_name.len : 80) : 1,
             msg ? msg->type_name.data : "?", why, d->dropped);
}

static void handle_message(struct door *d, size_t index)
{
    struct err e = ERR_NONE;
    struct message msg;
    size_t count = 0;
    enum channel channel = served[index].channel;
    const struct slice *frames = zparts_frames(d->parts, &count);
    if (codec_decode(&d->codec, frames, count, &msg, &e) < 0) {
        drop_message(d, channel, NULL, e.text);
        return;
    }
    if (!msg_type_allowed(msg.type, channel)) {
        drop_message(d, channel, &msg, msg.type == MSG_UNKNOWN ? "unknown type" : "wrong channel");
        return;
    }
    if (served[index].handle(d, &msg, &e) < 0) {
        drop_message(d, channel, &msg, e.text);
    }
}

/* Receives up to `most` messages of a channel; returns how many there were. */
static int receive(struct door *d, size_t index, int most)
{
    int n = 0;
    while (n < most) {
        struct err e = ERR_NONE;
        int got = zsock_receive(d->sockets[served[index].channel], d->parts, &e);
        if (got == 0) {
            break;
        }
        n++;
        if (got < 0) {
            drop_message(d, served[index].channel, NULL, e.text);
        } else {
            handle_message(d, index);
        }
    }
    return n;
}

/* Returns how many there were, good or bad: the descriptor does not tell of those left over. */
static int echo_heartbeats(struct door *d, int most)
{
    struct zsock *socket = d->sockets[CHANNEL_HEARTBEAT];
    struct err e = ERR_NONE;
    int n = 0;
    int got = 0;
    while (n < most && (got = zsock_receive(socket, d->parts, &e)) != 0) {
        size_t count = 0;
        const struct slice *frames = zparts_frames(d->parts, &count);
        n++;
        if (got < 0 || zsock_send(socket, frames, count, &e) < 0) {
            log_debug("zmq", "heartbeat lost", "why=\"%s\"", e.text);
        }
    }
    return n;
}

void door_forget_context(struct door *d, const char *context_id)
{
    d->forgotten = xrealloc(d->forgotten, d->forgotten_count + 1, sizeof *d->forgotten);
    d->forgotten[d->forgotten_count++] = xstrdup(context_id);
}

static void delete_forgotten(struct door *d)
{
    while (d->forgotten_count > 0) {
        _cleanup_(drop_free) char *id = d->forgotten[--d->forgotten_count];
        struct context *c = pool_find(broker_pool(d->broker), id);
        if (c != NULL && !context_is_doomed(c)) {
            context_delete(c, NULL, NULL);
        }
    }
}

/* Whether something may have come on a channel since we looked the last time. Asking ZeroMQ takes
 * system calls, and most turns of the loop concern one channel or none. */
static bool wants_look(struct door *d, enum channel channel)
{
    bool woken = d->woken[channel];
    bool settled = channel == CHANNEL_IOPUB ? iopub_is_settled(d->iopub)
                                            : zsock_is_settled(d->sockets[channel]);
    d->woken[channel] = false;
    return woken || !settled;
}

static enum loop_more on_check(void *arg)
{
    struct door *d = arg;
    delete_forgotten(d);
    /* Each message that is handled may send on any socket, and sending spends the descriptor's
     * news of what has arrived there: only a turn in which nothing came may precede a sleep. */
    bool more = wants_look(d, CHANNEL_HEARTBEAT) && echo_heartbeats(d, TURN_MESSAGES) > 0;
    more |= wants_look(d, CHANNEL_IOPUB) && iopub_receive(d->iopub, TURN_MESSAGES) > 0;
    for (size_t i = 0; i < ARRAY_LEN(served); i++) {
        more |= wants_look(d, served[i].channel) && receive(d, i, TURN_MESSAGES) > 0;
    }
    return more ? LOOP_MORE : LOOP_IDLE;
}

/* The descriptor only says where to look; on_check does the work before the next sleep. */
static void on_wake(void *arg, uint32_t events)
{
    bool *woken = arg;
    (void)events; /* only EPOLLIN was asked for */
    *woken = true;
}

/* Everything that has arrived on shell, before an error empties a queue. The message being
 * handled is not touched: it was copied by its exchange. */
static void on_drain(void *arg)
{
    struct door *d = arg;
    size_t shell = ARRAY_LEN(served) - 1;
    (void)receive(d, shell, (int)CONTEXT_QUEUE_MAX); /* nobody waits for the number */
}

void door_close_comms(struct door *d, const struct context *context)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf metadata = BUF_INIT(MSG_FIELD_MAX);
    buf_addf(&metadata, "{\"context_id\": \"%s\"}", context_id(context));
    bool is_default = context == broker_default_context(d->broker);
    while (comms_pop(broker_comms(d->broker), context_id(context), &id)) {
        _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX * 8);
        buf_add_text(&content, "{\"comm_id\": ");
        jwrite_string(&content, buf_slice(&id));
        buf_add_text(&content, ", \"data\": {}}");
        iopub_publish(d->iopub, &(struct publication){.type = MSG_COMM_CLOSE,
                                                      .metadata = is_default ? SLICE_NONE
                                                                             : buf_slice(&metadata),
                                                      .content = buf_slice(&content)});
    }
}

static void on_died(void *arg, struct context *context, const struct death *death)
{
    struct door *d = arg;
    if (!d->ending) {
        door_close_comms(d, context);
    }
    /* Clients watch the default context as "the kernel". JupyterLab then puts a dialog over the
     * notebook that says the kernel has died, which is right only where nothing else says so. */
    if (context == broker_default_context(d->broker) && !death->is_told &&
        death->verdict != VERDICT_NOT_STARTED && !d->ending) {
        iopub_publish_status(d->iopub, "restarting", SLICE_NONE);
        iopub_publish_status(d->iopub, "starting", SLICE_NONE);
    }
    if (d->options->exit_on_death && death->verdict != VERDICT_STOPPED) {
        d->context_died = true;
        door_shutdown(d);
    }
}

static void on_stopped(void *arg)
{
    struct door *d = arg;
    if (d->shutdown != NULL) {
        _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
        reply_shutdown(&content, d->shutdown_restart);
        iopub_publish(d->iopub, &(struct publication){.type = MSG_SHUTDOWN_REPLY,
                                                      .parent = exchange_parent(d->shutdown),
                                                      .content = buf_slice(&content)});
        exchange_reply(d->shutdown, buf_slice(&content));
        exchange_free(take(d->shutdown));
    }
    iopub_finish(d->iopub);
    loop_stop(d->loop);
}

static const struct broker_sink broker_events = {
    .drain = on_drain, .died = on_died, .stopped = on_stopped};

/* Contexts are paused as they send: see exchange_events.c. */
static void on_flow(void *arg, enum iopub_flow flow)
{
    struct door *d = arg;
    d->is_behind = flow == IOPUB_PAUSE;
    if (!d->is_behind) {
        pool_resume(broker_pool(d->broker), DOOR_READER);
    }
}

/* A kernel that is being replaced may still hold the port for a moment. Nothing runs yet, so
 * waiting here blocks nobody. */
static int bind_patiently(struct door *d, enum channel channel, const char *endpoint,
                          struct zsock **out, struct err *e)
{
    enum zsock_role role = channel == CHANNEL_IOPUB   ? ZSOCK_XPUB
                           : channel == CHANNEL_STDIN ? ZSOCK_ASKER
                                                      : ZSOCK_ROUTER;
    int64_t deadline = clock_ms() + BIND_RETRY_MS;
    for (;;) {
        if (zsock_bind(d->zcontext, role, endpoint, out, e) == 0) {
            return 0;
        }
        if (e->sys != EADDRINUSE || clock_ms() >= deadline) {
            return -1;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
}

/* For ipc there is no system that picks a number: takes the first that nobody uses. */
static void pick_ipc_number(struct connection *c, enum channel channel)
{
    char path[ENDPOINT_SIZE];
    int number = 0;
    do {
        number++;
        (void)snprintf(path, sizeof path, "%s-%d", c->ip, number);
    } while (access(path, F_OK) == 0 && number < IPC_NUMBER_MAX);
    c->ports[channel] = number;
}

static int bind_channel(struct door *d, enum channel channel, struct err *e)
{
    char endpoint[ENDPOINT_SIZE];
    struct connection *c = d->options->connection;
    struct zsock *socket = NULL;
    if (c->transport == TRANSPORT_IPC && c->ports[channel] == 0) {
        pick_ipc_number(c, channel);
    }
    connection_endpoint(c, channel, endpoint);
    if (bind_patiently(d, channel, endpoint, &socket, e) < 0) {
        const char *remedy = e->sys == EADDRINUSE
                                 ? "is in use; end the process that has it or choose another"
                                 : "cannot be bound; check ip and transport";
        return err_set(e, ERR_INPUT, "field \"%s\": %s %s (%s)", connection_port_field(channel),
                       endpoint, remedy, strerror(e->sys));
    }
    if (zsock_port(socket) != 0) {
        c->ports[channel] = zsock_port(socket);
    }
    if (channel == CHANNEL_IOPUB) {
        d->iopub = iopub_new(d->loop, &d->codec, socket, on_flow, d);
    } else {
        d->sockets[channel] = socket;
    }
    return loop_add_fd(d->loop, zsock_fd(socket), EPOLLIN, on_wake, &d->woken[channel],
                       &d->wakers[channel], e);
}

int door_open(struct loop *loop, const struct door_options *options, struct door **out,
              struct err *e)
{
    _cleanup_(drop_door) struct door *d = xcalloc(1, sizeof *d);
    d->loop = loop;
    d->options = options;
    LIST_INIT(&d->exchanges);
    d->parts = zparts_new();
    d->kernel_info = BUF_INIT(MSG_HEADER_MAX);
    if (reply_kernel_info(&d->kernel_info, options->language, e) < 0 ||
        signer_new(slice_of(options->connection->key), &d->signer, e) < 0 ||
        zcontext_new(&d->zcontext, e) < 0) {
        return -1;
    }
    codec_init(&d->codec, d->signer);
    const struct connection *c = options->connection;
    if (connection_is_encrypted(c) &&
        zcontext_encrypt(d->zcontext, c->curve_publickey, c->curve_secretkey, e) < 0) {
        return -1;
    }
    for (int channel = 0; channel < CHANNELS; channel++) {
        if (bind_channel(d, (enum channel)channel, e) < 0) {
            return -1;
        }
    }
    iopub_publish_status(d->iopub, "starting", SLICE_NONE);
    if (broker_new(loop, options->broker, &broker_events, d, &d->broker, e) < 0) {
        return -1;
    }
    d->check = loop_add_check(loop, on_check, d);
    *out = take(d);
    return 0;
}

void door_close(struct door *d)
{
    if (d == NULL) {
        return;
    }
    broker_free(d->broker);
    loop_check_free(d->check);
    exchange_free(d->shutdown);
    for (size_t i = 0; i < d->forgotten_count; i++) {
        free(d->forgotten[i]);
    }
    free(d->forgotten);
    iopub_free(d->iopub);
    for (int channel = 0; channel < CHANNELS; channel++) {
        loop_fd_free(d->wakers[channel]);
        zsock_free(d->sockets[channel]);
    }
    zcontext_free(d->zcontext);
    zparts_free(d->parts);
    signer_free(d->signer);
    buf_done(&d->kernel_info);
    free(d);
}

void door_shutdown(struct door *d)
{
    d->ending = true;
    broker_shutdown(d->broker);
}

bool door_context_died(const struct door *d)
{
    return d->context_died;
}

void door_reap(struct door *d)
{
    pool_reap(broker_pool(d->broker));
}
