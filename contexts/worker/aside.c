/* SPDX-License-Identifier: MIT */
/* aside.c - comm messages that a cell takes while it awaits. See worker_listen. */
#include <errno.h>

#include "contexts/worker/state.h"
#include "contexts/worker/worker.h"

int worker_listen(struct worker *w)
{
    if (w->running == NULL || w->engine->comm == NULL || worker_is_copy(w)) {
        return -1;
    }
    struct wire_frame frame = {.type = WIRE_LISTENING, .exec = w->exec, .content = SLICE_LIT("{}")};
    output_reply(&w->output, &frame);
    return w->wire_fd;
}

/* The handler speaks for its message, and then the cell for itself again. */
static void answer(struct worker *w, const struct wire_frame *frame)
{
    enum output_ear ear = w->output.ear;
    uint64_t exec = w->exec;
    w->aside = true;
    w->exec = frame->exec;
    worker_answer_comm(w, frame);
    w->exec = exec;
    w->aside = false;
    output_begin(&w->output, exec, ear);
}

static void look_at(struct worker *w, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    if (frame->type == WIRE_COMM) {
        answer(w, frame);
    } else if (frame->type == WIRE_STOP) {
        w->stopping = true;
    } else if (wire_encode(&w->held, frame, &e) < 0) { /* its turn comes after this cell */
        _exit(1); /* cannot be: the broker sends nothing else before the cell has ended */
    }
}

/* A thread of the cell that waited for its input has put these away. */
static void look_at_held(struct worker *w)
{
    struct wire_reader reader;
    struct wire_frame frame;
    struct err e = ERR_NONE;
    if (w->held.len == 0) {
        return;
    }
    wire_reader_init(&reader);
    if (wire_reader_feed(&reader, buf_slice(&w->held), &e) < 0) {
        _exit(1); /* cannot be: it was within the same bounds when it came */
    }
    buf_done(&w->held);
    while (wire_reader_next(&reader, &frame, &e) == 1) {
        look_at(w, &frame);
    }
    wire_reader_done(&reader);
}

bool worker_serve_comms(struct worker *w)
{
    struct wire_frame frame;
    struct err e = ERR_NONE;
    struct err bad = ERR_NONE;
    if (worker_is_copy(w) || w->running == NULL) {
        return false;
    }
    if (pthread_mutex_trylock(&w->in_lock) != 0) {
        return true; /* a thread of the cell asks for input; it reads this too */
    }
    look_at_held(w);
    ssize_t got = wire_reader_fill(&w->in, w->wire_fd, &e);
    while (wire_reader_next(&w->in, &frame, &bad) == 1) {
        look_at(w, &frame);
    }
    pthread_mutex_unlock(&w->in_lock);
    return got > 0 || (got < 0 && e.sys == EAGAIN);
}
