/* SPDX-License-Identifier: MIT */
/* zygote_frames.c - what a zygote sends: its hello, how its modules load, answers to orders,
 * deaths. One that does not keep to the protocol is killed. */
#include <errno.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "contexts/pool/zygote_impl.h"

static void on_hello(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    if (z->has_hello || wire_hello_read(frame->content, &z->hello, &e) < 0) {
        zygote_give_up(z, z->has_hello ? "second hello" : e.text);
        return;
    }
    if (z->hello.version != WIRE_VERSION) {
        zygote_give_up(z, "wire version differs: broker and worker are of different builds");
        return;
    }
    z->has_hello = true;
    loop_timer_cancel(z->hello_timer);
    log_info("pool", "zygote ready", "kind=%s language=%s version=%s host=%s pid=%d ms=%.1f",
             z->loading[0] != '\0' ? "warm" : "bare", z->language, z->hello.language_version,
             z->hello.host, (int)z->pid, (double)(clock_us() - z->started_us) / 1000.0);
    z->sink->ready(z->arg, z);
}

void zygote_log_preload(struct zygote *z, const char *what, const char *text)
{
    log_warn("pool", what, "language=%s module=%s why=\"%s\"", z->language, z->loading, text);
}

static void on_preload(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    struct wire_preload preload;
    if (z->has_hello || wire_preload_read(frame->content, &preload, &e) < 0) {
        zygote_give_up(z, z->has_hello ? "preload after hello" : e.text);
        return;
    }
    (void)snprintf(z->loading, sizeof z->loading, "%s", preload.module);
    if (preload.stage == PRELOAD_BEGINS) {
        z->is_logged = false;
        loop_timer_set(z->hello_timer, z->preload_ms);
    } else if (preload.stage == PRELOAD_PRINTED) {
        zygote_log_preload(z, "preload printed", preload.text);
    } else if (!z->is_logged) {
        z->is_logged = true;
        zygote_log_preload(z, "preload failed", preload.text);
    }
}

static void on_forked(struct zygote *z, const struct wire_frame *frame, int *pidfd)
{
    struct err e = ERR_NONE;
    int pid = 0;
    if (*pidfd < 0 || wire_forked_read(frame->content, &pid, &e) < 0) {
        zygote_give_up(z, "forked without pid or pidfd");
        return;
    }
    z->sink->forked(z->arg, frame->exec, pid, take_fd(pidfd));
}

static void on_exited(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    struct wire_exited exited;
    if (wire_exited_read(frame->content, &exited, &e) < 0) {
        zygote_give_up(z, e.text);
        return;
    }
    z->sink->exited(z->arg, frame->exec, &exited);
}

static void on_failed(struct zygote *z, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    struct wire_failed failed;
    if (wire_failed_read(frame->content, &failed, &e) < 0) {
        zygote_give_up(z, e.text);
        return;
    }
    z->sink->failed(z->arg, frame->exec, failed.error);
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
        zygote_give_up(z, "message of another route");
    }
}

static void on_datagram(struct zygote *z, struct slice data, int *pidfd)
{
    struct err e = ERR_NONE;
    struct wire_frame frame;
    if (wire_reader_feed(&z->reader, data, &e) < 0 ||
        wire_reader_next(&z->reader, &frame, &e) != 1) {
        zygote_give_up(z, e.text[0] ? e.text : "incomplete datagram");
        return;
    }
    on_frame(z, &frame, pidfd);
}

bool zygote_read_control(struct zygote *z)
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
        zygote_close_control(z); /* the reaper will report what happened */
        return false;
    }
    _cleanup_(drop_fd) int pidfd = count > 0 ? fds[0] : -1;
    for (size_t i = 1; i < count; i++) {
        close(fds[i]);
    }
    on_datagram(z, (struct slice){.data = data, .len = (size_t)n}, &pidfd);
    return true;
}
