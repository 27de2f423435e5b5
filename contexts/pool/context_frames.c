/* SPDX-License-Identifier: MIT */
/* context_frames.c - what the process sends. Every frame is checked against the table below and
 * the state of the context; what does not fit is dropped and counted. */
#include <errno.h>

#include "base/jscan.h"
#include "base/log.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"
#include "contexts/pool/timeout.h"

/* Whose a frame may be. */
enum whose {
    OF_NOBODY,  /* not a message of a worker */
    OF_PROCESS, /* belongs to no execution */
    OF_CURRENT, /* only the execution that runs */
    OF_ANY      /* also one that has ended a while ago */
};

struct rule {
    enum whose whose;
    void (*handle)(struct context *c, struct job *job, const struct wire_frame *frame);
};

static void violation(struct context *c, const struct wire_frame *frame, const char *why)
{
    if (c->violations++ == 0) {
        log_warn("pool", "context marked", "ctx=%s type=%s why=\"%s\"", c->id,
                 wire_type_name(frame->type), why);
    }
}

static void on_ready(struct context *c, struct job *job, const struct wire_frame *frame)
{
    (void)job; /* belongs to none */
    if (c->life->is_ready) {
        violation(c, frame, "ready twice");
        return;
    }
    c->life->is_ready = true;
    context_serve(c->life);
}

static void on_output(struct context *c, struct job *job, const struct wire_frame *frame)
{
    if (job->request.silent) {
        violation(c, frame, "output of a silent execution");
        return;
    }
    job_output(job, frame->type, frame->content, frame->buffers, frame->buffer_count);
}

/* The first buffer of a comm message is its metadata. */
static void on_comm(struct context *c, struct job *job, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    if (frame->buffer_count < 1 ||
        jscan_check(frame->buffers[0], JSCAN_STRICT, JSON_DEPTH_MAX, &e) < 0 ||
        jscan_kind(frame->buffers[0]) != JSCAN_OBJECT) {
        violation(c, frame, "comm message without metadata");
        return;
    }
    job->sink->output(job->arg, frame->type, frame->content, frame->buffers, frame->buffer_count);
}

static void on_error(struct context *c, struct job *job, const struct wire_frame *frame)
{
    if (job->request.silent) {
        violation(c, frame, "output of a silent execution");
        return;
    }
    _cleanup_(drop_buf) struct buf rewritten = BUF_INIT(frame->content.len + MSG_FIELD_MAX);
    struct slice content = frame->content;
    if (job->timed_out) {
        timeout_rewrite(job, TIMEOUT_OUTPUT, frame->content, &rewritten);
        content = buf_slice(&rewritten);
    }
    job_flush(job); /* an error is the last thing people read */
    job->sink->output(job->arg, WIRE_ERROR, content, NULL, 0);
}

static void on_input_request(struct context *c, struct job *job, const struct wire_frame *frame)
{
    if (!job->request.allow_stdin) {
        violation(c, frame, "input of a request that allows none");
        return;
    }
    job->asks_input = true;
    job->sink->output(job->arg, frame->type, frame->content, NULL, 0);
}

/* -1 when the code asked for none; what makes no sense is none. */
static int exit_code(struct context *c, const struct wire_frame *frame)
{
    struct wire_done done = {.exit_code = -1};
    struct err e = ERR_NONE;
    if (frame->buffer_count > 0 && wire_done_read(frame->buffers[0], &done, &e) < 0) {
        violation(c, frame, e.text);
    }
    return done.exit_code;
}

static void on_done(struct context *c, struct job *job, const struct wire_frame *frame)
{
    _cleanup_(drop_buf) struct buf rewritten = BUF_INIT(frame->content.len + MSG_FIELD_MAX);
    struct job_result result = {.end = JOB_REPLIED,
                                .content = frame->content,
                                .execution_count = job->execution_count,
                                .exit_code = exit_code(c, frame),
                                .failed =
                                    !jscan_string_is(jscan_get(frame->content, "status"), "ok")};
    if (job != c->current) {
        aside_finish(c, job, &result);
        return;
    }
    if (job->timed_out && result.failed) {
        timeout_rewrite(job, TIMEOUT_REPLY, frame->content, &rewritten);
        result.content = buf_slice(&rewritten);
    }
    c->life->state = CTX_IDLE;
    context_finish_job(c, &result);
    aside_next(c);
    context_advance(c);
}

static void on_listening(struct context *c, struct job *job, const struct wire_frame *frame)
{
    if (job != c->current || !job_is(job, WIRE_EXECUTE)) {
        violation(c, frame, "only a cell listens");
        return;
    }
    aside_begin(c);
}

static const struct rule rules[WIRE_TYPES] = {
    [WIRE_READY] = {OF_PROCESS, on_ready},
    [WIRE_STREAM] = {OF_ANY, on_output},
    [WIRE_DISPLAY_DATA] = {OF_ANY, on_output},
    [WIRE_UPDATE_DISPLAY_DATA] = {OF_ANY, on_output},
    [WIRE_CLEAR_OUTPUT] = {OF_ANY, on_output},
    [WIRE_COMM_OPEN] = {OF_ANY, on_comm},
    [WIRE_COMM_MSG] = {OF_ANY, on_comm},
    [WIRE_COMM_CLOSE] = {OF_ANY, on_comm},
    [WIRE_EXECUTE_RESULT] = {OF_CURRENT, on_output},
    [WIRE_ERROR] = {OF_CURRENT, on_error},
    [WIRE_INPUT_REQUEST] = {OF_CURRENT, on_input_request},
    [WIRE_DONE] = {OF_CURRENT, on_done},
    [WIRE_LISTENING] = {OF_CURRENT, on_listening},
};

/* Output of an execution that is forgotten goes to the last one: a task may outlive any memory. */
static struct job *recent_job(const struct context *c, uint64_t exec)
{
    struct job *last = context_last_job(c);
    bool forgotten = last != NULL && exec != 0 && exec < last->exec;
    for (size_t i = 0; i < RECENT_JOBS; i++) {
        struct job *job = c->recent[i];
        if (job != NULL && job->exec == exec) {
            return job;
        }
        forgotten &= job != NULL && exec < job->exec;
    }
    return forgotten ? last : NULL;
}

static struct job *job_of(const struct context *c, uint64_t exec, enum whose whose)
{
    if (c->current != NULL && c->current->exec == exec) {
        return c->current;
    }
    struct job *aside = aside_find(c, exec);
    if (aside != NULL) {
        return aside;
    }
    return whose == OF_ANY ? recent_job(c, exec) : NULL;
}

static void on_frame(struct context *c, const struct wire_frame *frame)
{
    const struct rule *rule = &rules[frame->type];
    struct err e = ERR_NONE;
    struct job *job = NULL;
    if (rule->whose == OF_NOBODY) {
        violation(c, frame, "not a message of a worker");
        return;
    }
    if (rule->whose != OF_PROCESS) {
        job = job_of(c, frame->exec, rule->whose);
        if (job == NULL) {
            violation(c, frame, "no such execution");
            return;
        }
    }
    if (jscan_check(frame->content, JSCAN_STRICT, JSON_DEPTH_MAX, &e) < 0 ||
        jscan_kind(frame->content) != JSCAN_OBJECT) {
        violation(c, frame, e.text[0] ? e.text : "content is not an object");
        return;
    }
    rule->handle(c, job, frame);
}

/* Handles the frames that are complete. False when the stream cannot be trusted any more. */
static bool take_frames(struct life *l)
{
    struct err e = ERR_NONE;
    struct wire_frame frame;
    int got = 0;
    /* Whoever hears of a frame may pause the context. */
    while (life_may_read(l) && (got = wire_reader_next(&l->reader, &frame, &e)) == 1) {
        on_frame(l->context, &frame);
    }
    if (got < 0) {
        l->context->violations++;
        log_warn("pool", "context sends garbage", "ctx=%s why=\"%s\"", l->context->id, e.text);
        return false;
    }
    return true;
}

/* Reads once; false when there is nothing more to read for now. */
static bool read_once(struct life *l, size_t *budget)
{
    struct err e = ERR_NONE;
    ssize_t n = wire_reader_fill(&l->reader, l->wire_fd, &e);
    if (n < 0 && e.sys == EAGAIN) {
        return false;
    }
    if (n <= 0) {
        loop_fd_set_events(l->wire, 0); /* the end; the death watch will show why */
        return false;
    }
    if (!take_frames(l)) {
        life_distrust(l);
        return false;
    }
    *budget -= (size_t)n < *budget ? (size_t)n : *budget;
    return true;
}

void context_on_wire(void *life, uint32_t events)
{
    struct life *l = life;
    struct err e = ERR_NONE;
    if ((events & EPOLLOUT) != 0 && life_flush(l, &e) < 0) {
        loop_fd_set_events(l->wire, 0); /* broken: the death watch will show why */
        return;
    }
    if ((events & (EPOLLIN | EPOLLHUP | EPOLLERR)) == 0) {
        return;
    }
    size_t budget = TURN_BYTES;
    while (budget > 0 && life_may_read(l) && read_once(l, &budget)) {
    }
}

struct job *context_last_job(const struct context *c)
{
    return c->recent[(c->recent_at + RECENT_JOBS - 1) % RECENT_JOBS];
}

struct job *context_job_of(const struct context *c, uint64_t exec)
{
    return job_of(c, exec, OF_ANY);
}

void context_feed(struct life *l, struct slice frames)
{
    struct err e = ERR_NONE;
    /* A frame that the socket holds only in part would be finished by the wrong bytes. */
    if (wire_reader_is_empty(&l->reader) && wire_reader_feed(&l->reader, frames, &e) == 0) {
        (void)take_frames(l); /* garbage ends it as well as the last frame does */
    }
}

void context_read_rest(struct life *l)
{
    struct err e = ERR_NONE;
    while (take_frames(l) && wire_reader_fill(&l->reader, l->wire_fd, &e) > 0) {
    }
}

void context_resume(struct context *c)
{
    if (c->life == NULL || c->life->reading != LIFE_READS) {
        return;
    }
    life_update_events(c->life);
    if (!take_frames(c->life)) {
        life_distrust(c->life);
    }
}
