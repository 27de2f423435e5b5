/* SPDX-License-Identifier: MIT */
/* orders.c - the forks of a zygote: what the broker orders becomes a context, by a fork of its own
 * or by the spare that was made ahead. */
#include <errno.h>
#include <stdio.h>

#include "base/proc.h"
#include "contexts/worker/birth.h"
#include "contexts/worker/fork_server_impl.h"

enum { EXIT_BIRTH_FAILED = 70 };

static int send_failed(uint64_t ticket, const struct err *why)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(ZYGOTE_FRAME_MAX / 2);
    struct wire_failed failed = {0};
    (void)snprintf(failed.error, sizeof failed.error, "%s", why->text);
    return wire_failed_add(&content, &failed) < 0
               ? -1
               : server_send(WIRE_FAILED, ticket, &content, NULL);
}

static _Noreturn void be_context(const struct server *s, const struct fork_order *order)
{
    struct worker_fds own;
    struct err e = ERR_NONE;
    (void)sigaction(SIGINT, &s->sigint_before, NULL); /* cannot fail with these arguments */
    (void)sigprocmask(SIG_SETMASK, &s->mask_before, NULL);
    if (birth_settle(order, &own, &e) < 0) {
        (void)dprintf(STDERR_FILENO, "pandia: context not started: %s\n", e.text);
        _exit(EXIT_BIRTH_FAILED);
    }
    worker_serve(s->engine, s->state, own);
}

static _Noreturn void be_spare(const struct server *s, int fd)
{
    struct fork_order order;
    (void)close(ZYGOTE_FD_CONTROL); /* the zygote's alone */
    (void)close(s->spare.fd);       /* so that its end shows us the end of the zygote */
    if (spare_wait(fd, &order) < 0) {
        _exit(0);
    }
    be_context(s, &order);
}

/* A fork copies one thread only; locks of the others would stay taken for ever. */
static int check_single(struct err *e)
{
    size_t threads = proc_thread_count();
    if (threads != 1) {
        return err_set(e, ERR_STATE,
                       threads == 0 ? "/proc is not readable: threads cannot be counted"
                                    : "%zu threads run in the zygote, a fork would not be safe",
                       threads);
    }
    return 0;
}

/* What the child begins with: the order of a context, or where it will come from. */
struct birth {
    const struct fork_order *order; /* NULL: it is a spare */
    int spare_fd;
};

/* Gives the child, or -1. The child itself does not return. */
static pid_t fork_child(const struct server *s, const struct birth *birth, struct err *e)
{
    if (check_single(e) < 0) {
        return -1;
    }
    if (s->engine->before_fork != NULL) {
        s->engine->before_fork(s->state);
    }
    pid_t pid = fork();
    int failed = errno;
    if (pid == 0) {
        if (s->engine->after_fork_child != NULL) {
            s->engine->after_fork_child(s->state);
        }
        if (birth->order == NULL) {
            be_spare(s, birth->spare_fd);
        }
        be_context(s, birth->order);
    }
    if (s->engine->after_fork_parent != NULL) {
        s->engine->after_fork_parent(s->state);
    }
    errno = failed;
    return pid < 0 ? err_sys(e, "fork") : pid;
}

/* One that cannot be made is no loss: whoever orders a context will receive the reason. */
void server_make_spare(struct server *s)
{
    struct err e = ERR_NONE;
    struct birth birth = {.spare_fd = -1};
    if (spare_open(&s->spare, s->policy, &birth.spare_fd, &e) < 0) {
        s->wants_spare = false;
        return;
    }
    pid_t pid = fork_child(s, &birth, &e);
    drop_fd(&birth.spare_fd);
    if (pid < 0) {
        spare_close(&s->spare);
        s->wants_spare = false;
        return;
    }
    s->spare.pid = s->children.spare = pid;
}

/* Gives the pid of the spare, which is a context now, or 0: there is none, or none of this policy.
 */
static pid_t use_spare(struct server *s, const struct fork_order *order)
{
    struct err e = ERR_NONE;
    pid_t pid = s->spare.pid;
    if (pid != 0 && s->children.spare != pid) {
        spare_close(&s->spare); /* it has died */
    }
    if (!spare_fits(&s->spare, order)) {
        return 0;
    }
    s->children.spare = 0;
    return spare_send(&s->spare, order, &e) < 0 ? 0 : pid; /* then it is a stray, and ends */
}

static int make_context(struct server *s, uint64_t ticket, const struct fork_order *order)
{
    struct err e = ERR_NONE;
    (void)snprintf(s->policy, sizeof s->policy, "%s", order->fork.policy);
    pid_t pid = use_spare(s, order);
    if (pid == 0) {
        pid = fork_child(s, &(struct birth){.order = order, .spare_fd = -1}, &e);
    }
    if (pid < 0) {
        return send_failed(ticket, &e);
    }
    children_add(&s->children, pid, ticket);
    _cleanup_(drop_fd) int pidfd = proc_pidfd_open(pid, &e);
    if (pidfd < 0) {
        (void)kill(pid, SIGKILL); /* nobody could watch it */
        return send_failed(ticket, &e);
    }
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    return wire_forked_add(&content, pid) < 0 ? -1
                                              : server_send(WIRE_FORKED, ticket, &content, &pidfd);
}

static int read_order(const struct wire_frame *frame, const int *fds, size_t count,
                      struct fork_order *out, struct err *e)
{
    if (frame->exec == 0) {
        return err_set(e, ERR_PROTO, "fork: an order without a ticket");
    }
    return order_read(frame->content, fds, count, out, e);
}

int server_order(struct server *s, struct slice data, const int *fds, size_t count)
{
    struct err e = ERR_NONE;
    struct wire_reader reader;
    struct wire_frame frame;
    struct fork_order order;
    wire_reader_init(&reader);
    int failed = wire_reader_feed(&reader, data, &e);
    failed = failed < 0 || wire_reader_next(&reader, &frame, &e) != 1 || frame.type != WIRE_FORK;
    uint64_t ticket = failed ? 0 : frame.exec;
    int refused = failed ? 0 : read_order(&frame, fds, count, &order, &e);
    wire_reader_done(&reader);
    if (failed) {
        return -1; /* not our broker, or not our version */
    }
    return refused < 0 ? send_failed(ticket, &e) : make_context(s, ticket, &order);
}
