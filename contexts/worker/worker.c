/* SPDX-License-Identifier: MIT */
#include "contexts/worker/worker.h"

#include <fcntl.h>
#include <poll.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "contexts/wire/will.h"
#include "contexts/worker/content.h"
#include "contexts/worker/request.h"
#include "contexts/worker/state.h"

void worker_end_copy(const struct worker *w, int status)
{
    if (w->output.copy) {
        _exit(status);
    }
}

void worker_send_done(struct worker *w, struct slice content)
{
    struct wire_frame frame = {.type = WIRE_DONE, .exec = w->exec, .content = content};
    output_send(&w->output, &frame);
}

void worker_send_failed(struct worker *w, const struct err *why)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    content_failed_reply(&content, why);
    worker_send_done(w, buf_slice(&content));
}

/* The end of a cell: the client's reply, and what only the broker needs to know. */
static void send_cell_done(struct worker *w, struct slice content, int exit_code)
{
    _cleanup_(drop_buf) struct buf done = BUF_INIT(KIB);
    wire_done_add(&done, &(struct wire_done){.exit_code = exit_code});
    struct slice buffers[] = {buf_slice(&done)};
    struct wire_frame frame = {.type = WIRE_DONE,
                               .exec = w->exec,
                               .content = content,
                               .buffers = buffers,
                               .buffer_count = exit_code >= 0 ? ARRAY_LEN(buffers) : 0};
    output_send(&w->output, &frame);
}

static void send_outcome(struct worker *w, const struct exec_request *request,
                         const struct exec_outcome *outcome)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(FRAME_CONTENT_MAX);
    if (outcome->failed && !request->silent) {
        content_error(&content, outcome);
        struct wire_frame frame = {.type = WIRE_ERROR, .content = buf_slice(&content)};
        output_frame(&w->output, &frame, OUTPUT_WITH_REPLY);
        buf_clear(&content);
    }
    content_execute_reply(&content, outcome, request->execution_count);
    send_cell_done(w, buf_slice(&content), outcome->exit_code);
}

/* User code closed our descriptor (os.closerange), and perhaps put something else in its place. */
static _Noreturn void leave_unheard(const struct worker *w)
{
    enum { WIRE_LOST = 71 }; /* EX_OSERR */

    if (w->output.held.will != NULL) {
        w->output.held.will->farewell = WILL_WIRE_CLOSED;
    }
    _exit(WIRE_LOST);
}

/* From here on the cell, and its threads, may wait for frames. */
static void begin_waits(struct worker *w, const struct exec_request *request)
{
    w->running = request;
    atomic_store(&w->asker, request->allow_stdin ? w->exec : 0);
    inbox_open(&w->inbox);
}

static void end_waits(struct worker *w)
{
    w->running = NULL;
    atomic_store(&w->asker, 0);
    if (!worker_is_copy(w)) { /* whose other threads, and the locks they held, are gone */
        inbox_close(&w->inbox);
    }
}

static void run_cell(struct worker *w, const struct exec_request *request)
{
    _cleanup_(drop_outcome) struct exec_outcome outcome;
    outcome_init(&outcome);
    reserve_keep(&w->reserve);
    flusher_ensure(&w->flusher);
    output_begin(&w->output, w->exec, request->silent ? OUTPUT_MUTED : OUTPUT_HEARD);

    begin_waits(w, request);
    sigint_arm(&w->sigint);
    w->engine->execute(w->state, request, &outcome);
    sigint_disarm(&w->sigint);
    end_waits(w);

    output_settle(&w->output, outcome.is_settled ? OUTPUT_SEEN : OUTPUT_LOOK);
    worker_end_copy(w, outcome.failed ? 1 : 0);
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
        worker_send_failed(w, &e);
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
        content_complete_none(reply, r->cursor);
    } else if (type == WIRE_INSPECT) {
        content_inspect_none(reply);
    } else {
        content_is_complete_unknown(reply);
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
        worker_send_failed(w, &e);
        return;
    }
    enum wire_type type = frame->type;
    sigint_arm(&w->sigint);
    answer_code(w, type, &request, &reply);
    sigint_disarm(&w->sigint);
    worker_end_copy(w, 0);
    worker_send_done(w, buf_slice(&reply));
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
    if (start_apply(frame->content, &e) < 0 ||
        w->engine->open(w->state, w, frame->content, &e) < 0) {
        refuse_to_start(&e);
    }
    w->started = true;
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    jwrite_object(&content);
    jwrite_member_int(&content, "pid", getpid());
    jwrite_object_end(&content);
    struct wire_frame ready = {.type = WIRE_READY, .content = buf_slice(&content)};
    output_send(&w->output, &ready);
}

static void on_frame(struct worker *w, const struct wire_frame *frame)
{
    static void (*const handlers[WIRE_TYPES])(struct worker *, const struct wire_frame *) = {
        [WIRE_START] = on_start,  [WIRE_EXECUTE] = on_execute,  [WIRE_COMPLETE] = on_code,
        [WIRE_INSPECT] = on_code, [WIRE_IS_COMPLETE] = on_code, [WIRE_COMM] = worker_serve_comm,
    };
    if (handlers[frame->type] == NULL || (!w->started && frame->type != WIRE_START)) {
        return; /* a late answer to a question nobody asks any more */
    }
    w->exec = frame->exec;
    handlers[frame->type](w, frame);
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

static enum inbox_verdict take_all(const void *arg, const struct wire_frame *frame)
{
    (void)arg;
    (void)frame; /* between cells nobody else waits */
    return INBOX_TAKE;
}

/* Waits for the next frame and gives it. NULL when none will come: STOP, the end of the stream, or
 * what comes is no stream of frames. */
static struct letter *next_letter(struct worker *w)
{
    struct err e = ERR_NONE;
    struct letter *letter = NULL;
    int got = 0;
    while ((got = inbox_take(&w->inbox, take_all, NULL, &letter, &e)) == 0) {
        wait_for_request(w);
        worker_end_copy(w, 0);
        if (inbox_read(&w->inbox, &e) >= 0) {
            continue;
        }
        if (e.code == ERR_SYS) {
            leave_unheard(w);
        }
        return NULL;
    }
    return got == 1 ? letter : NULL;
}

static struct worker *worker_new(const struct engine *engine, void *state, struct worker_fds fds)
{
    struct worker *w = xcalloc(1, sizeof *w);
    w->engine = engine;
    w->state = state;
    w->main_thread = pthread_self();
    w->wire_fd = fds.wire;
    inbox_init(&w->inbox, fds.wire);
    output_init(&w->output, fds);
    flusher_init(&w->flusher, &w->output);
    sigint_init(&w->sigint, engine->notes_sigint ? SIGINT_STAYS : SIGINT_CHANGES);
    forkguard_install(w);
    return w;
}

_Noreturn void worker_serve(const struct engine *engine, void *state, struct worker_fds fds)
{
    struct err e = ERR_NONE;
    struct worker *w = worker_new(engine, state, fds);
    if (fd_set_nonblocking(w->wire_fd, &e) < 0) {
        refuse_to_start(&e);
    }
    struct letter *letter = NULL;
    while ((letter = next_letter(w)) != NULL) {
        on_frame(w, &letter->frame);
        letter_free(letter);
    }
    if (inbox_is_stopping(&w->inbox)) {
        leave(w);
    }
    _exit(0);
}
