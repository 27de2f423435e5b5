/* SPDX-License-Identifier: MIT */
/* lifeline.c - see birth.h. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include "contexts/worker/birth.h"

int lifeline_tie(int fd, struct err *e)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    _cleanup_(drop_fd) int own = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0) {
        return err_sys(e, "lifeline: %s", path);
    }
    /* The order matters: nothing may be sent before receiver and signal are the right ones. */
    if (fcntl(own, F_SETOWN, -getpgrp()) < 0 || fcntl(own, F_SETSIG, SIGKILL) < 0 ||
        fcntl(own, F_SETFL, O_NONBLOCK | O_ASYNC) < 0) {
        return err_sys(e, "lifeline: fcntl");
    }
    return take_fd(&own);
}

bool lifeline_is_cut(int fd)
{
    struct pollfd end = {.fd = fd};
    return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}
