/* SPDX-License-Identifier: MIT */
#include "contexts/pool/job.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "contexts/pool/budget.h"

/* Appends a copy of `from`, NUL-terminated, at `*at`, and moves that behind it. */
static struct slice copy_slice(char **at, struct slice from)
{
    struct slice copy = {.data = *at, .len = from.len};
    if (from.len > 0) {
        memcpy(*at, from.data, from.len);
    }
    (*at)[from.len] = '\0';
    *at += from.len + 1;
    return copy;
}

/* One block for everything: the table of the buffers, the content, then the rest. */
static void copy_request(struct job *job)
{
    struct job_request *r = &job->request;
    size_t table = r->buffer_count * sizeof *r->buffers;
    size_t size = table + r->content.len + r->env.len + r->header.len + 3;
    job->bytes = r->content.len;
    for (size_t i = 0; i < r->buffer_count; i++) {
        size += r->buffers[i].len + 1;
        job->bytes += r->buffers[i].len;
    }
    job->copy = xmalloc(size);
    struct slice *buffers = (struct slice *)(void *)job->copy; /* malloc aligns for any type */
    char *at = job->copy + table;
    r->content = copy_slice(&at, r->content);
    r->env = copy_slice(&at, r->env);
    r->header = copy_slice(&at, r->header);
    for (size_t i = 0; i < r->buffer_count; i++) {
        buffers[i] = copy_slice(&at, r->buffers[i]);
    }
    r->buffers = buffers;
}

struct job *job_new(const struct job_request *request, const struct job_sink *sink, void *arg)
{
    assert(request->reader < READERS_MAX);
    struct job *job = xcalloc(1, sizeof *job);
    job->request = *request;
    job->sink = sink;
    job->arg = arg;
    job->start_by_ms = request->queue_timeout_ms > 0 ? clock_ms() + request->queue_timeout_ms : 0;
    job->budget = request->output_bytes > 0 ? budget_new(request->output_bytes) : NULL;
    copy_request(job);
    return job;
}

char *job_content(struct job *job)
{
    assert(job->copy != NULL);
    return job->copy + job->request.buffer_count * sizeof *job->request.buffers;
}

void job_drop_content(struct job *job)
{
    struct job_request *r = &job->request;
    free(take(job->copy));
    r->content = r->env = r->header = SLICE_NONE;
    r->buffers = NULL;
    r->buffer_count = 0;
}

bool job_is(const struct job *job, enum wire_type type)
{
    return !job->request.is_turn && job->request.type == type;
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
    budget_free(job->budget);
    free(job->copy);
    free(job);
}
