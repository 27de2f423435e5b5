/* SPDX-License-Identifier: MIT */
/* ask.c - a cell asks the client for a line of input and waits for it. See worker_input. */
#include <errno.h>
#include <poll.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/worker/state.h"
#include "contexts/worker/worker.h"

/* A signal that comes just before the wait is seen this much later at most. */
enum { LOOK_AGAIN_MS = 100 };

static void send_request(struct worker *w, struct slice prompt, bool password)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    buf_add_byte(&content, '{');
    jwrite_key(&content, "prompt");
    if (jwrite_string(&content, prompt) < 0) {
        jwrite_string(&content, SLICE_LIT("")); /* nobody reads a prompt of this size */
    }
    buf_addf(&content, ", \"password\": %s}", password ? "true" : "false");
    struct wire_frame frame = {
        .type = WIRE_INPUT_REQUEST, .exec = w->exec, .content = buf_slice(&content)};
    output_flush(&w->output);
    output_reply(&w->output, &frame); /* also of a silent cell: it would wait for ever */
}

static int read_answer(struct slice content, struct buf *answer, struct err *e)
{
    if (jscan_check(content, JSCAN_LENIENT, JSON_DEPTH_MAX, e) < 0) {
        return -1;
    }
    if (jscan_string(jscan_get(content, "value"), answer) == 0) {
        return 0;
    }
    if (jscan_string(jscan_get(content, "error"), answer) == 0) { /* the broker gives up */
        return err_set(e, ERR_TIMEOUT, "%s", buf_text(answer));
    }
    return err_set(e, ERR_PROTO, "input_reply without a value");
}

/* 1: answered, 0: the frame was something else and is dealt with, -1: give up. */
static int look_at(struct worker *w, const struct wire_frame *frame, struct buf *answer,
                   struct err *e)
{
    if (frame->type == WIRE_INPUT_REPLY) {
        bool stale = frame->exec != w->exec; /* answers a question of an earlier cell */
        return stale ? 0 : read_answer(frame->content, answer, e) < 0 ? -1 : 1;
    }
    if (frame->type == WIRE_STOP) {
        w->stopping = true;
        return err_set(e, ERR_GONE, "the context is being stopped");
    }
    if (wire_encode(&w->held, frame, e) < 0) { /* its turn comes after this cell */
        return -1;
    }
    return 0;
}

static int wait_readable(int fd, struct err *e)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    int ready = poll(&readable, 1, LOOK_AGAIN_MS);
    if (ready == 0) {
        errno = EINTR;
    }
    return ready > 0 ? 0 : err_sys(e, "waiting for input");
}

static int wait_for_answer(struct worker *w, struct buf *answer, struct err *e)
{
    for (;;) {
        struct wire_frame frame;
        int got = wire_reader_next(&w->in, &frame, e);
        if (got == 1) {
            got = look_at(w, &frame, answer, e);
            if (got != 0) {
                return got > 0 ? 0 : -1;
            }
            continue;
        }
        if (got < 0 || wait_readable(w->wire_fd, e) < 0) {
            return -1;
        }
        ssize_t n = wire_reader_fill(&w->in, w->wire_fd, e);
        if (n == 0) {
            return err_set(e, ERR_GONE, "the broker is gone");
        }
        if (n < 0) {
            return -1;
        }
    }
}

int worker_input(struct worker *w, struct slice prompt, bool password, enum input_again again,
                 struct buf *answer, struct err *e)
{
    if (w->running == NULL || !w->running->allow_stdin || worker_is_copy(w)) {
        return err_set(e, ERR_STATE, "this client does not answer requests for input");
    }
    if (pthread_mutex_lock(&w->in_lock) != 0) {
        return err_set(e, ERR_STATE, "a handler of comm messages cannot ask for input");
    }
    if (again == INPUT_ASK) {
        send_request(w, prompt, password);
    }
    int failed = wait_for_answer(w, answer, e);
    pthread_mutex_unlock(&w->in_lock);
    return failed;
}
