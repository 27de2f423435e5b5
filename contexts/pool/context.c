/* SPDX-License-Identifier: MIT */
/* context.c - the queue of a context and what is sent to its process. */
#include "contexts/pool/context.h"

#include <assert.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"
#include "contexts/pool/timeout.h"

const char *context_id(const struct context *c)
{
    return c->id;
}

const char *context_language(const struct context *c)
{
    return c->language;
}

struct slice context_start_options(const struct context *c)
{
    return slice_of(c->start_options);
}

enum ctx_state context_state(const struct context *c)
{
    return c->life != NULL ? c->life->state : CTX_NONE;
}

bool context_is_common(const struct context *c)
{
    return c->is_common;
}

pid_t context_pid(const struct context *c)
{
    return c->life != NULL ? c->life->pid : 0;
}

int64_t context_execution_count(const struct context *c)
{
    return c->execution_count;
}

bool context_is_doomed(const struct context *c)
{
    return c->doomed;
}

int64_t context_created_ms(const struct context *c)
{
    return c->created_ms;
}

int64_t context_last_used_ms(const struct context *c)
{
    return c->last_used_ms;
}

size_t context_violations(const struct context *c)
{
    return c->violations;
}

uint32_t context_readers(const struct context *c)
{
    return c->readers;
}

static void refuse(struct context *c, struct job *job, const struct err *reason)
{
    struct job_result result = {.end = JOB_REFUSED,
                                .failed = true,
                                .reason = reason,
                                .execution_count = c->execution_count};
    job_end(job, &result);
    job_free(job);
}

void context_unlink_job(struct context *c, struct job *job)
{
    TAILQ_REMOVE(&c->queue, job, link);
    c->queue_len--;
    c->queue_bytes -= job->bytes;
}

static struct job *dequeue(struct context *c)
{
    struct job *job = TAILQ_FIRST(&c->queue);
    context_unlink_job(c, job);
    return job;
}

void context_refuse_job(struct context *c, struct job *job, const struct err *reason)
{
    context_unlink_job(c, job);
    refuse(c, job, reason);
}

static void abort_job(const struct context *c, struct job *job)
{
    struct job_result result = {
        .end = JOB_ABORTED, .failed = true, .execution_count = c->execution_count};
    job_end(job, &result);
    job_free(job);
}

bool context_cancel(struct context *c, const void *arg)
{
    struct job *job = NULL;
    TAILQ_FOREACH (job, &c->queue, link) {
        if (job->arg == arg) {
            context_unlink_job(c, job);
            abort_job(c, job);
            return true;
        }
    }
    return false;
}

void context_refuse_queue(struct context *c, const struct err *reason)
{
    while (!TAILQ_EMPTY(&c->queue)) {
        refuse(c, dequeue(c), reason);
    }
}

void context_abort_queue(struct context *c)
{
    struct job_queue kept = TAILQ_HEAD_INITIALIZER(kept);
    size_t kept_len = 0;
    size_t kept_bytes = 0;
    while (!TAILQ_EMPTY(&c->queue)) {
        struct job *job = dequeue(c);
        if (!job_is(job, WIRE_EXECUTE)) {
            TAILQ_INSERT_TAIL(&kept, job, link);
            kept_len++;
            kept_bytes += job->bytes;
            continue;
        }
        abort_job(c, job);
    }
    TAILQ_CONCAT(&c->queue, &kept, link);
    c->queue_len += kept_len;
    c->queue_bytes += kept_bytes;
}

/* Finished executions are kept for a while: their threads may still print. */
void context_remember(struct context *c, struct job *job)
{
    struct job *oldest = c->recent[c->recent_at];
    c->recent[c->recent_at] = job;
    c->recent_at = (c->recent_at + 1) % RECENT_JOBS;
    job_free(oldest);
}

static bool empties_queue(const struct job *job, const struct job_result *result)
{
    return job_is(job, WIRE_EXECUTE) && result->failed && job->request.stop_on_error &&
           !job->request.silent;
}

void context_finish_job(struct context *c, const struct job_result *result)
{
    struct job *job = take(c->current);
    assert(job != NULL);
    bool empty = empties_queue(job, result);
    bool is_cell = job->request.cell_sent_ms != 0;
    if (c->interrupt_timer != NULL) {
        loop_timer_cancel(c->interrupt_timer);
    }
    timeout_cancel(c);
    c->last_used_ms = clock_epoch_ms();
    if (empty) {
        /* What has arrived before the reply is to be aborted, not started; what a client sends
         * when it has seen the reply is to run. */
        c->held = true;
        pool_drain(c->pool);
        c->held = false;
    }
    job_flush(job);
    job_end(job, result);
    /* A silent one has nothing to say, and must not push out one that has. */
    if ((job_is(job, WIRE_EXECUTE) || job_is(job, WIRE_COMM)) && !job->request.silent) {
        context_remember(c, job);
    } else {
        job_free(job);
    }
    if (empty) {
        context_abort_queue(c);
        c->is_run_over = is_cell;
    }
}

static void give_turn(struct context *c, struct job *job)
{
    struct job_result result = {.end = JOB_TURN, .execution_count = c->execution_count};
    job->sink->started(job->arg, c->execution_count);
    job_end(job, &result);
    job_free(job);
}

static int send_job(struct context *c, struct job *job, struct err *e)
{
    _cleanup_(drop_buf) struct buf options = BUF_INIT(START_OPTIONS_MAX + MSG_PARENT_MAX);
    const struct job_request *request = &job->request;
    struct slice extra = SLICE_NONE;
    struct wire_frame frame = {.type = request->type,
                               .exec = job->exec,
                               .content = request->content,
                               .buffers = request->buffers,
                               .buffer_count = request->buffer_count};
    if (request->type == WIRE_EXECUTE) {
        struct wire_execute_options values = {.execution_count = job->execution_count,
                                              .env = request->env,
                                              .header = request->header,
                                              .runs_to_end = request->runs_to_end};
        wire_execute_options_add(&options, &values);
        if (buf_check(&options, e) < 0) {
            return err_wrap(e, "options of the execution");
        }
        extra = buf_slice(&options);
        frame.buffers = &extra;
        frame.buffer_count = 1;
    }
    return life_send(c->life, &frame, e);
}

int context_send_job(struct context *c, struct job *job)
{
    struct err e = ERR_NONE;
    int failed = send_job(c, job, &e);
    if (failed < 0) {
        /* The socket is broken: the end of the process will show why. */
        log_warn("pool", "request not delivered", "ctx=%s why=\"%s\"", c->id, e.text);
    }
    job_drop_content(job);
    return failed;
}

static void start_job(struct context *c, struct job *job)
{
    if (job_is(job, WIRE_EXECUTE) && job->request.store_history && !job->request.silent) {
        c->execution_count++;
    }
    job->exec = c->next_exec++;
    job->execution_count = c->execution_count;
    c->current = job;
    c->life->state = CTX_BUSY;
    job->sink->started(job->arg, job->execution_count);
    timeout_start(c);
    (void)context_send_job(c, job);
}

void context_advance(struct context *c)
{
    while (c->current == NULL && !c->held && !TAILQ_EMPTY(&c->queue)) {
        struct err e = ERR_NONE;
        struct job *first = TAILQ_FIRST(&c->queue);
        bool ready = context_state(c) == CTX_IDLE && !c->life->is_ending;
        if (first->request.is_turn && (!first->request.needs_process || ready)) {
            give_turn(c, dequeue(c));
        } else if (ready) {
            start_job(c, dequeue(c));
        } else if (c->life != NULL) {
            return; /* it is on its way to IDLE or NONE */
        } else if (pool_is_stopping(c->pool)) {
            (void)err_set(&e, ERR_STATE, "the kernel is shutting down");
            context_refuse_queue(c, &e);
        } else if (context_start_process(c, &e) < 0) {
            context_refuse_queue(c, &e);
        }
    }
}

static int admit(const struct context *c, const struct job *job, struct err *e)
{
    if (pool_is_stopping(c->pool)) {
        return err_set(e, ERR_STATE, "the kernel is shutting down");
    }
    if (c->doomed) {
        return err_set(e, ERR_STATE, "context '%s' is being deleted", c->id);
    }
    if (c->queue_len >= CONTEXT_QUEUE_MAX) {
        return err_set(e, ERR_LIMIT, "context '%s' has %zu requests waiting, limit %lu", c->id,
                       c->queue_len, CONTEXT_QUEUE_MAX);
    }
    if (c->queue_bytes + job->bytes > CONTEXT_QUEUE_BYTES) {
        return err_set(e, ERR_LIMIT, "context '%s' has %zu bytes of requests waiting, limit %lu",
                       c->id, c->queue_bytes, CONTEXT_QUEUE_BYTES);
    }
    return 0;
}

/* "Run all" of JupyterLab sends cell after cell for some hundred milliseconds before it looks at
 * the first reply. A cell that fails at once is over before the rest has arrived, so draining the
 * socket does not find it. What follows its predecessor so closely that nobody can have seen the
 * error in between belongs to the run that is over. */
static bool belongs_to_failed_run(struct context *c, const struct job *job)
{
    if (job->request.cell_sent_ms == 0) {
        return false;
    }
    int64_t gap = job->request.cell_sent_ms - c->last_cell_ms;
    c->last_cell_ms = job->request.cell_sent_ms;
    c->is_run_over = c->is_run_over && gap >= 0 && gap < CELL_GAP_MS;
    return c->is_run_over;
}

void context_submit(struct context *c, struct job *job)
{
    struct err e = ERR_NONE;
    c->readers |= UINT32_C(1) << job->request.reader;
    if (admit(c, job, &e) < 0) {
        refuse(c, job, &e);
        return;
    }
    if (belongs_to_failed_run(c, job)) {
        abort_job(c, job);
        return;
    }
    c->last_used_ms = clock_epoch_ms();
    if (aside_send(c, job)) {
        return;
    }
    TAILQ_INSERT_TAIL(&c->queue, job, link);
    c->queue_len++;
    c->queue_bytes += job->bytes;
    bool must_start = job->start_by_ms > 0;
    context_advance(c);
    if (must_start) {
        timeout_watch_queue(c);
    }
}

int context_input_reply(struct context *c, struct slice content, struct err *e)
{
    if (c->current == NULL || !c->current->asks_input) {
        return err_set(e, ERR_STATE, "context '%s' waits for no input", c->id);
    }
    c->current->asks_input = false;
    struct wire_frame frame = {
        .type = WIRE_INPUT_REPLY, .exec = c->current->exec, .content = content};
    return life_send(c->life, &frame, e);
}
