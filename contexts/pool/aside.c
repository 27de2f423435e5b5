/* SPDX-License-Identifier: MIT */
/* aside.c - comm messages that a cell takes while it awaits: it may wait for one of them. They are
 * sent at once and answered in their order, by the cell's process, during the cell or after it. */
#include "base/bounds.h"
#include "contexts/pool/context_impl.h"

/* A message must not pass one that was sent before it to the same comm. */
static bool comm_waits(const struct context *c)
{
    const struct job *job = NULL;
    TAILQ_FOREACH (job, &c->queue, link) {
        if (job_is(job, WIRE_COMM)) {
            return true;
        }
    }
    return false;
}

/* What the process does not read it does not take: then everything waits as usual. */
static bool may_go(const struct context *c, const struct job *job)
{
    return job->request.overtakes && c->current != NULL && c->current->listens && !c->held &&
           !c->life->is_ending && c->life->backlog.len == 0 && c->aside_len < CONTEXT_QUEUE_MAX;
}

static void send_aside(struct context *c, struct job *job)
{
    job->exec = c->next_exec++;
    job->execution_count = c->execution_count;
    TAILQ_INSERT_TAIL(&c->aside, job, link);
    c->aside_len++;
    job->sink->started(job->arg, job->execution_count);
    (void)context_send_job(c, job); /* the end of the process will show why */
}

bool aside_send(struct context *c, struct job *job)
{
    if (!may_go(c, job) || comm_waits(c)) {
        return false;
    }
    send_aside(c, job);
    return true;
}

void aside_begin(struct context *c)
{
    c->current->listens = true;
    struct job *next = NULL;
    for (struct job *job = TAILQ_FIRST(&c->queue); job != NULL; job = next) {
        next = TAILQ_NEXT(job, link);
        if (!job_is(job, WIRE_COMM)) {
            continue;
        }
        if (!may_go(c, job)) {
            return;
        }
        context_unlink_job(c, job);
        send_aside(c, job);
    }
}

struct job *aside_find(const struct context *c, uint64_t exec)
{
    struct job *job = NULL;
    TAILQ_FOREACH (job, &c->aside, link) {
        if (job->exec == exec) {
            return job;
        }
    }
    return NULL;
}

static void take_out(struct context *c, struct job *job)
{
    TAILQ_REMOVE(&c->aside, job, link);
    c->aside_len--;
}

void aside_finish(struct context *c, struct job *job, const struct job_result *result)
{
    take_out(c, job);
    job_flush(job);
    job_end(job, result);
    context_remember(c, job);
}

/* What the cell did not come to is served as if it had been next in the queue. */
void aside_next(struct context *c)
{
    struct job *job = TAILQ_FIRST(&c->aside);
    if (job != NULL && c->current == NULL) {
        take_out(c, job);
        c->current = job;
        c->life->state = CTX_BUSY;
    }
}

void aside_end_all(struct context *c, const struct job_result *result)
{
    while (!TAILQ_EMPTY(&c->aside)) {
        struct job *job = TAILQ_FIRST(&c->aside);
        take_out(c, job);
        job_flush(job);
        job_end(job, result);
        job_free(job);
    }
}
