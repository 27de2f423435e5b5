/* SPDX-License-Identifier: MIT */
#include "contexts/worker/output.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>

void output_init(struct output *o, struct worker_fds fds)
{
    *o = (struct output){.ear = OUTPUT_MUTED}; /* nobody has asked for anything yet */
    pthread_mutex_init(&o->lock, NULL);
    channel_init(&o->channel, fds.wire, fds.will);
    capture_init(&o->capture, fds.out_read, fds.err_read);
    held_init(&o->held, fds.will);
    pace_init(&o->pace);
}

/* What a copy of the process gives up as well. */
static void close_descriptors(struct output *o)
{
    channel_close(&o->channel);
    capture_close(&o->capture);
    pace_close(&o->pace);
}

void output_close(struct output *o)
{
    close_descriptors(o);
    held_done(&o->held);
}

void output_become_copy(struct output *o)
{
    pthread_mutex_init(&o->lock, NULL); /* was held by the thread that forked */
    o->copy = true;
    held_become_copy(&o->held);
    close_descriptors(o);
}

/* The following are called under the lock, up to the public functions. */

static void push(struct output *o)
{
    held_pack(&o->held, &o->channel);
    channel_push(&o->channel);
    pace_sent(&o->pace);
}

static void push_if_full(struct output *o)
{
    if (o->held.text.len >= HELD_BYTES || o->channel.waiting.len >= HELD_BYTES) {
        push(o);
    }
}

/* Takes up to `len` bytes of a pipe. */
static size_t take_in(struct output *o, enum stream_kind kind, size_t len)
{
    size_t most = len < HELD_READ_BYTES ? len : HELD_READ_BYTES;
    if (o->ear == OUTPUT_MUTED) {
        char unheard[HELD_READ_BYTES];
        return capture_read(&o->capture, kind, unheard, most);
    }
    held_select(&o->held, o->exec, kind, &o->channel);
    size_t n = held_read(&o->held, &o->capture, most);
    if (n > 0) {
        pace_wait(&o->pace);
        push_if_full(o);
    }
    return n;
}

/* Takes in what lies in the pipes at this moment. */
static size_t drain(struct output *o)
{
    size_t total = 0;
    if (!capture_is_ready(&o->capture)) {
        return 0;
    }
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        size_t left = capture_waiting(&o->capture, (enum stream_kind)i);
        size_t n = 0;
        while (left > 0 && (n = take_in(o, (enum stream_kind)i, left)) > 0) {
            left -= n;
            total += n;
        }
    }
    if (total > 0 && o->others == OTHERS_NONE) {
        o->others = OTHERS_FOR_NOW; /* somebody writes there: keep looking */
    }
    return total;
}

/* Sends all there is. */
static void flush(struct output *o)
{
    if (o->copy) {
        held_write(&o->held);
    } else {
        drain(o);
        push(o);
    }
}

/* Whose text it is, or 0 if nobody is to hear it. A task of an earlier cell is heard while a silent
 * one runs. */
static uint64_t owner(const struct output *o, uint64_t exec)
{
    if (exec != 0) {
        return exec;
    }
    return o->ear == OUTPUT_HEARD ? o->exec : 0;
}

static void hold(struct output *o, uint64_t exec, enum stream_kind kind, struct slice piece)
{
    held_select(&o->held, exec, kind, &o->channel);
    held_add(&o->held, piece);
    pace_wait(&o->pace);
}

/* Holds back text that fits without sending anything. */
static bool try_hold(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text)
{
    size_t held = o->held.text.len + o->channel.waiting.len + text.len;
    if (held >= HELD_BYTES || (o->others != OTHERS_NONE && capture_is_ready(&o->capture))) {
        return false;
    }
    hold(o, exec, kind, text);
    return true;
}

static void hold_all(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text)
{
    if (o->others != OTHERS_NONE) {
        drain(o);
    }
    while (text.len > 0) {
        size_t room = HELD_BYTES - o->held.text.len;
        size_t len = text.len < room ? text.len : room;
        hold(o, exec, kind, (struct slice){.data = text.data, .len = len});
        push_if_full(o);
        text = (struct slice){.data = text.data + len, .len = text.len - len};
    }
}

void output_begin(struct output *o, uint64_t exec, enum output_ear ear)
{
    pthread_mutex_lock(&o->lock);
    if (o->pace.due_us != 0) {
        push(o);
    }
    o->ear = ear;
    if (ear == OUTPUT_HEARD) {
        o->exec = exec;
    }
    pace_begin(&o->pace);
    pthread_mutex_unlock(&o->lock);
}

bool output_try_text(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text)
{
    if (text.len > HELD_BYTES || pthread_mutex_trylock(&o->lock) != 0) {
        return false;
    }
    uint64_t whose = owner(o, exec);
    bool done = !o->copy && (whose == 0 || try_hold(o, whose, kind, text));
    pthread_mutex_unlock(&o->lock);
    return done;
}

void output_text(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text)
{
    pthread_mutex_lock(&o->lock);
    uint64_t whose = owner(o, exec);
    if (o->copy) {
        held_add_lines(&o->held, kind, text);
    } else if (whose != 0) {
        hold_all(o, whose, kind, text);
    }
    pthread_mutex_unlock(&o->lock);
}

/* Not under the lock: a full pipe makes it wait for the flusher. Only these two streams, because
 * flushing all would wait for any stream that another thread is reading from. */
static void flush_stdio(void)
{
    (void)fflush(stdout); /* a failure could be reported to nobody */
    (void)fflush(stderr);
}

void output_expect(struct output *o, enum output_others others)
{
    flush_stdio();
    pthread_mutex_lock(&o->lock);
    if (!o->copy) {
        drain(o);
        o->others = others > o->others ? others : o->others;
    }
    pthread_mutex_unlock(&o->lock);
}

void output_flush(struct output *o)
{
    pthread_mutex_lock(&o->lock);
    flush(o);
    pthread_mutex_unlock(&o->lock);
}

void output_hint(struct output *o)
{
    pthread_mutex_lock(&o->lock);
    if (o->copy || pace_hint(&o->pace)) {
        flush(o);
    }
    pthread_mutex_unlock(&o->lock);
}

static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

static void settle(struct output *o, enum output_look look)
{
    if (look == OUTPUT_LOOK || o->others != OTHERS_NONE) {
        drain(o);
    }
    held_give_up_tails(&o->held, o->exec, &o->channel);
    if (o->others == OTHERS_FOR_NOW && !has_children()) {
        o->others = OTHERS_NONE;
    }
    o->ear = o->exec != 0 ? OUTPUT_HEARD : OUTPUT_MUTED;
}

void output_settle(struct output *o, enum output_look look)
{
    flush_stdio();
    pthread_mutex_lock(&o->lock);
    if (o->copy) {
        held_write(&o->held);
    } else {
        settle(o, look);
    }
    pthread_mutex_unlock(&o->lock);
}

void output_frame(struct output *o, const struct wire_frame *frame, enum output_hurry hurry)
{
    pthread_mutex_lock(&o->lock);
    struct wire_frame heard = *frame;
    heard.exec = owner(o, frame->exec);
    if (!o->copy && heard.exec != 0) {
        drain(o);
        held_pack(&o->held, &o->channel);
        channel_add(&o->channel, &heard);
        if (hurry == OUTPUT_NOW) {
            push(o);
        }
    }
    pthread_mutex_unlock(&o->lock);
}

void output_send(struct output *o, const struct wire_frame *frame)
{
    pthread_mutex_lock(&o->lock);
    if (!o->copy) {
        held_pack(&o->held, &o->channel);
        channel_add(&o->channel, frame);
        push(o);
    }
    pthread_mutex_unlock(&o->lock);
}

size_t output_tick(struct output *o)
{
    pthread_mutex_lock(&o->lock);
    size_t drained = drain(o);
    if (pace_tick(&o->pace)) {
        push(o);
    }
    pthread_mutex_unlock(&o->lock);
    return drained;
}
