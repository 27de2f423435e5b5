/* SPDX-License-Identifier: MIT */
#include "contexts/pool/job.h"

#include <assert.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/mem.h"
#include "contexts/pool/budget.h"

static void copy_buffers(struct job *job, const struct job_request *request)
{
    if (request->buffer_count == 0) {
        return;
    }
    job->buffers = xcalloc(request->buffer_count, sizeof *job->buffers);
    job->buffer_count = request->buffer_count;
    for (size_t i = 0; i < request->buffer_count; i++) {
        struct slice from = request->buffers[i];
        job->buffers[i] =
            (struct slice){.data = xstrndup(from.data ? from.data : "", from.len), .len = from.len};
        job->bytes += from.len;
    }
}

struct job *job_new(const struct job_request *request, const struct job_sink *sink, void *arg)
{
    struct job *job = xcalloc(1, sizeof *job);
    *job = (struct job){
        .type = request->type,
        .local = request->local,
        .needs_process = request->needs_process,
        .timeout_ms = request->timeout_ms,
        .queue_timeout_ms = request->queue_timeout_ms,
        .start_by_ms = request->queue_timeout_ms > 0 ? clock_ms() + request->queue_timeout_ms : 0,
        .env = request->env.len > 0 ? xstrndup(request->env.data, request->env.len) : NULL,
        .header =
            request->header.len > 0 ? xstrndup(request->header.data, request->header.len) : NULL,
        .budget = request->output_bytes > 0 ? budget_new(request->output_bytes) : NULL,
        .silent = request->silent,
        .store_history = request->store_history,
        .stop_on_error = request->stop_on_error,
        .allow_stdin = request->allow_stdin,
        .overtakes = request->overtakes,
        .cell_sent_ms = request->cell_sent_ms,
        .content =
            xstrndup(request->content.data ? request->content.data : "", request->content.len),
        .content_len = request->content.len,
        .bytes = request->content.len,
        .sink = sink,
        .arg = arg,
    };
    copy_buffers(job, request);
    return job;
}

static void free_buffers(struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        free((void *)(uintptr_t)job->buffers[i].data); /* our own copy; slices only look */
    }
    free(take(job->buffers));
    job->buffer_count = 0;
}

void job_drop_content(struct job *job)
{
    free_buffers(job);
    free(job->content);
    job->content = NULL;
    job->content_len = 0;
}

static void pass_output(void *arg, enum wire_type type, struct slice content)
{
    struct job *job = arg;
    job->sink->output(job->arg, type, content, NULL, 0);
}

/* What is small, or what the cell was run for, passes when the rest of the budget is spent. */
static bool may_pass(struct budget *budget, enum wire_type type, size_t bytes)
{
    if (type == WIRE_EXECUTE_RESULT || type == WIRE_CLEAR_OUTPUT) {
        return budget_result(budget, bytes);
    }
    return budget_display(budget, bytes);
}

void job_output(struct job *job, enum wire_type type, struct slice content,
                const struct slice *buffers, size_t buffer_count)
{
    if (job->budget != NULL && type == WIRE_STREAM) {
        budget_stream(job->budget, content, pass_output, job);
    } else if (job->budget == NULL || may_pass(job->budget, type, content.len)) {
        job->sink->output(job->arg, type, content, buffers, buffer_count);
    }
}

void job_flush(struct job *job)
{
    if (job->budget != NULL) {
        budget_finish(job->budget, pass_output, job);
    }
}

void job_end(struct job *job, const struct job_result *result)
{
    if (job->has_ended) {
        return;
    }
    job->has_ended = true;
    job->sink->ended(job->arg, result);
}

void job_free(struct job *job)
{
    if (job == NULL) {
        return;
    }
    assert(job->has_ended);
    job->sink->release(job->arg);
    free_buffers(job);
    budget_free(job->budget);
    free(job->env);
    free(job->header);
    free(job->content);
    free(job);
}
