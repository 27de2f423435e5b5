/* SPDX-License-Identifier: MIT */
/* peer.h - the broker's end of a context, for tests of the worker: sends requests, reads frames,
 * waits with a deadline. */
#pragma once

#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "contexts/wire/frame.h"
#include "contexts/wire/will.h"
#include "tests/unit/unit.h"

enum { PEER_DEADLINE_MS = 20000 };

struct peer {
    int wire;
    int will;     /* what the context holds back */
    int pipes[2]; /* read ends of descriptors 1 and 2 of the context */
    pid_t pid;
    struct wire_reader in;
    struct wire_frame frame; /* the one read last; lent by the reader */
    uint64_t exec;
    int64_t count;
    bool runs_to_end; /* what is executed is a program */
};

/* Makes the descriptors; `fds` gets the context's side in the order of enum wire_fork_fd. */
static inline void peer_init(struct peer *p, int fds[FORK_FDS])
{
    struct err e = ERR_NONE;
    int pair[2];
    int ends[2];
    *p = (struct peer){.wire = -1, .will = -1};
    wire_reader_init(&p->in);
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    p->wire = pair[0];
    fds[FORK_FD_WIRE] = pair[1];
    p->will = memfd_create("will", MFD_CLOEXEC);
    assert_int_equal(ftruncate(p->will, sizeof(struct will)), 0);
    fds[FORK_FD_WILL] = p->will;
    for (int i = 0; i < 2; i++) {
        assert_ok(fd_pipe(ends, &e));
        p->pipes[i] = ends[0];
        fds[i == 0 ? FORK_FD_OUT_R : FORK_FD_ERR_R] = ends[0];
        fds[i == 0 ? FORK_FD_OUT_W : FORK_FD_ERR_W] = ends[1];
    }
}

/* An order of `policy` that names all descriptors, in the order of the enum. */
static inline struct wire_fork peer_order(const char *policy)
{
    struct wire_fork order = {.descriptor_count = FORK_FDS};
    (void)snprintf(order.policy, sizeof order.policy, "%s", policy);
    for (int i = 0; i < FORK_FDS; i++) {
        order.descriptors[i] = (enum wire_fork_fd)i;
    }
    return order;
}

/* Closes what only the context needs. */
static inline void peer_close_theirs(const int fds[FORK_FDS])
{
    close(fds[FORK_FD_WIRE]);
    close(fds[FORK_FD_OUT_W]);
    close(fds[FORK_FD_ERR_W]);
}

static inline void peer_done(struct peer *p)
{
    drop_fd(&p->wire);
    drop_fd(&p->will);
    drop_fd(&p->pipes[0]);
    drop_fd(&p->pipes[1]);
    wire_reader_done(&p->in);
}

static inline void peer_send(struct peer *p, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    assert_ok(wire_write(p->wire, frame, &e));
}

static inline void peer_send_text(struct peer *p, enum wire_type type, const char *content)
{
    struct wire_frame frame = {.type = type, .exec = p->exec, .content = slice_of(content)};
    peer_send(p, &frame);
}

/* Sends an execute_request whose further members are `more` (", ..." or ""). */
static inline void peer_execute_with(struct peer *p, const char *code, const char *more)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf options = BUF_INIT(KIB);
    jwrite_object(&content);
    jwrite_member_text(&content, "code", code);
    buf_addf(&content, "%s}", more);
    struct wire_execute_options values = {.execution_count = ++p->count,
                                          .runs_to_end = p->runs_to_end};
    wire_execute_options_add(&options, &values);
    struct slice buffers[] = {buf_slice(&options)};
    struct wire_frame frame = {.type = WIRE_EXECUTE,
                               .exec = ++p->exec,
                               .content = buf_slice(&content),
                               .buffers = buffers,
                               .buffer_count = 1};
    peer_send(p, &frame);
}

static inline void peer_execute(struct peer *p, const char *code)
{
    peer_execute_with(p, code, "");
}

/* Reads the next frame; false at the end of the stream. */
static inline bool peer_read(struct peer *p)
{
    struct err e = ERR_NONE;
    for (;;) {
        int got = wire_reader_next(&p->in, &p->frame, &e);
        if (got < 0) {
            fail_msg("not a frame: %s", e.text);
        }
        if (got > 0) {
            return true;
        }
        struct pollfd readable = {.fd = p->wire, .events = POLLIN};
        assert_int_equal(poll(&readable, 1, PEER_DEADLINE_MS), 1);
        ssize_t n = wire_reader_fill(&p->in, p->wire, &e);
        if (n <= 0) {
            return false;
        }
    }
}

/* The next frame must be this one. */
static inline void peer_expect(struct peer *p, enum wire_type type, const char *content)
{
    assert_true(peer_read(p));
    assert_string_equal(wire_type_name(p->frame.type), wire_type_name(type));
    assert_slice_equal(p->frame.content, content);
}

/* The next frame must be of this type and contain the text. */
static inline void peer_expect_part(struct peer *p, enum wire_type type, const char *part)
{
    assert_true(peer_read(p));
    assert_string_equal(wire_type_name(p->frame.type), wire_type_name(type));
    if (memmem(p->frame.content.data, p->frame.content.len, part, strlen(part)) == NULL) {
        fail_msg("'%s' is not in: %.*s", part, (int)p->frame.content.len, p->frame.content.data);
    }
}

static inline void peer_expect_done(struct peer *p)
{
    peer_expect_part(p, WIRE_DONE, "\"status\": \"ok\"");
    assert_int_equal(p->frame.exec, p->exec);
}

/* The exit code that the DONE frame read last carries; -1: none. */
static inline int peer_exit_code(const struct peer *p)
{
    struct wire_done done = {.exit_code = -1};
    struct err e = ERR_NONE;
    assert_int_equal(p->frame.type, WIRE_DONE);
    if (p->frame.buffer_count > 0) {
        assert_ok(wire_done_read(p->frame.buffers[0], &done, &e));
    }
    return done.exit_code;
}

/* Runs a cell or program; appends all text, with "[err] " before that of stderr, and the plain text
 * of results and displays, in order. Afterwards the DONE frame is the one read last. */
static inline void peer_run(struct peer *p, const char *code, struct buf *out)
{
    peer_execute(p, code);
    for (;;) {
        if (!peer_read(p)) {
            fail_msg("the context died in: %s", code);
        }
        struct slice content = p->frame.content;
        struct slice plain = jscan_get(jscan_get(content, "data"), "text/plain");
        if (p->frame.type == WIRE_DONE) {
            return;
        }
        if (p->frame.type == WIRE_STREAM) {
            buf_add_text(out,
                         jscan_string_is(jscan_get(content, "name"), "stderr") ? "[err] " : "");
            assert_int_equal(jscan_string(jscan_get(content, "text"), out), 0);
        } else if (plain.len > 0) {
            buf_add_text(out, "[result] ");
            assert_int_equal(jscan_string(plain, out), 0);
        }
    }
}

/* One row of a table of exits: what is run, what it prints, what becomes of it. */
struct peer_exit {
    const char *code;
    const char *out;
    const char *status; /* of the reply, or the name of its error */
    int exit_code;
};

static inline void peer_check_exit(struct peer *p, const struct peer_exit *row)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4 * MIB);
    peer_run(p, row->code, &out);
    struct slice reply = p->frame.content;
    if (strcmp(buf_text(&out), row->out) != 0 || peer_exit_code(p) != row->exit_code ||
        !(jscan_string_is(jscan_get(reply, "status"), row->status) ||
          jscan_string_is(jscan_get(reply, "ename"), row->status))) {
        fail_msg("%s: exit code %d, %.*s\n%s", row->code, peer_exit_code(p), (int)reply.len,
                 reply.data, buf_text(&out));
    }
}

/* Reads what is left in one of the context's pipes. */
static inline void peer_read_pipe(const struct peer *p, int i, struct buf *out)
{
    char chunk[4096];
    ssize_t n = 0;
    while ((n = read(p->pipes[i], chunk, sizeof chunk)) > 0) {
        buf_add(out, chunk, (size_t)n);
    }
}

/* Appends the text of all that a dead context still had to say, wherever it lies: frames, its
 * will, its pipes. */
static inline void peer_last_words(struct peer *p, struct buf *out)
{
    struct will will;
    struct err e = ERR_NONE;
    while (peer_read(p)) {
        (void)!jscan_string(jscan_get(p->frame.content, "text"), out); /* others have none */
    }
    assert_int_equal(pread(p->will, &will, sizeof will, 0), sizeof will);
    assert_ok(wire_reader_feed(&p->in, (struct slice){will.frames, will.frames_len}, &e));
    while (wire_reader_next(&p->in, &p->frame, &e) == 1) {
        (void)!jscan_string(jscan_get(p->frame.content, "text"), out); /* as above */
    }
    buf_add(out, will.text, will_text_len(will.held));
    buf_add(out, will.taken, will_captured(will.held) ? strnlen(will.taken, sizeof will.taken) : 0);
    peer_read_pipe(p, 0, out);
    peer_read_pipe(p, 1, out);
}

/* Waits for the context's end; gives its status as waitpid does. */
static inline int peer_wait(const struct peer *p)
{
    int status = 0;
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    return status;
}
