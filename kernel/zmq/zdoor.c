/* SPDX-License-Identifier: MIT */
#include "kernel/zmq/zdoor.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/mem.h"
#include "kernel/core/languages.h"
#include "kernel/protocol/reply.h"
#include "kernel/zmq/zdoor_impl.h"

enum { IPC_NUMBER_MAX = 65535 };

static void zdoor_free(struct zdoor *d);

/* Channels in the order in which they are served: control must never wait behind shell. */
static const enum channel served[] = {CHANNEL_CONTROL, CHANNEL_STDIN, CHANNEL_SHELL};

static void drop_message(struct zdoor *d, enum channel channel, const struct message *msg,
                         const char *why)
{
    d->dropped++;
    log_warn("zmq", "message dropped", "channel=%s type=%.*s why=\"%s\" dropped=%zu",
             channel_name(channel),
             msg ? (int)(msg->type_name.len < 80 ? msg->type_name.len : 80) : 1,
             msg ? msg->type_name.data : "?", why, d->dropped);
}

static void handle_message(struct zdoor *d, enum channel channel)
{
    struct err e = ERR_NONE;
    struct message msg;
    size_t count = 0;
    const struct slice *frames = zparts_frames(d->parts, &count);
    if (codec_decode(&d->codec, frames, count, &msg, &e) < 0) {
        drop_message(d, channel, NULL, e.text);
        return;
    }
    if (!msg_type_allowed(msg.type, channel)) {
        drop_message(d, channel, &msg, msg.type == MSG_UNKNOWN ? "unknown type" : "wrong channel");
        return;
    }
    if (requests_handle(d, channel, &msg, &e) < 0) {
        drop_message(d, channel, &msg, e.text);
    }
}

/* Receives up to `most` messages of a channel; returns how many there were. */
static int receive(struct zdoor *d, enum channel channel, int most)
{
    int n = 0;
    while (n < most) {
        struct err e = ERR_NONE;
        int got = zsock_receive(d->sockets[channel], d->parts, &e);
        if (got == 0) {
            break;
        }
        n++;
        if (got < 0) {
            drop_message(d, channel, NULL, e.text);
        } else {
            handle_message(d, channel);
        }
    }
    return n;
}

/* Returns how many there were, good or bad: the descriptor does not tell of those left over. */
static int echo_heartbeats(struct zdoor *d, int most)
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

/* Whether something may have come on a channel since we looked the last time. Asking ZeroMQ takes
 * system calls, and most turns of the loop concern one channel or none. */
static bool wants_look(struct zdoor *d, enum channel channel)
{
    bool woken = d->woken[channel];
    bool settled = channel == CHANNEL_IOPUB ? iopub_is_settled(d->iopub)
                                            : zsock_is_settled(d->sockets[channel]);
    d->woken[channel] = false;
    return woken || !settled;
}

static enum loop_more on_check(void *arg)
{
    struct zdoor *d = arg;
    /* Each message that is handled may send on any socket, and sending spends the descriptor's
     * news of what has arrived there: only a turn in which nothing came may precede a sleep. */
    bool more = wants_look(d, CHANNEL_HEARTBEAT) && echo_heartbeats(d, TURN_MESSAGES) > 0;
    more |= wants_look(d, CHANNEL_IOPUB) && iopub_receive(d->iopub, TURN_MESSAGES) > 0;
    for (size_t i = 0; i < ARRAY_LEN(served); i++) {
        more |= wants_look(d, served[i]) && receive(d, served[i], TURN_MESSAGES) > 0;
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
    (void)receive(arg, CHANNEL_SHELL, (int)CONTEXT_QUEUE_MAX); /* nobody waits for the number */
}

static void on_comm_closed(void *arg, const char *context_id, struct slice comm_id)
{
    struct zdoor *d = arg;
    _cleanup_(drop_buf) struct buf metadata = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX * 8);
    if (context_id != NULL) {
        jwrite_object(&metadata);
        jwrite_member_text(&metadata, "context_id", context_id);
        jwrite_object_end(&metadata);
    }
    jwrite_object(&content);
    jwrite_member(&content, "comm_id", comm_id);
    jwrite_member_raw(&content, "data", SLICE_LIT("{}"));
    jwrite_object_end(&content);
    iopub_publish(d->iopub, &(struct publication){.type = MSG_COMM_CLOSE,
                                                  .metadata = buf_slice(&metadata),
                                                  .content = buf_slice(&content)});
}

static void on_default_died(void *arg)
{
    struct zdoor *d = arg;
    iopub_publish_status(d->iopub, "restarting", SLICE_NONE);
    iopub_publish_status(d->iopub, "starting", SLICE_NONE);
}

/* What has reached a socket before the end is answered, if only with a refusal. */
static void answer_arrived(struct zdoor *d)
{
    for (size_t i = 0; i < ARRAY_LEN(served); i++) {
        (void)receive(d, served[i], (int)CONTEXT_QUEUE_MAX); /* the rest came after the end */
    }
}

static void on_stopped(void *arg)
{
    struct zdoor *d = arg;
    answer_arrived(d);
    if (d->shutdown != NULL) {
        _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
        reply_shutdown(&content, d->shutdown_restart);
        iopub_publish(d->iopub, &(struct publication){.type = MSG_SHUTDOWN_REPLY,
                                                      .parent = exchange_parent(d->shutdown),
                                                      .content = buf_slice(&content)});
        exchange_answer(take(d->shutdown), buf_slice(&content));
    }
    iopub_finish(d->iopub);
}

/* Closes the sockets; what was sent last still leaves. */
static void on_close(void *arg)
{
    zdoor_free(arg);
}

static const struct door_events door_events = {.drain = on_drain,
                                               .comm_closed = on_comm_closed,
                                               .default_died = on_default_died,
                                               .stopped = on_stopped,
                                               .close = on_close};

static void on_flow(void *arg, enum iopub_flow flow)
{
    struct zdoor *d = arg;
    if (flow == IOPUB_STALLS) {
        door_hold(d->door);
    } else {
        door_release(d->door);
    }
}

/* A kernel that is being replaced may still hold the port for a moment. Nothing runs yet, so
 * waiting here blocks nobody. */
static int bind_patiently(struct zdoor *d, enum channel channel, const char *endpoint,
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

static int bind_channel(struct zdoor *d, enum channel channel, struct err *e)
{
    char endpoint[ENDPOINT_SIZE];
    struct connection *c = d->connection;
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

static int write_kernel_info(struct zdoor *d, const char *language, struct err *e)
{
    struct language l = language_describe(language);
    struct language_info info = {.name = l.name,
                                 .version = l.version,
                                 .mimetype = l.mimetype,
                                 .file_extension = l.file_extension,
                                 .pygments_lexer = l.pygments_lexer,
                                 .codemirror_mode = l.codemirror_mode,
                                 .codemirror_version = l.codemirror_version,
                                 .nbconvert_exporter = l.nbconvert_exporter,
                                 .banner = l.banner,
                                 .implementation_version = language_host_version};
    return reply_kernel_info(&d->kernel_info, &info, e);
}

static int bind_all(struct zdoor *d, struct err *e)
{
    const struct connection *c = d->connection;
    if (signer_new(slice_of(c->key), &d->signer, e) < 0 || zcontext_new(&d->zcontext, e) < 0) {
        return -1;
    }
    codec_init(&d->codec, d->signer);
    if (connection_is_encrypted(c) &&
        zcontext_encrypt(d->zcontext, c->curve_publickey, c->curve_secretkey, e) < 0) {
        return -1;
    }
    for (int channel = 0; channel < CHANNELS; channel++) {
        if (bind_channel(d, (enum channel)channel, e) < 0) {
            return -1;
        }
    }
    return 0;
}

static void zdoor_free(struct zdoor *d)
{
    if (d == NULL) {
        return;
    }
    loop_check_free(d->check);
    exchange_free(d->shutdown);
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

int zdoor_open(struct loop *loop, struct broker *broker, const struct zdoor_options *options,
               struct err *e)
{
    struct zdoor *d = xcalloc(1, sizeof *d);
    d->loop = loop;
    d->broker = broker;
    d->connection = options->connection;
    LIST_INIT(&d->exchanges);
    d->parts = zparts_new();
    d->kernel_info = BUF_INIT(MSG_HEADER_MAX);
    if (write_kernel_info(d, options->language, e) < 0 || bind_all(d, e) < 0 ||
        door_open(broker, &door_events, d, &d->door, e) < 0) {
        zdoor_free(d);
        return -1;
    }
    iopub_publish_status(d->iopub, "starting", SLICE_NONE);
    d->check = loop_add_check(loop, on_check, d);
    return 0;
}
