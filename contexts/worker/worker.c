/* SPDX-License-Identifier: MIT */
#include "contexts/worker/worker.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "contexts/wire/will.h"
#include "contexts/worker/forkguard.h"
#include "contexts/worker/options.h"
#include "contexts/worker/reply.h"
#include "contexts/worker/request.h"
#include "contexts/worker/state.h"

/* A fork made by user code came back to us instead of ending itself. It has no frames to send and
 * nobody to answer. */
static void end_copy(const struct worker *w, int status)
{
    if (w->output.copy) {
        _exit(status);
    }
}

static void send_done(struct worker *w, const struct buf *content)
{
    struct wire_frame frame = {.type = WIRE_DONE, .exec = w->exec, .content = buf_slice(content)};
    output_reply(&w->output, &frame);
}

static void send_failed(struct worker *w, const struct err *why)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    reply_failed(&content, why);
    send_done(w, &content);
}

static void send_outcome(struct worker *w, const struct exec_request *request,
                         const struct exec_outcome *outcome)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    if (outcome->failed && !request->silent) {
        reply_error(&content, outcome);
        struct wire_frame frame = {.type = WIRE_ERROR, .content = buf_slice(&content)};
        output_frame(&w->output, &frame, OUTPUT_WITH_REPLY);
        buf_clear(&content);
    }
    reply_execute(&content, outcome, request->execution_count);
    send_done(w, &content);
}

/* User code closed our descriptor (os.closerange), and perhaps put something else in its place. */
static _Noreturn void leave_unheard(const struct worker *w)
{
    enum { WIRE_LOST = 71 }; /* EX_OSERR */

    if (w->output.will != NULL) {
        w->output.will->farewell = WILL_WIRE_CLOSED;
    }
    _exit(WIRE_LOST);
}

static void run_cell(struct worker *w, const struct exec_request *request)
{
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    reserve_keep(&w->reserve);
    flusher_ensure(&w->flusher);
    output_begin(&w->output, w->exec, request->silent ? OUTPUT_MUTED : OUTPUT_HEARD);

    w->running = request;
    sigint_arm(&w->sigint);
    w->engine->execute(w->state, request, &outcome);
    sigint_disarm(&w->sigint);
    w->running = NULL;

    output_settle(&w->output, outcome.is_settled ? OUTPUT_SEEN : OUTPUT_LOOK);
    end_copy(w, outcome.failed ? 1 : 0);
    if (fcntl(w->wire_fd, F_GETFD) < 0) {
        leave_unheard(w); /* what it printed lies in the will */
    }
    send_outcome(w, request, &outcome);
}

static void on_execute(struct worker *w, const struct wire_frame *frame)
{
    _cleanup_(drop_request_room) struct request_room room;
    struct exec_request request;
    struct err e = ERR_NONE;
    request_room_init(&room);
    if (request_execute(frame, &room, &request, &e) < 0) {
        send_failed(w, &e);
        return;
    }
    run_cell(w, &request);
}

static void answer_code(struct worker *w, enum wire_type type, const struct code_request *r,
                        struct buf *reply)
{
    const struct engine *engine = w->engine;
    if (type == WIRE_IS_COMPLETE && engine->is_complete != NULL) {
        engine->is_complete(w->state, r->code, reply);
    } else if (type == WIRE_COMPLETE && engine->complete != NULL) {
        engine->complete(w->state, r->code, r->cursor, reply);
    } else if (type == WIRE_INSPECT && engine->inspect != NULL) {
        engine->inspect(w->state, r->code, r->cursor, r->detail, reply);
    }
    if (reply->len > 0 && !reply->full) {
        return;
    }
    buf_clear(reply);
    if (type == WIRE_COMPLETE) {
        reply_complete_none(reply, r->cursor);
    } else if (type == WIRE_INSPECT) {
        reply_inspect_none(reply);
    } else {
        reply_is_complete_unknown(reply);
    }
}

/* These may run code of the user's objects, so they can be interrupted like cells. */
static void on_code(struct worker *w, const struct wire_frame *frame)
{
    _cleanup_(drop_request_room) struct request_room room;
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(FRAME_CONTENT_MAX);
    struct code_request request;
    struct err e = ERR_NONE;
    request_room_init(&room);
    if (request_code(frame, &room, &request, &e) < 0) {
        send_failed(w, &e);
        return;
    }
    enum wire_type type = frame->type;
    sigint_arm(&w->sigint);
    answer_code(w, type, &request, &reply);
    sigint_disarm(&w->sigint);
    end_copy(w, 0);
    send_done(w, &reply);
}

/* A comm that nobody here can serve is closed, so that its opener knows. */
static void close_comm(struct worker *w, const struct comm_request *request)
{
    struct slice id = jscan_get(request->content, "comm_id");
    struct slice metadata = SLICE_LIT("{}");
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MSG_JSON_MAX);
    if (strcmp(request->msg_type, "comm_open") != 0 || id.len == 0) {
        return;
    }
    buf_add_text(&content, "{\"data\": {}, \"comm_id\": ");
    buf_add_slice(&content, id);
    buf_add_text(&content, "}");
    worker_publish(w, LATEST_EXEC, WIRE_COMM_CLOSE, buf_slice(&content), &metadata, 1);
}

void worker_answer_comm(struct worker *w, const struct wire_frame *frame)
{
    struct comm_request request;
    struct err e = ERR_NONE;
    if (request_comm(frame, &request, &e) < 0) {
        send_failed(w, &e);
        return;
    }
    output_begin(&w->output, w->exec, OUTPUT_HEARD);
    if (w->engine->comm != NULL) {
        w->engine->comm(w->state, &request);
    } else {
        close_comm(w, &request);
    }
    if (!w->aside) {
        sigint_disarm(&w->sigint);
    }
    output_settle(&w->output, OUTPUT_LOOK);
    end_copy(w, 0);
    _cleanup_(drop_buf) struct buf done = BUF_INIT(KIB);
    buf_add_text(&done, "{\"status\": \"ok\"}");
    send_done(w, &done);
}

/* Handlers of widgets are user code: they print, display, and can be interrupted. */
static void on_comm(struct worker *w, const struct wire_frame *frame)
{
    sigint_arm(&w->sigint);
    worker_answer_comm(w, frame);
    sigint_disarm(&w->sigint);
}

static _Noreturn void leave(struct worker *w)
{
    if (w->engine->close != NULL && w->started) {
        sigint_arm(&w->sigint);
        w->engine->close(w->state);
    }
    output_settle(&w->output, OUTPUT_LOOK);
    output_flush(&w->output);
    _exit(0);
}

/* The broker learns of a failed start from the status and reads the reason in the pipe. */
static _Noreturn void refuse_to_start(const struct err *why)
{
    enum { START_FAILED = 70 }; /* EX_SOFTWARE */

    (void)dprintf(STDERR_FILENO, "pandia: context not started: %s\n", why->text); /* last words */
    _exit(START_FAILED);
}

static void on_start(struct worker *w, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    if (w->started) {
        return;
    }
    if (options_apply(frame->content, &e) < 0 ||
        w->engine->open(w->state, w, frame->content, &e) < 0) {
        refuse_to_start(&e);
    }
    w->started = true;
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    buf_addf(&content, "{\"pid\": %d}", (int)getpid());
    struct wire_frame ready = {.type = WIRE_READY, .content = buf_slice(&content)};
    output_reply(&w->output, &ready);
}

static void on_frame(struct worker *w, const struct wire_frame *frame)
{
    static void (*const handlers[WIRE_TYPES])(struct worker *, const struct wire_frame *) = {
        [WIRE_START] = on_start,  [WIRE_EXECUTE] = on_execute,  [WIRE_COMPLETE] = on_code,
        [WIRE_INSPECT] = on_code, [WIRE_IS_COMPLETE] = on_code, [WIRE_COMM] = on_comm,
    };
    if (frame->type == WIRE_STOP || w->stopping) {
        leave(w);
    }
    if (handlers[frame->type] == NULL || (!w->started && frame->type != WIRE_START)) {
        return; /* a late answer to a question nobody asks any more */
    }
    w->exec = frame->exec;
    handlers[frame->type](w, frame);
    if (w->stopping) {
        leave(w);
    }
}

static void wait_for_request(struct worker *w)
{
    if (w->engine->wait != NULL && w->started) {
        w->engine->wait(w->state, w->wire_fd);
        return;
    }
    struct pollfd readable = {.fd = w->wire_fd, .events = POLLIN};
    (void)poll(&readable, 1, -1); /* the caller reads whatever came of it */
}

/* False when a frame cannot come any more. */
static bool read_more(struct worker *w)
{
    struct err e = ERR_NONE;
    wait_for_request(w);
    end_copy(w, 0);
    ssize_t n = wire_reader_fill(&w->in, w->wire_fd, &e);
    if (n < 0 && e.code == ERR_SYS && e.sys != EAGAIN && e.sys != ECONNRESET) {
        leave_unheard(w);
    }
    return n > 0 || e.sys == EAGAIN;
}

/* Waits for the next frame and lends it. False at the end of the stream, or when what comes is no
 * stream of frames. */
static bool next_frame(struct worker *w, struct wire_frame *out)
{
    struct err e = ERR_NONE;
    for (;;) {
        int got = wire_reader_next(&w->in, out, &e);
        if (got != 0) {
            return got > 0;
        }
        if (!read_more(w)) {
            return false;
        }
    }
}

/* Serves what came while a cell waited for its input. */
static void serve_held(struct worker *w)
{
    while (w->held.len > 0) {
        struct wire_reader reader;
        struct wire_frame frame;
        struct err e = ERR_NONE;
        wire_reader_init(&reader);
        if (wire_reader_feed(&reader, buf_slice(&w->held), &e) < 0) {
            _exit(1); /* cannot be: it was within the same bounds when it came */
        }
        buf_done(&w->held); /* these requests may hold back others in turn */
        while (wire_reader_next(&reader, &frame, &e) == 1) {
            on_frame(w, &frame);
        }
        wire_reader_done(&reader);
    }
}

/* A handler that asks for input while its message is being read must be told, not wait for ever. */
static void init_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t checked;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(lock, &checked);
    pthread_mutexattr_destroy(&checked);
}

_Noreturn void worker_serve(const struct engine *engine, void *state, struct worker_fds fds)
{
    struct err e = ERR_NONE;
    struct worker *w = xcalloc(1, sizeof *w);
    w->engine = engine;
    w->state = state;
    w->wire_fd = fds.wire;
    w->held = BUF_INIT(CONTEXT_BACKLOG_MAX);
    wire_reader_init(&w->in);
    init_lock(&w->in_lock);
    output_init(&w->output, fds);
    flusher_init(&w->flusher, &w->output);
    sigint_init(&w->sigint, engine->notes_sigint ? SIGINT_STAYS : SIGINT_CHANGES);
    forkguard_install(w);
    if (fd_set_nonblocking(w->wire_fd, &e) < 0) {
        refuse_to_start(&e);
    }

    struct wire_frame frame;
    while (next_frame(w, &frame)) {
        on_frame(w, &frame);
        serve_held(w);
    }
    _exit(0);
}
