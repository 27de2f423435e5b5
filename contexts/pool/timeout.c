/* SPDX-License-Identifier: MIT */
#include "contexts/pool/timeout.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "contexts/pool/context_impl.h"

static void on_run_over(void *arg)
{
    struct context *c = arg;
    if (c->current == NULL || context_state(c) != CTX_BUSY) {
        return;
    }
    log_info("pool", "execution timed out", "ctx=%s ms=%" PRId64, c->id,
             c->current->request.timeout_ms);
    c->current->timed_out = true;
    context_interrupt(c);
}

void timeout_start(struct context *c)
{
    if (c->current->request.timeout_ms <= 0) {
        return;
    }
    if (c->run_timer == NULL) {
        c->run_timer = loop_add_timer(c->loop, on_run_over, c);
    }
    loop_timer_set(c->run_timer, c->current->request.timeout_ms);
}

void timeout_cancel(struct context *c)
{
    if (c->run_timer != NULL) {
        loop_timer_cancel(c->run_timer);
    }
}

static void add_member(struct buf *out, const char *key, struct slice value, const char *otherwise)
{
    jwrite_member_raw(out, key, value.len > 0 ? value : slice_of(otherwise));
}

void timeout_rewrite(const struct job *job, enum timeout_form form, struct slice content,
                     struct buf *out)
{
    char evalue[80];
    (void)snprintf(evalue, sizeof evalue, "Execution timed out after %" PRId64 " ms",
                   job->request.timeout_ms);
    jwrite_object(out);
    if (form == TIMEOUT_REPLY) {
        jwrite_member_text(out, "status", "error");
    }
    jwrite_member_text(out, "ename", "TimeoutError");
    jwrite_member_text(out, "evalue", evalue);
    add_member(out, "traceback", jscan_get(content, "traceback"), "[]");
    if (form == TIMEOUT_REPLY) {
        add_member(out, "payload", jscan_get(content, "payload"), "[]");
        add_member(out, "user_expressions", jscan_get(content, "user_expressions"), "{}");
        jwrite_member_int(out, "execution_count", job->execution_count);
    }
    jwrite_object_end(out);
}

void timeout_describe(const struct job *job, struct death *death)
{
    (void)snprintf(death->text, sizeof death->text,
                   "Execution timed out after %" PRId64
                   " ms; the context did not react to interrupts and was killed",
                   job->request.timeout_ms);
}

static void on_queue_look(void *arg)
{
    timeout_watch_queue(arg);
}

void timeout_watch_queue(struct context *c)
{
    int64_t now = clock_ms();
    int64_t next = 0;
    struct job *job = TAILQ_FIRST(&c->queue);
    while (job != NULL) {
        struct job *following = TAILQ_NEXT(job, link);
        if (job->start_by_ms > 0 && job->start_by_ms <= now) {
            struct err e = ERR_NONE;
            (void)err_set(&e, ERR_TIMEOUT, "did not start within its queue_timeout_ms of %" PRId64,
                          job->request.queue_timeout_ms);
            context_refuse_job(c, job, &e);
        } else if (job->start_by_ms > 0 && (next == 0 || job->start_by_ms < next)) {
            next = job->start_by_ms;
        }
        job = following;
    }
    if (next == 0) {
        return;
    }
    if (c->queue_timer == NULL) {
        c->queue_timer = loop_add_timer(c->loop, on_queue_look, c);
    }
    loop_timer_set(c->queue_timer, next - now);
}
