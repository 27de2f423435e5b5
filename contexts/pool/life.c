/* SPDX-License-Identifier: MIT */
#include "contexts/pool/life.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "base/mem.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"

struct life *life_new(struct context *c)
{
    assert(c->life == NULL);
    struct life *l = xcalloc(1, sizeof *l);
    l->context = c;
    l->state = CTX_FORKING;
    l->pidfd = l->wire_fd = l->pipe_fds[0] = l->pipe_fds[1] = l->will_fd = -1;
    l->status = -1;
    l->backlog = BUF_INIT(CONTEXT_BACKLOG_MAX);
    wire_reader_init(&l->reader);
    pool_register_life(c->pool, l);
    c->life = l;
    return l;
}

int life_open(struct life *l, int fds[FORK_FDS], struct err *e)
{
    int pair[2];
    if (fd_socketpair(SOCK_STREAM, pair, e) < 0) {
        return -1;
    }
    l->wire_fd = pair[0];
    fds[FORK_FD_WIRE] = pair[1];
    for (int i = 0; i < 2; i++) {
        int ends[2];
        if (fd_pipe(ends, e) < 0) {
            return -1;
        }
        l->pipe_fds[i] = ends[0];
        fds[i == 0 ? FORK_FD_OUT_R : FORK_FD_ERR_R] = ends[0]; /* shared with the context */
        fds[i == 0 ? FORK_FD_OUT_W : FORK_FD_ERR_W] = ends[1];
        if (fd_set_nonblocking(ends[0], e) < 0) {
            return -1;
        }
    }
    l->will_fd = memfd_create("pandia-will", MFD_CLOEXEC);
    if (l->will_fd < 0 || ftruncate(l->will_fd, sizeof(struct will)) < 0) {
        return err_sys(e, "memfd_create");
    }
    fds[FORK_FD_WILL] = l->will_fd;
    return fd_set_nonblocking(l->wire_fd, e);
}

void life_close_theirs(const int fds[FORK_FDS])
{
    static const int theirs[] = {FORK_FD_WIRE, FORK_FD_OUT_W, FORK_FD_ERR_W};
    for (size_t i = 0; i < ARRAY_LEN(theirs); i++) {
        drop_fd(&fds[theirs[i]]);
    }
}

void life_set_process(struct life *l, pid_t pid, int pidfd)
{
    l->pid = pid;
    l->pidfd = pidfd;
    l->state = CTX_STARTING;
    pool_register_pid(l->context->pool, l);
}

bool life_may_read(const struct life *l)
{
    return l->reading == LIFE_READS_REST ||
           (l->reading == LIFE_READS && l->context->paused_by == 0);
}

void life_update_events(struct life *l)
{
    uint32_t events = life_may_read(l) ? EPOLLIN : 0;
    if (l->backlog.len > 0) {
        events |= EPOLLOUT;
    }
    if (l->wire != NULL) {
        loop_fd_set_events(l->wire, events);
    }
}

int life_flush(struct life *l, struct err *e)
{
    while (l->backlog.len > 0) {
        ssize_t n = send(l->wire_fd, l->backlog.data, l->backlog.len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && errno == EAGAIN) {
            break;
        }
        if (n < 0) {
            return err_sys(e, "send to context");
        }
        buf_shift(&l->backlog, (size_t)n);
    }
    life_update_events(l);
    return 0;
}

int life_send(struct life *l, const struct wire_frame *frame, struct err *e)
{
    if (wire_encode(&l->backlog, frame, e) < 0) {
        return err_wrap(e, "request for context '%s'", l->context->id);
    }
    return life_flush(l, e);
}

void life_distrust(struct life *l)
{
    l->reading = LIFE_READS_NONE;
    life_update_events(l);
    life_kill(l, VERDICT_PROTOCOL);
}

void life_kill(struct life *l, enum verdict verdict)
{
    if (l->pid <= 0 || l->status >= 0 || l->state == CTX_DYING) {
        return;
    }
    l->verdict = verdict;
    l->is_ending = true;
    (void)kill(-l->pid, SIGKILL); /* fails only before its setsid */
    (void)kill(l->pid, SIGKILL);  /* the pid is its own until the reaper has reported */
}

void life_free(struct life *l)
{
    if (l == NULL) {
        return;
    }
    pool_forget_life(l->context->pool, l);
    l->context->life = NULL;
    loop_fd_free(l->wire);
    loop_fd_free(l->death_watch);
    loop_timer_free(l->state_timer);
    const int fds[] = {l->wire_fd, l->pidfd, l->pipe_fds[0], l->pipe_fds[1], l->will_fd};
    for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
        drop_fd(&fds[i]);
    }
    wire_reader_done(&l->reader);
    buf_done(&l->backlog);
    free(l);
}
