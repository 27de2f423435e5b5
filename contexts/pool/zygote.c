/* SPDX-License-Identifier: MIT */
#include "contexts/pool/zygote.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/jscan.h"
#include "base/log.h"
#include "base/mem.h"
#include "contexts/pool/spawn.h"
#include "contexts/wire/frame.h"

struct zygote {
    struct loop *loop;
    const struct zygote_sink *sink;
    void *arg;
    char *language;
    pid_t pid;
    int64_t started_us;

    int control_fd; /* -1 once it is of no use any more */
    struct loop_fd *control;
    struct wire_reader reader;
    bool has_hello;
    struct wire_hello hello;
    struct loop_timer *hello_timer;

    char loading[MODULE_NAME_MAX + 1]; /* module that it named last; "" for none */
    int64_t preload_ms;
    bool late; /* it was killed because that module took too long */
    bool told; /* what is wrong with that module has been logged */

    int words_fd; /* its standard output and error, before any context exists */
    struct loop_fd *words_source;
    struct buf words; /* the last of them */
};

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

static void close_control(struct zygote *z)
{
    loop_fd_free(take(z->control));
    int fd = take_fd(&z->control_fd);
    drop_fd(&fd);
}

void zygote_stop(struct zygote *z)
{
    if (z->control_fd >= 0 && !z->has_hello && z->pid > 0) {
        (void)kill(z->pid, SIGKILL);   /* the control socket is open: nobody has reaped it */
        z->told = z->told || !z->late; /* a module that we did not wait for has not failed */
    }
    close_control(z);
}

/* It does not keep to the protocol, or does not get ready: nothing it says can be trusted. */
static void give_up(struct zygote *z, const char *why)
{
    log_error("pool", "zygote killed", "language=%s pid=%d why=\"%s\"", z->language, (int)z->pid,
              why);
    close_control(z);
    (void)kill(z->pid, SIGKILL); /* it is our unreaped child: the pid is still its own */
}

static void on_hello(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    if (z->has_hello || wire_hello_read(frame->content, &z->hello, &e) < 0) {
        give_up(z, z->has_hello ? "second hello" : e.text);
        return;
    }
    if (z->hello.version != WIRE_VERSION) {
        give_up(z, "wire version differs: broker and worker are of different builds");
        return;
    }
    z->has_hello = true;
    loop_timer_cancel(z->hello_timer);
    log_info("pool", "zygote ready", "kind=%s language=%s version=%s host=%s pid=%d ms=%.1f",
             z->loading[0] != '\0' ? "warm" : "bare", z->language, z->hello.language_version,
             z->hello.host, (int)z->pid, (double)(clock_us() - z->started_us) / 1000.0);
    z->sink->ready(z->arg, z);
}

static void log_preload(struct zygote *z, const char *what, const char *text)
{
    log_warn("pool", what, "language=%s module=%s why=\"%s\"", z->language, z->loading, text);
}

static void on_preload(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    struct wire_preload preload;
    if (z->has_hello || wire_preload_read(frame->content, &preload, &e) < 0) {
        give_up(z, z->has_hello ? "preload after hello" : e.text);
        return;
    }
    (void)snprintf(z->loading, sizeof z->loading, "%s", preload.module);
    if (preload.stage == PRELOAD_BEGINS) {
        z->told = false;
        loop_timer_set(z->hello_timer, z->preload_ms);
    } else if (preload.stage == PRELOAD_PRINTED) {
        log_preload(z, "preload printed", preload.text);
    } else if (!z->told) {
        z->told = true;
        log_preload(z, "preload failed", preload.text);
    }
}

static void on_forked(struct zygote *z, const struct wire_frame *frame, int *pidfd)
{
    struct err e = ERR_NONE;
    int pid = 0;
    if (*pidfd < 0 || wire_forked_read(frame->content, &pid, &e) < 0) {
        give_up(z, "forked without pid or pidfd");
        return;
    }
    z->sink->forked(z->arg, frame->exec, pid, take_fd(pidfd));
}

static void on_exited(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    struct wire_exited exited;
    if (wire_exited_read(frame->content, &exited, &e) < 0) {
        give_up(z, e.text);
        return;
    }
    z->sink->exited(z->arg, &exited);
}

static void on_failed(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf why = BUF_INIT(ZYGOTE_FRAME_MAX);
    if (jscan_check(frame->content, JSCAN_STRICT, JSON_DEPTH_MAX, &e) < 0 ||
        jscan_string(jscan_get(frame->content, "error"), &why) < 0) {
        give_up(z, "failure without a reason");
        return;
    }
    z->sink->failed(z->arg, frame->exec, buf_text(&why));
}

static void on_frame(struct zygote *z, const struct wire_frame *frame, int *pidfd)
{
    if (frame->type == WIRE_HELLO) {
        on_hello(z, frame);
    } else if (frame->type == WIRE_PRELOAD) {
        on_preload(z, frame);
    } else if (frame->type == WIRE_FORKED) {
        on_forked(z, frame, pidfd);
    } else if (frame->type == WIRE_EXITED) {
        on_exited(z, frame);
    } else if (frame->type == WIRE_FAILED) {
        on_failed(z, frame);
    } else {
        give_up(z, "message of another route");
    }
}

static void on_datagram(struct zygote *z, struct slice data, int *pidfd)
{
    struct err e = ERR_NONE;
    struct wire_frame frame;
    if (wire_reader_feed(&z->reader, data, &e) < 0 ||
        wire_reader_next(&z->reader, &frame, &e) != 1) {
        give_up(z, e.text[0] ? e.text : "incomplete datagram");
        return;
    }
    on_frame(z, &frame, pidfd);
}

/* Reads one datagram; false when there is none. */
static bool read_control(struct zygote *z)
{
    char data[ZYGOTE_FRAME_MAX];
    int fds[FD_PASS_MAX];
    size_t count = 0;
    struct err e = ERR_NONE;

    ssize_t n = fd_receive(z->control_fd, data, sizeof data, fds, &count, &e);
    if (n < 0 && e.sys == EAGAIN) {
        return false;
    }
    if (n <= 0) {
        close_control(z); /* the reaper will say what happened */
        return false;
    }
    _cleanup_(drop_fd) int pidfd = count > 0 ? fds[0] : -1;
    for (size_t i = 1; i < count; i++) {
        close(fds[i]);
    }
    on_datagram(z, (struct slice){.data = data, .len = (size_t)n}, &pidfd);
    return true;
}

static void on_control(void *arg, uint32_t events)
{
    (void)events;            /* a hang-up shows as the end of the stream */
    (void)read_control(arg); /* level-triggered: the loop calls again for the rest */
}

static void on_hello_late(void *arg)
{
    struct zygote *z = arg;
    if (zygote_blamed(z) == NULL) {
        give_up(z, "no hello in time");
        return;
    }
    z->late = true; /* told when it is reaped */
    zygote_stop(z);
}

static void log_words(const struct zygote *z, const char *text)
{
    log_warn("pool", "zygote says", "language=%s text=\"%s\"", z->language, text);
}

/* Returns false at the end. */
static bool read_words(struct zygote *z)
{
    char chunk[512];
    ssize_t n = read(z->words_fd, chunk, sizeof chunk - 1);
    if (n <= 0) {
        return n < 0 && errno == EINTR;
    }
    chunk[n] = '\0';
    log_words(z, chunk);
    if (z->words.len + (size_t)n > z->words.limit) {
        buf_shift(&z->words, z->words.len + (size_t)n - z->words.limit);
    }
    (void)buf_add(&z->words, chunk, (size_t)n); /* room was just made */
    return true;
}

static void on_words(void *arg, uint32_t events)
{
    struct zygote *z = arg;
    (void)events; /* only EPOLLIN and the end are possible */
    if (!read_words(z) && errno != EAGAIN) {
        loop_fd_free(take(z->words_source));
    }
}

static int watch(struct zygote *z, struct err *e)
{
    if (fd_set_nonblocking(z->control_fd, e) < 0 || fd_set_nonblocking(z->words_fd, e) < 0 ||
        loop_add_fd(z->loop, z->control_fd, EPOLLIN, on_control, z, &z->control, e) < 0 ||
        loop_add_fd(z->loop, z->words_fd, EPOLLIN, on_words, z, &z->words_source, e) < 0) {
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
    z->words_fd = -1;
    z->words = BUF_INIT(ZYGOTE_WORDS_MAX);
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
    int words[2];
    if (fd_socketpair(SOCK_SEQPACKET, pair, e) < 0) {
        return -1;
    }
    _cleanup_(drop_zygote) struct zygote *z = zygote_new(loop, options, sink, arg);
    z->control_fd = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    if (fd_pipe(words, e) < 0) {
        return -1;
    }
    z->words_fd = words[0];
    _cleanup_(drop_fd) int their_words = words[1];
    if (watch(z, e) < 0) {
        return -1;
    }
    struct spawn_request spawn = {.path = options->path,
                                  .argv = options->argv,
                                  .control_fd = theirs,
                                  .lifeline_fd = options->lifeline_fd,
                                  .output_fd = their_words,
                                  .descriptor_limit = options->descriptor_limit};
    if (spawn_program(&spawn, &z->pid, e) < 0) {
        return err_wrap(e, "%s worker", options->language);
    }
    *out = take(z);
    return 0;
}

int zygote_fork(struct zygote *z, uint64_t ticket, const int *fds, struct err *e)
{
    if (!zygote_is_usable(z)) {
        return err_set(e, ERR_GONE, "the %s zygote is gone", z->language);
    }
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    struct wire_frame frame = {.type = WIRE_FORK, .exec = ticket};
    if (wire_encode(&out, &frame, e) < 0) {
        return -1;
    }
    int sent = fd_send(z->control_fd, buf_slice(&out), fds, FORK_FDS, e);
    /* It has ended and is not reaped yet: as for a request it did not read, the reaper tells why.
     */
    return sent < 0 && e->sys == EPIPE ? 0 : sent;
}

/* The last line it wrote is usually the reason. */
static const char *last_line(struct buf *words)
{
    while (words->len > 0 && (words->data[words->len - 1] == '\n')) {
        words->data[--words->len] = '\0';
    }
    const char *text = buf_text(words);
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
    /* What it still had to say about its contexts lies in the socket. */
    while (zygote_is_usable(z) && read_control(z)) {
    }
    close_control(z);
    while (read_words(z)) {
    }
    char why[400];
    const char *line = last_line(&z->words);
    if (line[0] != '\0') {
        (void)snprintf(why, sizeof why, "%s", line);
    } else {
        describe_end(z, status, why, sizeof why);
    }
    if (zygote_blamed(z) != NULL && !z->told) {
        log_preload(z, "preload failed", why);
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
    loop_fd_free(z->words_source);
    drop_fd(&z->words_fd);
    loop_timer_free(z->hello_timer);
    wire_reader_done(&z->reader);
    buf_done(&z->words);
    free(z->language);
    free(z);
}
