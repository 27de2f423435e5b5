/* SPDX-License-Identifier: MIT */
/* zygote_peer.h - the broker's end of a zygote, for tests: starts one, orders contexts from it,
 * receives the reports of their deaths. */
#pragma once

#include <fcntl.h>
#include <signal.h>

#include "contexts/worker/fork_server.h"
#include "tests/unit/peer.h"

struct zygote_peer {
    int control;
    int lifeline; /* write end */
    pid_t pid;
    struct wire_reader in;
    struct wire_frame frame; /* the one read last; lent by the reader */
    int fd;                  /* that came with it, -1 if none; owned */
};

/* What the new process runs with its descriptors in place; gives its exit status. */
typedef int zygote_body(void *arg);

static inline void zygote_peer_start(struct zygote_peer *z, zygote_body *body, void *arg)
{
    enum { OUT_OF_THE_WAY = 50 };

    struct err e = ERR_NONE;
    int pair[2];
    int ends[2];
    *z = (struct zygote_peer){.fd = -1};
    wire_reader_init(&z->in);
    assert_ok(fd_socketpair(SOCK_SEQPACKET, pair, &e));
    assert_ok(fd_pipe(ends, &e));
    z->pid = fork();
    if (z->pid == 0) {
        int control = fcntl(pair[1], F_DUPFD, OUT_OF_THE_WAY);
        int lifeline = fcntl(ends[0], F_DUPFD, OUT_OF_THE_WAY);
        dup2(control, ZYGOTE_FD_CONTROL);
        dup2(lifeline, ZYGOTE_FD_LIFELINE);
        close_range(ZYGOTE_FD_LIFELINE + 1, ~0U, 0);
        setsid();
        _exit(body(arg));
    }
    z->control = pair[0];
    z->lifeline = ends[1];
    close(pair[1]);
    close(ends[0]);
}

/* Reads the next message; false at the end. */
static inline bool zygote_peer_read(struct zygote_peer *z)
{
    static char data[ZYGOTE_FRAME_MAX];
    struct err e = ERR_NONE;
    int fds[FD_PASS_MAX];
    size_t count = 0;
    struct pollfd readable = {.fd = z->control, .events = POLLIN};
    assert_int_equal(poll(&readable, 1, PEER_DEADLINE_MS), 1);
    ssize_t n = fd_receive(z->control, data, sizeof data, fds, &count, &e);
    if (n <= 0) {
        return false;
    }
    drop_fd(&z->fd);
    assert_true(count <= 1);
    z->fd = count == 1 ? fds[0] : -1;
    assert_ok(wire_reader_feed(&z->in, (struct slice){.data = data, .len = (size_t)n}, &e));
    assert_int_equal(wire_reader_next(&z->in, &z->frame, &e), 1);
    return true;
}

static inline void zygote_peer_expect(struct zygote_peer *z, enum wire_type type)
{
    assert_true(zygote_peer_read(z));
    assert_string_equal(wire_type_name(z->frame.type), wire_type_name(type));
}

static inline void zygote_peer_order(const struct zygote_peer *z, uint64_t ticket,
                                     const char *content, const int *fds, size_t count)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4 * KIB);
    struct wire_frame frame = {.type = WIRE_FORK, .exec = ticket, .content = slice_of(content)};
    struct err e = ERR_NONE;
    assert_ok(wire_encode(&out, &frame, &e));
    assert_ok(fd_send(z->control, buf_slice(&out), fds, count, &e));
}

/* Orders a context of the policy, with all its descriptors. */
static inline void zygote_peer_ask(const struct zygote_peer *z, uint64_t ticket, const char *policy,
                                   const int fds[FORK_FDS])
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    struct wire_fork order = peer_order(policy);
    assert_int_equal(wire_fork_add(&content, &order), 0);
    zygote_peer_order(z, ticket, buf_text(&content), fds, FORK_FDS);
}

/* Makes a context and waits until it is ready. */
static inline void zygote_peer_fork(struct zygote_peer *z, struct peer *p)
{
    struct err e = ERR_NONE;
    int fds[FORK_FDS];
    int pid = 0;
    peer_init(p, fds);
    zygote_peer_ask(z, 77, WIRE_POLICY_OPEN, fds);
    peer_close_theirs(fds);
    zygote_peer_expect(z, WIRE_FORKED);
    assert_int_equal(z->frame.exec, 77);
    assert_true(z->fd >= 0);
    assert_ok(wire_forked_read(z->frame.content, &pid, &e));
    p->pid = pid;
    peer_send_text(p, WIRE_START, "{\"context\": \"test\"}");
    peer_expect_part(p, WIRE_READY, "\"pid\": ");
}

/* Waits for the report of a context's death; gives its status. */
static inline int zygote_peer_exited(struct zygote_peer *z, pid_t pid)
{
    struct err e = ERR_NONE;
    struct wire_exited exited;
    zygote_peer_expect(z, WIRE_EXITED);
    assert_int_equal(z->frame.exec, 77); /* the ticket of zygote_peer_fork */
    assert_ok(wire_exited_read(z->frame.content, &exited, &e));
    assert_int_equal(exited.pid, pid);
    return exited.status;
}

/* Ends the zygote as the broker's shutdown does; gives its status. */
static inline int zygote_peer_stop(struct zygote_peer *z)
{
    int status = 0;
    drop_fd(&z->control);
    assert_int_equal(waitpid(z->pid, &status, 0), z->pid);
    drop_fd(&z->lifeline);
    drop_fd(&z->fd);
    wire_reader_done(&z->in);
    return status;
}
