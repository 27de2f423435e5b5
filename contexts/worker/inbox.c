/* SPDX-License-Identifier: MIT */
#include "contexts/worker/inbox.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/mem.h"

/* A frame from this size on is moved out of the reader rather than copied: a copy of START alone
 * would cost each idle context a page or two of its own. */
#define MOVE_BYTES (1UL * KIB)

static size_t frame_bytes(const struct wire_frame *frame)
{
    size_t bytes = frame->content.len;
    for (size_t i = 0; i < frame->buffer_count; i++) {
        bytes += frame->buffers[i].len; /* all of it was read: no overflow */
    }
    return bytes;
}

static struct slice copy_slice(char **at, struct slice from)
{
    struct slice copy = {.data = *at, .len = from.len};
    if (from.len > 0) {
        memcpy(*at, from.data, from.len);
    }
    *at += from.len;
    return copy;
}

/* One block: the letter, the table of buffers, the bytes. */
static struct letter *letter_copy(const struct wire_frame *frame, size_t bytes)
{
    size_t table = frame->buffer_count * sizeof(struct slice);
    struct letter *letter = xmalloc(sizeof *letter + table + bytes);
    struct slice *slices = (struct slice *)(letter + 1);
    char *at = (char *)slices + table;
    *letter = (struct letter){.frame = *frame, .bytes = bytes};
    letter->frame.content = copy_slice(&at, frame->content);
    for (size_t i = 0; i < frame->buffer_count; i++) {
        slices[i] = copy_slice(&at, frame->buffers[i]);
    }
    letter->frame.buffers = frame->buffer_count > 0 ? slices : NULL;
    return letter;
}

/* The memory that the reader lends goes over to the letter; the reader begins anew. */
static struct letter *letter_move(struct wire_reader *reader, const struct wire_frame *frame,
                                  size_t bytes)
{
    struct letter *letter = xmalloc(sizeof *letter);
    *letter = (struct letter){.frame = *frame,
                              .bytes = bytes,
                              .moved = take(reader->in.data),
                              .slices = take(reader->buffers)};
    reader->in = BUF_INIT(reader->in.limit);
    reader->buffers_cap = 0;
    reader->used = 0;
    return letter;
}

/* `frame` is the one that the reader gave last. */
static struct letter *letter_new(struct wire_reader *reader, const struct wire_frame *frame)
{
    size_t bytes = frame_bytes(frame);
    if (bytes >= MOVE_BYTES && wire_reader_is_empty(reader)) {
        return letter_move(reader, frame, bytes);
    }
    return letter_copy(frame, bytes);
}

void letter_free(struct letter *letter)
{
    if (letter != NULL) {
        free(letter->moved);
        free(letter->slices);
        free(letter);
    }
}

void inbox_init(struct inbox *in, int fd)
{
    pthread_condattr_t monotonic;
    *in = (struct inbox){.fd = fd, .held = TAILQ_HEAD_INITIALIZER(in->held)};
    wire_reader_init(&in->reader);
    pthread_mutex_init(&in->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&in->arrived, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Takes a held letter out of the queue. */
static struct letter *unhold(struct inbox *in, struct letter *letter)
{
    TAILQ_REMOVE(&in->held, letter, link);
    in->held_bytes -= letter->bytes;
    return letter;
}

void inbox_done(struct inbox *in)
{
    while (!TAILQ_EMPTY(&in->held)) {
        letter_free(unhold(in, TAILQ_FIRST(&in->held)));
    }
    wire_reader_done(&in->reader);
    pthread_cond_destroy(&in->arrived);
    pthread_mutex_destroy(&in->lock);
}

/* Nearly always there is nobody: the calls are saved for every cell. */
static void wake_waiters(struct inbox *in)
{
    if (in->waiters > 0) {
        pthread_cond_broadcast(&in->arrived);
    }
}

static void set_open(struct inbox *in, bool open)
{
    pthread_mutex_lock(&in->lock);
    in->open = open;
    wake_waiters(in);
    pthread_mutex_unlock(&in->lock);
}

void inbox_open(struct inbox *in)
{
    set_open(in, true);
}

void inbox_close(struct inbox *in)
{
    set_open(in, false);
}

/* What is held may pass the bound by one frame; then nothing more is read, and nothing is lost. */
static int check_held(const struct inbox *in, struct err *e)
{
    if (in->held_bytes > CONTEXT_BACKLOG_MAX) {
        return err_set(e, ERR_LIMIT, "more than %lu bytes of messages wait for the end of the cell",
                       CONTEXT_BACKLOG_MAX);
    }
    return 0;
}

/* Under the lock, like all that follow up to the public functions. */
static int read_stream(struct inbox *in, struct err *e)
{
    struct err why = ERR_NONE;
    if (check_held(in, e) < 0) {
        return -1;
    }
    ssize_t n = wire_reader_fill(&in->reader, in->fd, &why);
    if (n > 0) {
        wake_waiters(in);
        return 1;
    }
    if (n < 0 && why.sys == EAGAIN) {
        return 0;
    }
    if (n == 0 || why.sys == ECONNRESET) {
        return err_set(e, ERR_GONE, "the broker is gone");
    }
    if (e != NULL) {
        *e = why;
    }
    return -1;
}

static struct letter *take_held(struct inbox *in, inbox_sorter *sort, const void *arg)
{
    struct letter *next = NULL;
    for (struct letter *letter = TAILQ_FIRST(&in->held); letter != NULL; letter = next) {
        next = TAILQ_NEXT(letter, link);
        switch (sort(arg, &letter->frame)) {
        case INBOX_TAKE:
            return unhold(in, letter);
        case INBOX_DROP:
            letter_free(unhold(in, letter));
            break;
        case INBOX_HOLD:
            break;
        }
    }
    return NULL;
}

static void hold(struct inbox *in, struct letter *letter)
{
    TAILQ_INSERT_TAIL(&in->held, letter, link);
    in->held_bytes += letter->bytes;
}

/* Looks at the frames that were read but offered to nobody yet. */
static int take_new(struct inbox *in, inbox_sorter *sort, const void *arg, struct letter **out,
                    struct err *e)
{
    struct wire_frame frame;
    int got = 0;
    while (check_held(in, e) == 0 && (got = wire_reader_next(&in->reader, &frame, e)) == 1) {
        if (frame.type == WIRE_STOP) {
            in->stopping = true;
            return err_set(e, ERR_GONE, "the context is being stopped");
        }
        switch (sort(arg, &frame)) {
        case INBOX_TAKE:
            *out = letter_new(&in->reader, &frame);
            return 1;
        case INBOX_HOLD:
            hold(in, letter_new(&in->reader, &frame));
            break;
        case INBOX_DROP:
            break;
        }
    }
    return in->held_bytes > CONTEXT_BACKLOG_MAX ? -1 : got;
}

static int take_any(struct inbox *in, inbox_sorter *sort, const void *arg, struct letter **out,
                    struct err *e)
{
    if (in->stopping) {
        return err_set(e, ERR_GONE, "the context is being stopped");
    }
    struct letter *held = take_held(in, sort, arg);
    if (held != NULL) {
        *out = held;
        return 1;
    }
    return take_new(in, sort, arg, out, e);
}

static int check_open(const struct inbox *in, struct err *e)
{
    return in->open ? 0 : err_set(e, ERR_STATE, "the cell has ended");
}

/* Waits for a frame to be read by whoever polls. */
static void await_reader(struct inbox *in, int timeout_ms)
{
    enum { NS_PER_MS = 1000000, MS_PER_S = 1000 };

    int64_t until_ms = clock_ms() + timeout_ms;
    struct timespec until = {.tv_sec = until_ms / MS_PER_S,
                             .tv_nsec = until_ms % MS_PER_S * NS_PER_MS};
    in->waiters++;
    (void)pthread_cond_timedwait(&in->arrived, &in->lock, &until); /* the caller looks again */
    in->waiters--;
}

/* Polls for all that wait, without the lock; reads if the cell still runs. */
static int await_stream(struct inbox *in, int timeout_ms, struct err *e)
{
    struct pollfd readable = {.fd = in->fd, .events = POLLIN};
    in->polled = true;
    pthread_mutex_unlock(&in->lock);
    int ready = poll(&readable, 1, timeout_ms);
    pthread_mutex_lock(&in->lock);
    in->polled = false;
    wake_waiters(in); /* another one polls, if this one leaves */
    return ready <= 0 || !in->open ? 0 : read_stream(in, e);
}

int inbox_read(struct inbox *in, struct err *e)
{
    pthread_mutex_lock(&in->lock);
    int got = read_stream(in, e);
    pthread_mutex_unlock(&in->lock);
    return got;
}

int inbox_take(struct inbox *in, inbox_sorter *sort, const void *arg, struct letter **out,
               struct err *e)
{
    pthread_mutex_lock(&in->lock);
    int got = take_any(in, sort, arg, out, e);
    pthread_mutex_unlock(&in->lock);
    return got;
}

/* One look, one wait, and another look. */
static int wait_once(struct inbox *in, inbox_sorter *sort, const void *arg, int timeout_ms,
                     struct letter **out, struct err *e)
{
    int got = check_open(in, e) < 0 ? -1 : take_any(in, sort, arg, out, e);
    if (got != 0) {
        return got;
    }
    if (in->polled) {
        await_reader(in, timeout_ms);
    } else if (await_stream(in, timeout_ms, e) < 0) {
        return -1;
    }
    return check_open(in, e) < 0 ? -1 : take_any(in, sort, arg, out, e);
}

int inbox_wait(struct inbox *in, inbox_sorter *sort, const void *arg, int timeout_ms,
               struct letter **out, struct err *e)
{
    pthread_mutex_lock(&in->lock);
    int got = wait_once(in, sort, arg, timeout_ms, out, e);
    pthread_mutex_unlock(&in->lock);
    return got;
}

bool inbox_is_stopping(struct inbox *in)
{
    pthread_mutex_lock(&in->lock);
    bool stopping = in->stopping;
    pthread_mutex_unlock(&in->lock);
    return stopping;
}
