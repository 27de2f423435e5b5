/* SPDX-License-Identifier: MIT */
/* context_life.c - birth and death of a context's process. Nobody infers a cause from the end of
 * a stream: the pidfd gives the moment, the reaper's status the reason. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"
#include "contexts/pool/timeout.h"
#include "contexts/wire/will.h"

static void die(struct context *c, const char *detail);

void context_update_events(struct context *c)
{
    uint32_t events = c->paused ? 0 : EPOLLIN;
    if (c->backlog.len > 0) {
        events |= EPOLLOUT;
    }
    loop_fd_set_events(c->wire, events);
}

static void on_state_late(void *arg)
{
    struct context *c = arg;
    if (c->state == CTX_DYING) {
        die(c, NULL); /* nobody reported a status; say so rather than wait for ever */
    } else if (c->pid > 0) {
        context_kill(c, VERDICT_NOT_STARTED);
    } else {
        die(c, "no answer from its zygote");
    }
}

static void arm(struct context *c, int64_t delay_ms)
{
    if (c->state_timer == NULL) {
        c->state_timer = loop_add_timer(c->loop, on_state_late, c);
    }
    loop_timer_set(c->state_timer, delay_ms);
}

/* Makes the descriptors of a new life: ours stay in `c`, theirs go to `fds`. */
static int make_descriptors(struct context *c, int fds[FORK_FDS], struct err *e)
{
    int pair[2];
    if (fd_socketpair(SOCK_STREAM, pair, e) < 0) {
        return -1;
    }
    c->wire_fd = pair[0];
    fds[FORK_FD_WIRE] = pair[1];
    for (int i = 0; i < 2; i++) {
        int ends[2];
        if (fd_pipe(ends, e) < 0) {
            return -1;
        }
        c->pipe_fds[i] = ends[0];
        fds[i == 0 ? FORK_FD_OUT_R : FORK_FD_ERR_R] = ends[0]; /* shared with the context */
        fds[i == 0 ? FORK_FD_OUT_W : FORK_FD_ERR_W] = ends[1];
        if (fd_set_nonblocking(ends[0], e) < 0) {
            return -1;
        }
    }
    c->will_fd = memfd_create("pandia-will", MFD_CLOEXEC);
    if (c->will_fd < 0 || ftruncate(c->will_fd, sizeof(struct will)) < 0) {
        return err_sys(e, "memfd_create");
    }
    fds[FORK_FD_WILL] = c->will_fd;
    return fd_set_nonblocking(c->wire_fd, e);
}

static void close_theirs(const int fds[FORK_FDS])
{
    static const int ours_to_close[] = {FORK_FD_WIRE, FORK_FD_OUT_W, FORK_FD_ERR_W};
    for (size_t i = 0; i < ARRAY_LEN(ours_to_close); i++) {
        int fd = fds[ours_to_close[i]];
        drop_fd(&fd);
    }
}

static int begin_life(struct context *c, int fds[FORK_FDS], struct err *e)
{
    if (make_descriptors(c, fds, e) < 0 ||
        loop_add_fd(c->loop, c->wire_fd, EPOLLIN, context_on_wire, c, &c->wire, e) < 0) {
        return -1;
    }
    /* START waits in the socket until the process reads it. */
    struct wire_frame start = {.type = WIRE_START, .content = slice_of(c->start_options)};
    if (context_send(c, &start, e) < 0) {
        return -1;
    }
    return pool_fork(c->pool, c, fds, e);
}

int context_start_process(struct context *c, struct err *e)
{
    int fds[FORK_FDS] = {-1, -1, -1, -1, -1, -1};
    c->verdict = VERDICT_NONE;
    c->has_status = false;
    c->was_ready = false;
    c->execution_count = 0;
    int failed = begin_life(c, fds, e);
    close_theirs(fds);
    if (failed < 0) {
        context_close_process(c);
        return err_wrap(e, "context '%s'", c->id);
    }
    c->state = CTX_FORKING;
    c->paused = pool_reading(c->pool) == POOL_PAUSE;
    context_update_events(c);
    arm(c, CONTEXT_START_MS);
    return 0;
}

static void on_death(void *arg, uint32_t events)
{
    struct context *c = arg;
    (void)events; /* a pidfd becomes readable exactly once: at death */
    loop_fd_free(take(c->death_watch));
    context_read_rest(c);
    if (c->verdict != VERDICT_PROTOCOL) {
        postmortem_read_will(c);
    }
    c->state = CTX_DYING;
    if (c->has_status) {
        die(c, NULL);
    } else {
        arm(c, DEATH_STATUS_MS);
    }
}

void context_forked(struct context *c, pid_t pid, int pidfd)
{
    struct err e = ERR_NONE;
    c->pid = pid;
    c->pidfd = pidfd;
    c->state = CTX_STARTING;
    if (loop_add_fd(c->loop, pidfd, EPOLLIN, on_death, c, &c->death_watch, &e) < 0) {
        log_error("pool", "cannot watch a context", "ctx=%s why=\"%s\"", c->id, e.text);
        context_kill(c, VERDICT_NOT_STARTED);
    }
    if (pool_is_stopping(c->pool)) {
        context_stop(c);
    }
    context_serve(c);
}

void context_serve(struct context *c)
{
    if (!c->was_ready || c->pid <= 0) {
        return; /* without its pid it could not be interrupted */
    }
    c->state = CTX_IDLE;
    c->lost_forks = 0;
    loop_timer_cancel(c->state_timer);
    log_debug("pool", "context ready", "ctx=%s pid=%d", c->id, (int)c->pid);
    context_advance(c);
}

void context_fork_failed(struct context *c, const char *why)
{
    die(c, why);
}

void context_fork_lost(struct context *c, const char *why)
{
    if (c->lost_forks++ < ZYGOTE_RETRY_MAX) {
        context_close_process(c);
        context_advance(c);
    } else {
        die(c, why);
    }
}

void context_reaped(struct context *c, int status)
{
    c->has_status = true;
    c->status = status;
    if (c->state == CTX_DYING) {
        die(c, NULL);
    }
    /* Else the pidfd has not fired in this turn of the loop yet: on_death finds the status. */
}

void context_close_process(struct context *c)
{
    loop_fd_free(take(c->wire));
    loop_fd_free(take(c->death_watch));
    int *const fds[] = {&c->wire_fd, &c->pidfd, &c->pipe_fds[0], &c->pipe_fds[1], &c->will_fd};
    for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
        int fd = take_fd(fds[i]);
        drop_fd(&fd);
    }
    wire_reader_done(&c->reader);
    wire_reader_init(&c->reader);
    buf_done(&c->backlog);
    c->pid = 0;
    c->ending = false;
    c->state = CTX_NONE;
}

static void forget_recent(struct context *c)
{
    for (size_t i = 0; i < RECENT_JOBS; i++) {
        job_free(take(c->recent[i]));
    }
}

/* The one way out of a life: last output, the running job, the news, then the queue goes on. */
static void die(struct context *c, const char *detail)
{
    struct death death;
    enum verdict verdict = c->verdict;
    if (verdict == VERDICT_NONE && detail != NULL) {
        verdict = VERDICT_NOT_STARTED;
    }
    if (verdict == VERDICT_NONE && c->closed_wire) {
        detail = "a cell closed descriptors that belong to the kernel (os.closerange does)";
    }
    death_describe(&death, verdict, c->has_status ? &c->status : NULL, detail);
    c->closed_wire = false;
    death.is_told = c->current != NULL && c->current->type == WIRE_EXECUTE && !c->current->silent;
    if (verdict == VERDICT_TIMEOUT && c->current != NULL) {
        timeout_describe(c->current, &death);
    }
    if (c->state_timer != NULL) {
        loop_timer_cancel(c->state_timer);
    }
    postmortem_read_pipes(c);
    log_line(verdict == VERDICT_STOPPED ? LOG_LEVEL_INFO : LOG_LEVEL_WARN, "pool", "context ended",
             "ctx=%s pid=%d cause=%s text=\"%s\"", c->id, (int)c->pid, death.ename, death.text);
    context_close_process(c);
    if (c->current != NULL) {
        struct job_result result = {.end = JOB_DIED,
                                    .failed = true,
                                    .death = &death,
                                    .execution_count = c->current->execution_count};
        context_finish_job(c, &result);
        aside_end_all(c, &result);
    } else if (!c->was_ready && (verdict != VERDICT_STOPPED || pool_is_stopping(c->pool))) {
        /* Trying again for the same jobs would only repeat it. A restart is another matter. */
        struct err e = ERR_NONE;
        (void)err_set(&e, ERR_ENGINE, "%s", death.text);
        context_refuse_queue(c, &e);
    }
    forget_recent(c);
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
    if (c->pid > 0) {
        context_kill(c, VERDICT_STOPPED);
    }
    /* A process that is just being forked ends by itself: its socket is closed. */
}

void context_restart(struct context *c)
{
    end_life(c);
    if (c->state == CTX_FORKING) {
        context_close_process(c);
        context_advance(c);
    } else if (c->state == CTX_NONE) {
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
    if (c->pid <= 0) {
        context_close_process(c);
        pool_context_gone(c->pool, c);
    }
}

void context_stop(struct context *c)
{
    struct err e = ERR_NONE;
    struct wire_frame stop = {.type = WIRE_STOP};
    if (c->state == CTX_NONE || c->state == CTX_FORKING || c->state == CTX_DYING) {
        return;
    }
    c->verdict = VERDICT_STOPPED;
    c->ending = true;
    if (context_send(c, &stop, &e) < 0) {
        context_kill(c, VERDICT_STOPPED);
    }
}

void context_kill(struct context *c, enum verdict verdict)
{
    if (c->pid <= 0 || c->has_status || c->state == CTX_DYING) {
        return;
    }
    c->verdict = verdict;
    c->ending = true;
    (void)kill(-c->pid, SIGKILL); /* fails only before its setsid */
    (void)kill(c->pid, SIGKILL);  /* the pid is its own until the reaper has reported */
}
