/* SPDX-License-Identifier: MIT */
#include "contexts/pool/zygote.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/mem.h"
#include "contexts/pool/spawn.h"
#include "contexts/pool/zygote_impl.h"

pid_t zygote_pid(const struct zygote *z)
{
    return z->pid;
}

const char *zygote_language(const struct zygote *z)
{
    return z->language;
}

const struct wire_hello *zygote_hello(const struct zygote *z)
{
    return z->has_hello ? &z->hello : NULL;
}

const char *zygote_blamed(const struct zygote *z)
{
    return !z->has_hello && z->loading[0] != '\0' ? z->loading : NULL;
}

bool zygote_is_usable(const struct zygote *z)
{
    return z->control_fd >= 0;
}

void zygote_close_control(struct zygote *z)
{
    loop_fd_free(take(z->control));
    int fd = take_fd(&z->control_fd);
    drop_fd(&fd);
}

void zygote_stop(struct zygote *z)
{
    if (z->control_fd >= 0 && !z->has_hello && z->pid > 0) {
        (void)kill(z->pid, SIGKILL); /* the control socket is open: nobody has reaped it */
        z->is_logged =
            z->is_logged || !z->late; /* a module that we did not wait for has not failed */
    }
    zygote_close_control(z);
}

void zygote_give_up(struct zygote *z, const char *why)
{
    log_error("pool", "zygote killed", "language=%s pid=%d why=\"%s\"", z->language, (int)z->pid,
              why);
    zygote_close_control(z);
    (void)kill(z->pid, SIGKILL); /* it is our unreaped child: the pid is still its own */
}

static void on_control(void *arg, uint32_t events)
{
    (void)events;                   /* a hang-up shows as the end of the stream */
    (void)zygote_read_control(arg); /* level-triggered: the loop calls again for the rest */
}

static void on_hello_late(void *arg)
{
    struct zygote *z = arg;
    if (zygote_blamed(z) == NULL) {
        zygote_give_up(z, "no hello in time");
        return;
    }
    z->late = true; /* logged when it is reaped */
    zygote_stop(z);
}

static void log_printed(const struct zygote *z, const char *text)
{
    log_warn("pool", "zygote printed", "language=%s text=\"%s\"", z->language, text);
}

/* Returns false at the end. */
static bool read_printed(struct zygote *z)
{
    char chunk[512];
    ssize_t n = read(z->printed_fd, chunk, sizeof chunk - 1);
    if (n <= 0) {
        return n < 0 && errno == EINTR;
    }
    chunk[n] = '\0';
    log_printed(z, chunk);
    if (z->printed.len + (size_t)n > z->printed.limit) {
        buf_shift(&z->printed, z->printed.len + (size_t)n - z->printed.limit);
    }
    (void)buf_add(&z->printed, chunk, (size_t)n); /* room was just made */
    return true;
}

static void on_printed(void *arg, uint32_t events)
{
    struct zygote *z = arg;
    (void)events; /* only EPOLLIN and the end are possible */
    if (!read_printed(z) && errno != EAGAIN) {
        loop_fd_free(take(z->printed_source));
    }
}

static int watch(struct zygote *z, struct err *e)
{
    if (fd_set_nonblocking(z->control_fd, e) < 0 || fd_set_nonblocking(z->printed_fd, e) < 0 ||
        loop_add_fd(z->loop, z->control_fd, EPOLLIN, on_control, z, &z->control, e) < 0 ||
        loop_add_fd(z->loop, z->printed_fd, EPOLLIN, on_printed, z, &z->printed_source, e) < 0) {
        return -1;
    }
    z->hello_timer = loop_add_timer(z->loop, on_hello_late, z);
    loop_timer_set(z->hello_timer, ZYGOTE_START_MS);
    return 0;
}

static struct zygote *zygote_new(struct loop *loop, const struct zygote_options *options,
                                 const struct zygote_sink *sink, void *arg)
{
    struct zygote *z = xcalloc(1, sizeof *z);
    z->loop = loop;
    z->sink = sink;
    z->arg = arg;
    z->language = xstrdup(options->language);
    z->control_fd = -1;
    z->printed_fd = -1;
    z->printed = BUF_INIT(ZYGOTE_PRINTED_MAX);
    z->preload_ms = options->preload_ms > 0 ? options->preload_ms : PRELOAD_MS;
    z->started_us = clock_us();
    wire_reader_init(&z->reader);
    return z;
}

static void drop_zygote(struct zygote **z)
{
    zygote_free(*z);
}

int zygote_start(struct loop *loop, const struct zygote_options *options,
                 const struct zygote_sink *sink, void *arg, struct zygote **out, struct err *e)
{
    int pair[2];
    int output[2];
    if (fd_socketpair(SOCK_SEQPACKET, pair, e) < 0) {
        return -1;
    }
    _cleanup_(drop_zygote) struct zygote *z = zygote_new(loop, options, sink, arg);
    z->control_fd = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    if (fd_pipe(output, e) < 0) {
        return -1;
    }
    z->printed_fd = output[0];
    _cleanup_(drop_fd) int their_output = output[1];
    if (watch(z, e) < 0) {
        return -1;
    }
    struct spawn_request spawn = {.path = options->path,
                                  .argv = options->argv,
                                  .control_fd = theirs,
                                  .lifeline_fd = options->lifeline_fd,
                                  .output_fd = their_output,
                                  .descriptor_limit = options->descriptor_limit};
    if (spawn_program(&spawn, &z->pid, e) < 0) {
        return err_wrap(e, "%s worker", options->language);
    }
    *out = take(z);
    return 0;
}

int zygote_fork(struct zygote *z, uint64_t ticket, const struct wire_fork *order, const int *fds,
                struct err *e)
{
    if (!zygote_is_usable(z)) {
        return err_set(e, ERR_GONE, "the %s zygote is gone", z->language);
    }
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    (void)wire_fork_add(&content, order); /* names of bounded length: it fits */
    struct wire_frame frame = {.type = WIRE_FORK, .exec = ticket, .content = buf_slice(&content)};
    if (wire_encode(&out, &frame, e) < 0) {
        return -1;
    }
    int sent = fd_send(z->control_fd, buf_slice(&out), fds, order->descriptor_count, e);
    /* It has ended and is not reaped yet: as for an order it did not read, the reaper reports why.
     */
    return sent < 0 && e->sys == EPIPE ? 0 : sent;
}

/* The last line it wrote is usually the reason. */
static const char *last_line(struct buf *printed)
{
    while (printed->len > 0 && (printed->data[printed->len - 1] == '\n')) {
        printed->data[--printed->len] = '\0';
    }
    const char *text = buf_text(printed);
    const char *newline = strrchr(text, '\n');
    return newline ? newline + 1 : text;
}

static void describe_end(const struct zygote *z, int status, char *out, size_t size)
{
    if (z->late) {
        (void)snprintf(out, size, "it was not loaded within %.1f s", (double)z->preload_ms / 1000);
    } else if (WIFSIGNALED(status)) {
        const char *name = sigabbrev_np(WTERMSIG(status));
        (void)snprintf(out, size, "the %s worker was killed by SIG%s", z->language,
                       name ? name : "?");
    } else {
        (void)snprintf(out, size, "the %s worker ended with exit status %d", z->language,
                       WEXITSTATUS(status));
    }
}

void zygote_reaped(struct zygote *z, int status)
{
    /* Its last reports of its contexts lie in the socket. */
    while (zygote_is_usable(z) && zygote_read_control(z)) {
    }
    zygote_close_control(z);
    while (read_printed(z)) {
    }
    char why[400];
    const char *line = last_line(&z->printed);
    if (line[0] != '\0') {
        (void)snprintf(why, sizeof why, "%s", line);
    } else {
        describe_end(z, status, why, sizeof why);
    }
    if (zygote_blamed(z) != NULL && !z->is_logged) {
        zygote_log_preload(z, "preload failed", why);
    }
    log_info("pool", "zygote ended", "language=%s pid=%d status=0x%x", z->language, (int)z->pid,
             (unsigned)status);
    z->sink->gone(z->arg, z, why);
}

void zygote_free(struct zygote *z)
{
    if (z == NULL) {
        return;
    }
    zygote_stop(z);
    loop_fd_free(z->printed_source);
    drop_fd(&z->printed_fd);
    loop_timer_free(z->hello_timer);
    wire_reader_done(&z->reader);
    buf_done(&z->printed);
    free(z->language);
    free(z);
}
