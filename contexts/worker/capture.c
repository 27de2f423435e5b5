/* SPDX-License-Identifier: MIT */
#include "contexts/worker/capture.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>

#include "base/fd.h"

void capture_init(struct capture *c, int out_read, int err_read)
{
    *c = (struct capture){.fds = {out_read, err_read}};
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        struct err e = ERR_NONE;
        if (fd_set_nonblocking(c->fds[i], &e) < 0) { /* not a pipe we could ever read */
            drop_fd(&c->fds[i]);
            c->fds[i] = -1;
        }
    }
}

void capture_close(struct capture *c)
{
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        drop_fd(&c->fds[i]);
        c->fds[i] = -1;
    }
}

bool capture_is_ready(const struct capture *c)
{
    struct pollfd pipes[CAPTURE_PIPES];
    for (int i = 0; i < CAPTURE_PIPES; i++) {
        pipes[i] = (struct pollfd){.fd = c->fds[i], .events = POLLIN};
    }
    if (poll(pipes, CAPTURE_PIPES, 0) < 0) {
        return true; /* a signal came between; whoever looks closer will find out */
    }
    return ((pipes[STREAM_STDOUT].revents | pipes[STREAM_STDERR].revents) & POLLIN) != 0;
}

size_t capture_waiting(const struct capture *c, enum stream_kind kind)
{
    int count = 0;
    if (c->fds[kind] < 0 || ioctl(c->fds[kind], FIONREAD, &count) < 0 || count < 0) {
        return 0;
    }
    return (size_t)count;
}

size_t capture_read(const struct capture *c, enum stream_kind kind, char *out, size_t max)
{
    ssize_t n = 0;
    do {
        n = read(c->fds[kind], out, max);
    } while (n < 0 && errno == EINTR);
    return n > 0 ? (size_t)n : 0;
}
