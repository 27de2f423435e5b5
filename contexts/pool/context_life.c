/* SPDX-License-Identifier: MIT */
/* context_life.c - beginning and end of a context's lives. Nobody infers a cause from the end of
 * a stream: the pidfd gives the moment, the reaper's status the reason. */
#include "base/log.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"
#include "contexts/pool/timeout.h"

static void die(struct life *l, const char *detail);

static void on_state_late(void *arg)
{
    struct life *l = arg;
    if (l->state == CTX_DYING) {
        die(l, NULL); /* nobody reported a status: better without one than never */
    } else if (l->pid > 0 && l->context->paused_by != 0) {
        loop_timer_set(l->state_timer, CONTEXT_START_MS); /* that it is ready may lie unread */
    } else if (l->pid > 0) {
        life_kill(l, VERDICT_NOT_STARTED);
    } else {
        die(l, "no answer from its zygote");
    }
}

static int order_process(struct life *l, int fds[FORK_FDS], struct err *e)
{
    struct context *c = l->context;
    if (life_open(l, fds, e) < 0 ||
        loop_add_fd(c->loop, l->wire_fd, EPOLLIN, context_on_wire, l, &l->wire, e) < 0) {
        return -1;
    }
    /* START waits in the socket until the process reads it. */
    struct wire_frame start = {.type = WIRE_START, .content = slice_of(c->start_options)};
    if (life_send(l, &start, e) < 0) {
        return -1;
    }
    return pool_fork(c->pool, l, fds, e);
}

int context_start_process(struct context *c, struct err *e)
{
    int fds[FORK_FDS] = {-1, -1, -1, -1, -1, -1};
    struct life *l = life_new(c);
    c->execution_count = 0;
    int failed = order_process(l, fds, e);
    life_close_theirs(fds);
    if (failed < 0) {
        life_free(l);
        return err_wrap(e, "context '%s'", c->id);
    }
    l->state_timer = loop_add_timer(c->loop, on_state_late, l);
    loop_timer_set(l->state_timer, CONTEXT_START_MS);
    return 0;
}

static void on_death(void *arg, uint32_t events)
{
    struct life *l = arg;
    (void)events; /* a pidfd becomes readable exactly once: at death */
    loop_fd_free(take(l->death_watch));
    if (l->reading != LIFE_READS_NONE) {
        l->reading = LIFE_READS_REST;
        context_read_rest(l);
        postmortem_read_will(l);
    }
    l->state = CTX_DYING;
    if (l->status >= 0) {
        die(l, NULL);
    } else {
        loop_timer_set(l->state_timer, DEATH_STATUS_MS);
    }
}

void context_forked(struct life *l, pid_t pid, int pidfd)
{
    struct context *c = l->context;
    struct err e = ERR_NONE;
    life_set_process(l, pid, pidfd);
    if (loop_add_fd(c->loop, pidfd, EPOLLIN, on_death, l, &l->death_watch, &e) < 0) {
        log_error("pool", "cannot watch a context", "ctx=%s why=\"%s\"", c->id, e.text);
        life_kill(l, VERDICT_NOT_STARTED);
    }
    if (pool_is_stopping(c->pool)) {
        context_stop(c);
    }
    context_serve(l);
}

void context_serve(struct life *l)
{
    struct context *c = l->context;
    if (!l->is_ready || l->pid <= 0) {
        return; /* without its pid it could not be interrupted */
    }
    l->state = CTX_IDLE;
    c->lost_forks = 0;
    loop_timer_cancel(l->state_timer);
    log_debug("pool", "context ready", "ctx=%s pid=%d", c->id, (int)l->pid);
    context_advance(c);
}

void context_fork_failed(struct life *l, const char *why)
{
    die(l, why);
}

void context_fork_lost(struct life *l, const char *why)
{
    struct context *c = l->context;
    if (c->lost_forks++ < ZYGOTE_RETRY_MAX) {
        life_free(l);
        context_advance(c);
    } else {
        die(l, why);
    }
}

void context_reaped(struct life *l, int status)
{
    l->status = status;
    if (l->state == CTX_DYING) {
        die(l, NULL);
    }
    /* Else the pidfd has not fired in this turn of the loop yet: on_death finds the status. */
}

static void forget_recent(struct context *c)
{
    for (size_t i = 0; i < RECENT_JOBS; i++) {
        job_free(take(c->recent[i]));
    }
}

static void describe_death(const struct life *l, const char *detail, struct death *death)
{
    const struct job *current = l->context->current;
    enum verdict verdict = l->verdict;
    if (verdict == VERDICT_NONE && detail != NULL) {
        verdict = VERDICT_NOT_STARTED;
    }
    if (verdict == VERDICT_NONE && l->farewell == WILL_WIRE_CLOSED) {
        detail = "a cell closed descriptors that belong to the kernel (os.closerange does)";
    }
    death_describe(death, verdict, l->status >= 0 ? &l->status : NULL, detail);
    death->is_told = current != NULL && job_is(current, WIRE_EXECUTE) && !current->request.silent;
    if (verdict == VERDICT_TIMEOUT && current != NULL) {
        timeout_describe(current, death);
    }
}

static void end_jobs(struct life *l, const struct death *death)
{
    struct context *c = l->context;
    if (c->current != NULL) {
        struct job_result result = {.end = JOB_DIED,
                                    .failed = true,
                                    .death = death,
                                    .execution_count = c->current->execution_count};
        context_finish_job(c, &result);
        aside_end_all(c, &result);
    } else if (!l->is_ready && (death->verdict != VERDICT_STOPPED || pool_is_stopping(c->pool))) {
        /* Trying again for the same jobs would only repeat it. A restart is another matter. */
        struct err e = ERR_NONE;
        (void)err_set(&e, ERR_ENGINE, "%s", death->text);
        context_refuse_queue(c, &e);
    }
    forget_recent(c);
}

/* The one way out of a life: last output, the running job, the report, then the queue goes on. */
static void die(struct life *l, const char *detail)
{
    struct context *c = l->context;
    struct death death;
    l->state = CTX_DYING; /* until its jobs have ended: their owners may restart or delete `c` */
    loop_timer_cancel(l->state_timer);
    describe_death(l, detail, &death);
    postmortem_read_pipes(l);
    log_line(death.verdict == VERDICT_STOPPED ? LOG_LEVEL_INFO : LOG_LEVEL_WARN, "pool",
             "context ended", "ctx=%s pid=%d cause=%s text=\"%s\"", c->id, (int)l->pid, death.ename,
             death.text);
    end_jobs(l, &death);
    life_free(l);
    if (c->doomed) {
        pool_context_gone(c->pool, c);
        return;
    }
    pool_context_died(c->pool, c, &death);
    context_advance(c);
}

/* Waiting executes belong to the old life; the job that runs ends with the process. */
static void end_life(struct context *c)
{
    context_abort_queue(c);
    context_kill(c, VERDICT_STOPPED);
    /* A process that is just being forked ends by itself: its socket is closed. */
}

void context_restart(struct context *c)
{
    end_life(c);
    if (context_state(c) == CTX_FORKING) {
        life_free(c->life);
        context_advance(c);
    } else if (c->life == NULL) {
        c->execution_count = 0;
    }
}

void context_delete(struct context *c, context_gone_fn gone, void *arg)
{
    struct err e = ERR_NONE;
    (void)err_set(&e, ERR_STATE, "context '%s' was deleted", c->id);
    c->doomed = true;
    c->gone = gone;
    c->gone_arg = arg;
    end_life(c);
    context_refuse_queue(c, &e);
    if (c->life == NULL || c->life->state == CTX_FORKING) {
        life_free(c->life);
        pool_context_gone(c->pool, c);
    }
}

void context_stop(struct context *c)
{
    struct err e = ERR_NONE;
    struct wire_frame stop = {.type = WIRE_STOP};
    struct life *l = c->life;
    if (l == NULL || l->state == CTX_FORKING || l->state == CTX_DYING) {
        return;
    }
    l->verdict = VERDICT_STOPPED;
    l->is_ending = true;
    if (life_send(l, &stop, &e) < 0) {
        life_kill(l, VERDICT_STOPPED);
    }
}

void context_kill(struct context *c, enum verdict verdict)
{
    if (c->life != NULL) {
        life_kill(c->life, verdict);
    }
}
