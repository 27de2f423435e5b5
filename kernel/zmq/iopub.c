/* SPDX-License-Identifier: MIT */
#include "kernel/zmq/iopub.h"

#include <errno.h>
#include <sys/queue.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "kernel/protocol/reply.h"

/* One message that could not be sent yet: its frames, copied. */
struct waiting {
    STAILQ_ENTRY(waiting) link;
    size_t count;
    size_t bytes;
    int64_t since_ms;
    struct slice *frames; /* point into `data` */
    char *data;
};

struct iopub {
    struct loop *loop;
    struct codec *codec;
    struct zsock *socket;
    struct zparts *parts;
    iopub_flow_fn flow;
    void *arg;

    STAILQ_HEAD(waiting_list, waiting) outbox;
    size_t outbox_bytes;
    bool was_heard; /* somebody has subscribed */
    struct loop_timer *retry;
    int64_t stalled_since_ms; /* 0: not */
};

static void waiting_free(struct waiting *w)
{
    free(w->frames);
    free(w->data);
    free(w);
}

/* Sends to everybody; false when it has to wait because a subscriber is full. */
static bool offer(struct iopub *p, const struct slice *frames, size_t count)
{
    struct err e = ERR_NONE;
    if (zsock_send(p->socket, frames, count, &e) < 0) {
        if (e.sys == EAGAIN) {
            return false;
        }
        log_error("zmq", "iopub message lost", "why=\"%s\"", e.text);
    }
    return true;
}

static void drop_first(struct iopub *p)
{
    struct waiting *w = STAILQ_FIRST(&p->outbox);
    STAILQ_REMOVE_HEAD(&p->outbox, link);
    p->outbox_bytes -= w->bytes;
    waiting_free(w);
    p->stalled_since_ms = clock_ms(); /* there is progress */
}

/* Sends the outbox in order; false when some of it has to wait. */
static bool send_outbox(struct iopub *p)
{
    while (!STAILQ_EMPTY(&p->outbox)) {
        const struct waiting *w = STAILQ_FIRST(&p->outbox);
        if (!offer(p, w->frames, w->count)) {
            return false;
        }
        drop_first(p);
    }
    p->stalled_since_ms = 0;
    return true;
}

/* Gives the first message to those who have room. libzmq then leaves out who had none until it
 * reads again, so it holds up nobody any more, while others that become full still do: they read,
 * only slower than we write, and must not lose anything. */
static void pass_over(struct iopub *p)
{
    const struct waiting *w = STAILQ_FIRST(&p->outbox);
    log_warn("zmq", "subscriber does not read: it will miss messages", "waiting_bytes=%zu",
             p->outbox_bytes);
    zsock_when_full(p->socket, ZSOCK_LOSE);
    (void)offer(p, w->frames, w->count); /* cannot be refused */
    zsock_when_full(p->socket, ZSOCK_REFUSE);
    drop_first(p);
}

static void on_retry(void *arg)
{
    struct iopub *p = arg;
    bool empty = send_outbox(p);
    if (!empty && clock_ms() - p->stalled_since_ms >= IOPUB_STALL_MS) {
        pass_over(p);
        empty = send_outbox(p);
    }
    if (empty) {
        p->flow(p->arg, IOPUB_FLOWS);
    } else {
        loop_timer_set(p->retry, IOPUB_RETRY_MS);
    }
}

struct iopub *iopub_new(struct loop *loop, struct codec *codec, struct zsock *socket,
                        iopub_flow_fn flow, void *arg)
{
    struct iopub *p = xcalloc(1, sizeof *p);
    p->loop = loop;
    p->codec = codec;
    p->socket = socket;
    p->parts = zparts_new();
    p->flow = flow;
    p->arg = arg;
    p->retry = loop_add_timer(loop, on_retry, p);
    STAILQ_INIT(&p->outbox);
    return p;
}

void iopub_free(struct iopub *p)
{
    if (p == NULL) {
        return;
    }
    while (!STAILQ_EMPTY(&p->outbox)) {
        struct waiting *w = STAILQ_FIRST(&p->outbox);
        STAILQ_REMOVE_HEAD(&p->outbox, link);
        waiting_free(w);
    }
    loop_timer_free(p->retry);
    zparts_free(p->parts);
    zsock_free(p->socket);
    free(p);
}

int iopub_fd(const struct iopub *p)
{
    return zsock_fd(p->socket);
}

static void enqueue(struct iopub *p, const struct slice *frames, size_t count)
{
    struct waiting *w = xcalloc(1, sizeof *w);
    for (size_t i = 0; i < count; i++) {
        w->bytes += frames[i].len;
    }
    w->count = count;
    w->since_ms = clock_ms();
    w->frames = xcalloc(count, sizeof *w->frames);
    w->data = xmalloc(w->bytes);
    char *at = w->data;
    for (size_t i = 0; i < count; i++) {
        w->frames[i] = (struct slice){.data = at, .len = frames[i].len};
        if (frames[i].len > 0) {
            memcpy(at, frames[i].data, frames[i].len);
        }
        at += frames[i].len;
    }
    STAILQ_INSERT_TAIL(&p->outbox, w, link);
    p->outbox_bytes += w->bytes;
}

/* First refusal: from here on everything waits its turn, and contexts pause. */
static void stall(struct iopub *p, const struct slice *frames, size_t count)
{
    bool first = STAILQ_EMPTY(&p->outbox);
    enqueue(p, frames, count);
    if (first) {
        p->stalled_since_ms = clock_ms();
        loop_timer_set(p->retry, IOPUB_RETRY_MS);
        p->flow(p->arg, IOPUB_STALLS);
    }
    while (p->outbox_bytes > IOPUB_BACKLOG_MAX && !send_outbox(p)) {
        pass_over(p); /* memory is worth more than patience */
    }
}

/* Forgets what has waited for a first subscriber for too long, or takes too much. */
static void forget_early(struct iopub *p)
{
    const struct waiting *w = NULL;
    int64_t now = clock_ms();
    while ((w = STAILQ_FIRST(&p->outbox)) != NULL &&
           (now - w->since_ms > IOPUB_EARLY_MS || p->outbox_bytes > IOPUB_EARLY_MAX)) {
        drop_first(p);
    }
    p->stalled_since_ms = 0; /* nobody is slow here */
}

/* A client connects its sockets at once, and on a busy machine its first cell may be here, and
 * done, before its subscription is: without this it would wait for the cell's end for ever. */
static void keep_early(struct iopub *p, const struct slice *frames, size_t count)
{
    enqueue(p, frames, count);
    forget_early(p);
}

static void send_or_wait(struct iopub *p, const struct slice *frames, size_t count)
{
    if (!STAILQ_EMPTY(&p->outbox) || !offer(p, frames, count)) {
        stall(p, frames, count);
    }
}

void iopub_publish(struct iopub *p, const struct publication *publication)
{
    struct outgoing out = {.type = publication->type,
                           .parent = publication->parent,
                           .metadata = publication->metadata,
                           .content = publication->content};
    struct encoded encoded;
    codec_encode(p->codec, &out, &encoded);

    size_t count = 1 + ENCODED_FRAMES + publication->buffer_count;
    struct slice few[1 + ENCODED_FRAMES + 8]; /* nearly all messages have no buffers */
    _cleanup_(drop_free) struct slice *many =
        count > ARRAY_LEN(few) ? xcalloc(count, sizeof *many) : NULL;
    struct slice *frames = many ? many : few;
    frames[0] =
        publication->topic.data ? publication->topic : slice_of(msg_type_name(publication->type));
    for (size_t i = 0; i < ENCODED_FRAMES; i++) {
        frames[1 + i] = encoded.frames[i];
    }
    for (size_t i = 0; i < publication->buffer_count; i++) {
        frames[1 + ENCODED_FRAMES + i] = publication->buffers[i];
    }
    if (!p->was_heard && publication->parent.len > 0) {
        keep_early(p, frames, count);
    } else if (!p->was_heard) {
        (void)offer(p, frames, count); /* nobody is there to be full */
    } else {
        send_or_wait(p, frames, count);
    }
}

void iopub_publish_status(struct iopub *p, const char *state, struct slice parent)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_FIELD_MAX);
    reply_status(&content, state);
    iopub_publish(p, &(struct publication){
                         .type = MSG_STATUS, .parent = parent, .content = buf_slice(&content)});
}

static void welcome(struct iopub *p, struct slice topic)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_HEADER_MAX);
    if (!text_is_utf8(topic)) {
        return;
    }
    reply_welcome(&content, topic);
    if (!content.full) {
        iopub_publish(p, &(struct publication){.type = MSG_IOPUB_WELCOME,
                                               .topic = topic,
                                               .content = buf_slice(&content)});
    }
}

/* The first subscriber gets the welcome, and then what its own requests may have brought already.
 */
static void welcome_first(struct iopub *p, struct slice topic)
{
    struct waiting_list early = STAILQ_HEAD_INITIALIZER(early);
    forget_early(p);
    STAILQ_CONCAT(&early, &p->outbox);
    p->outbox_bytes = 0;
    p->was_heard = true;
    welcome(p, topic);
    while (!STAILQ_EMPTY(&early)) {
        struct waiting *w = STAILQ_FIRST(&early);
        STAILQ_REMOVE_HEAD(&early, link);
        send_or_wait(p, w->frames, w->count);
        waiting_free(w);
    }
}

/* One message of a subscriber: 1 and a topic to subscribe, 0 and a topic to leave it. Whatever else
 * comes is no business of ours. */
static void on_subscription(struct iopub *p, struct slice frame)
{
    struct slice topic = {.data = frame.data + 1, .len = frame.len - 1};
    if (frame.data[0] == 0) {
        zsock_unsubscribe(p->socket, topic);
    } else if (frame.data[0] == 1 && topic.len <= MSG_FIELD_MAX) {
        zsock_subscribe(p->socket, topic);
        if (!p->was_heard) {
            welcome_first(p, topic);
        } else {
            welcome(p, topic);
        }
    }
}

int iopub_receive(struct iopub *p, int most)
{
    struct err e = ERR_NONE;
    int n = 0;
    int got = 0;
    while (n < most && (got = zsock_receive(p->socket, p->parts, &e)) != 0) {
        size_t count = 0;
        const struct slice *frames = zparts_frames(p->parts, &count);
        n++;
        if (got > 0 && count == 1 && frames[0].len > 0) {
            on_subscription(p, frames[0]);
        }
    }
    return n;
}

bool iopub_is_settled(const struct iopub *p)
{
    return zsock_is_settled(p->socket);
}

void iopub_finish(struct iopub *p)
{
    while (!send_outbox(p)) {
        pass_over(p);
    }
}
