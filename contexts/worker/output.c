/* SPDX-License-Identifier: MIT */
#include "contexts/worker/output.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/jwrite.h"
#include "contexts/wire/will.h"

/* Text held back at most, per frame and in all. */
#define HOLD_BYTES (64UL * KIB)

/* How long text waits for more. The first of a cell waits just long enough for the end of the
 * line and of a short cell; text that user code flushes waits if it does so all the time. */
enum { HOLD_FIRST_US = 2000, HOLD_US = 40000, HINT_US = 10000 };

/* Read from a pipe at once: small enough for the flusher's stack. */
enum { READ_BYTES = 16384 };

static_assert(HOLD_BYTES + READ_BYTES <= STREAM_CHUNK_MAX, "a held text is one stream message");
static_assert(READ_BYTES == WILL_CAPTURED_MAX, "what is read at once fits into the will");
static_assert(HOLD_BYTES + READ_BYTES < WILL_TEXT_MAX, "a held text fits into the will");

static const char *const stream_names[] = {[STREAM_STDOUT] = "stdout", [STREAM_STDERR] = "stderr"};

void output_init(struct output *o, struct worker_fds fds)
{
    *o = (struct output){
        .text = BUF_INIT(HOLD_BYTES + READ_BYTES + (size_t)CAPTURE_PIPES * 2 * TAIL_MAX),
        .json = BUF_INIT((HOLD_BYTES + READ_BYTES) * 6 + KIB), /* a control byte becomes six */
        .timer_fd = -1,
        .ear = OUTPUT_MUTED, /* nobody has asked for anything yet */
    };
    pthread_mutex_init(&o->lock, NULL);
    o->will = fds.will;
    channel_init(&o->channel, fds.wire, fds.will);
    capture_init(&o->capture, fds.out_read, fds.err_read);
}

void output_close(struct output *o)
{
    channel_close(&o->channel);
    capture_close(&o->capture);
    drop_fd(&o->timer_fd);
    o->timer_fd = -1;
    buf_done(&o->text);
    buf_done(&o->json);
}

static void set_timer(struct output *o, int64_t at_us, int64_t delay_us)
{
    if (o->timer_fd < 0 || (o->timer_us != 0 && o->timer_us <= at_us)) {
        return;
    }
    struct itimerspec when = {
        .it_value = {.tv_sec = delay_us / 1000000, .tv_nsec = (delay_us % 1000000) * 1000 + 1}};
    if (timerfd_settime(o->timer_fd, 0, &when, NULL) == 0) {
        o->timer_us = at_us;
    }
}

/* Something begins to wait. */
static void set_due(struct output *o)
{
    if (o->due_us == 0) {
        int64_t delay_us = o->fresh ? HOLD_FIRST_US : HOLD_US;
        o->fresh = false;
        o->due_us = clock_us() + delay_us;
        set_timer(o, o->due_us, delay_us);
    }
}

/* Turns the held text into a frame that waits in the channel. */
static void pack_text(struct output *o)
{
    if (o->text.len == 0) {
        return;
    }
    buf_clear(&o->json);
    buf_addf(&o->json, "{\"name\": \"%s\", \"text\": ", stream_names[o->kind]);
    jwrite_string(&o->json, buf_slice(&o->text));
    buf_add_byte(&o->json, '}');
    struct wire_frame frame = {
        .type = WIRE_STREAM, .exec = o->text_exec, .content = buf_slice(&o->json)};
    channel_add(&o->channel, &frame);
    buf_clear(&o->text);
    if (o->will != NULL) {
        o->will->held = will_held(0, will_captured(o->will->held));
    }
}

static void push(struct output *o)
{
    pack_text(o);
    channel_push(&o->channel);
    o->pushed_us = o->due_us != 0 ? clock_us() : o->pushed_us;
    o->due_us = 0;
}

/* Leaves a copy of the held text behind `from` to whoever survives us. */
static void bequeath(struct output *o, size_t from)
{
    if (o->will == NULL || o->text.len > WILL_TEXT_MAX) {
        return;
    }
    memcpy(o->will->text + from, buf_text(&o->text) + from, o->text.len - from);
    o->will->exec = o->text_exec;
    o->will->stream = o->kind;
    o->will->held = will_held((uint32_t)o->text.len, 0); /* taken in, if it came from a pipe */
}

/* From here on held text is of this execution and kind. */
static void speak(struct output *o, uint64_t exec, enum stream_kind kind)
{
    if (o->kind != kind || o->text_exec != exec) {
        pack_text(o);
        o->kind = kind;
        o->text_exec = exec;
    }
}

/* Adds one piece, of HOLD_BYTES at most, to the text of who speaks. */
static void hold(struct output *o, struct tail *tail, struct slice piece)
{
    size_t before = o->text.len;
    tail_join(tail, piece, &o->text);
    bequeath(o, before);
    set_due(o);
}

static void push_if_full(struct output *o)
{
    if (o->text.len >= HOLD_BYTES || o->channel.waiting.len >= HOLD_BYTES) {
        push(o);
    }
}

/* Takes up to `len` bytes of a pipe. They are read into the will: whoever survives us finds them
 * there or in the pipe, wherever the end catches us. */
static size_t take_in(struct output *o, enum stream_kind kind, size_t len)
{
    char own[READ_BYTES];
    bool heard = o->ear == OUTPUT_HEARD;
    if (heard) {
        speak(o, o->exec, kind);
    }
    char *place = o->will != NULL && heard ? o->will->taken : own;
    if (place != own) {
        memset(place, 0, len + 1 < READ_BYTES ? len + 1 : READ_BYTES);
        o->will->held = will_held(will_text_len(o->will->held), (uint32_t)kind + 1);
    }
    size_t n = capture_read(&o->capture, kind, place, len);
    if (n > 0 && heard) {
        hold(o, &o->captured[kind], (struct slice){.data = place, .len = n});
    } else if (place != own) {
        o->will->held = will_held(will_text_len(o->will->held), 0);
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
        enum stream_kind kind = (enum stream_kind)i;
        size_t left = capture_waiting(&o->capture, kind);
        while (left > 0) {
            size_t n = take_in(o, kind, left < READ_BYTES ? left : READ_BYTES);
            if (n == 0) {
                break;
            }
            push_if_full(o);
            left -= n;
            total += n;
        }
    }
    o->foreign |= total > 0; /* somebody writes there: keep looking */
    return total;
}

static void write_raw(enum stream_kind kind, struct slice text)
{
    while (text.len > 0) {
        ssize_t n =
            write(kind == STREAM_STDOUT ? STDOUT_FILENO : STDERR_FILENO, text.data, text.len);
        if (n < 0 && errno != EINTR) {
            return; /* a copy whose descriptors are gone has nobody to tell */
        }
        size_t done = n > 0 ? (size_t)n : 0;
        text = (struct slice){.data = text.data + done, .len = text.len - done};
    }
}

static void push_copy(struct output *o)
{
    write_raw(o->kind, buf_slice(&o->text));
    buf_clear(&o->text);
}

/* Lines stay whole among the copies of a pool of processes, as on a terminal. */
static void text_of_copy(struct output *o, enum stream_kind kind, struct slice text)
{
    if (o->kind != kind || o->text.len + text.len > HOLD_BYTES) {
        push_copy(o);
        o->kind = kind;
    }
    if (text.len > HOLD_BYTES) {
        write_raw(kind, text);
        return;
    }
    (void)buf_add_slice(&o->text, text); /* room was just made */
    if (kind == STREAM_STDERR || memchr(text.data, '\n', text.len) != NULL) {
        push_copy(o);
    }
}

void output_begin(struct output *o, uint64_t exec, enum output_ear ear)
{
    pthread_mutex_lock(&o->lock);
    if (o->due_us != 0) {
        push(o);
    }
    o->ear = ear;
    if (ear == OUTPUT_HEARD) {
        o->exec = exec;
    }
    o->fresh = true;
    o->pushed_us = 0;
    pthread_mutex_unlock(&o->lock);
}

static bool has_foreign(const struct output *o)
{
    return o->foreign && capture_is_ready(&o->capture);
}

/* Whose text it is, or 0 if nobody is to hear it. A task of an earlier cell is heard while a silent
 * one runs. */
static uint64_t speaker(const struct output *o, uint64_t exec)
{
    if (exec != 0) {
        return exec;
    }
    return o->ear == OUTPUT_HEARD ? o->exec : 0;
}

bool output_try_text(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text)
{
    if (text.len > HOLD_BYTES || pthread_mutex_trylock(&o->lock) != 0) {
        return false;
    }
    bool done = !o->copy;
    uint64_t whose = speaker(o, exec);
    if (done && whose != 0) {
        size_t held = o->text.len + o->channel.waiting.len + text.len;
        done = held < HOLD_BYTES && !has_foreign(o);
        if (done) {
            speak(o, whose, kind);
            hold(o, &o->written[kind], text);
        }
    }
    pthread_mutex_unlock(&o->lock);
    return done;
}

void output_text(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text)
{
    pthread_mutex_lock(&o->lock);
    uint64_t whose = speaker(o, exec);
    if (o->copy) {
        text_of_copy(o, kind, text);
    } else if (whose != 0) {
        if (o->foreign) {
            drain(o);
        }
        while (text.len > 0) {
            size_t len = text.len < HOLD_BYTES - o->text.len ? text.len : HOLD_BYTES - o->text.len;
            speak(o, whose, kind);
            hold(o, &o->written[kind], (struct slice){.data = text.data, .len = len});
            push_if_full(o);
            text = (struct slice){.data = text.data + len, .len = text.len - len};
        }
    }
    pthread_mutex_unlock(&o->lock);
}

/* Not under the lock: a full pipe makes it wait for the flusher. Only these two streams, because
 * flushing all would wait for any stream that another thread is reading from. */
static void flush_stdio(void)
{
    (void)fflush(stdout); /* nobody could be told of a failure */
    (void)fflush(stderr);
}

void output_expect_foreign(struct output *o)
{
    flush_stdio();
    pthread_mutex_lock(&o->lock);
    if (!o->copy) {
        drain(o);
        o->foreign = true;
    }
    pthread_mutex_unlock(&o->lock);
}

void output_flush(struct output *o)
{
    pthread_mutex_lock(&o->lock);
    if (o->copy) {
        push_copy(o);
    } else {
        drain(o);
        push(o);
    }
    pthread_mutex_unlock(&o->lock);
}

void output_hint(struct output *o)
{
    pthread_mutex_lock(&o->lock);
    if (o->copy) {
        push_copy(o);
    } else if (o->due_us != 0) {
        int64_t now_us = clock_us();
        int64_t soon_us = o->pushed_us + HINT_US;
        if (now_us >= soon_us) {
            drain(o);
            push(o);
        } else if (soon_us < o->due_us) {
            o->due_us = soon_us;
            set_timer(o, soon_us, soon_us - now_us);
        }
    }
    pthread_mutex_unlock(&o->lock);
}

static bool has_children(void)
{
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

static void give_up_tails(struct output *o)
{
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        struct tail *const tails[] = {&o->written[i], &o->captured[i]};
        for (size_t t = 0; t < ARRAY_LEN(tails); t++) {
            if (tails[t]->len > 0) {
                speak(o, o->exec, (enum stream_kind)i);
            }
            size_t before = o->text.len;
            tail_give_up(tails[t], &o->text);
            bequeath(o, before);
        }
    }
}

void output_settle(struct output *o, enum output_look look)
{
    flush_stdio();
    pthread_mutex_lock(&o->lock);
    if (o->copy) {
        push_copy(o);
    } else {
        if (look == OUTPUT_LOOK || o->foreign) {
            drain(o);
        }
        give_up_tails(o);
        o->foreign = o->native || (o->foreign && has_children());
        o->ear = o->exec != 0 ? OUTPUT_HEARD : OUTPUT_MUTED;
    }
    pthread_mutex_unlock(&o->lock);
}

void output_frame(struct output *o, const struct wire_frame *frame, enum output_hurry hurry)
{
    pthread_mutex_lock(&o->lock);
    struct wire_frame heard = *frame;
    heard.exec = speaker(o, frame->exec);
    if (!o->copy && heard.exec != 0) {
        drain(o);
        pack_text(o);
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
        pack_text(o);
        channel_add(&o->channel, frame);
        push(o);
    }
    pthread_mutex_unlock(&o->lock);
}

size_t output_tick(struct output *o)
{
    pthread_mutex_lock(&o->lock);
    uint64_t expirations = 0;
    if (o->timer_fd >= 0 && read(o->timer_fd, &expirations, sizeof expirations) > 0) {
        o->timer_us = 0;
    }
    size_t drained = drain(o);
    if (o->due_us != 0) {
        int64_t left_us = o->due_us - clock_us();
        if (left_us <= 0) {
            push(o);
        } else {
            set_timer(o, o->due_us, left_us);
        }
    }
    pthread_mutex_unlock(&o->lock);
    return drained;
}

void output_become_copy(struct output *o)
{
    pthread_mutex_init(&o->lock, NULL); /* was held by the thread that forked */
    o->copy = true;
    o->will = NULL; /* the parent's */
    o->due_us = 0;
    buf_clear(&o->text);
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        o->written[i].len = 0;
    }
    channel_close(&o->channel);
    capture_close(&o->capture);
    drop_fd(&o->timer_fd);
    o->timer_fd = -1;
}
