/* SPDX-License-Identifier: MIT */
#include "contexts/worker/spare.h"

#include <sys/socket.h>

#include "base/fd.h"

int spare_open(struct spare *s, int *theirs, struct err *e)
{
    int pair[2];
    if (fd_socketpair(SOCK_SEQPACKET, pair, e) < 0) {
        return -1;
    }
    s->fd = pair[0];
    *theirs = pair[1];
    return 0;
}

void spare_close(struct spare *s)
{
    drop_fd(&s->fd);
    *s = (struct spare){.fd = -1};
}

int spare_send(struct spare *s, const int fds[FORK_FDS], struct err *e)
{
    int failed = fd_send(s->fd, SLICE_LIT("."), fds, FORK_FDS, e);
    spare_close(s);
    return failed;
}

int spare_wait(int fd, int fds[FORK_FDS])
{
    char byte = 0;
    int received[FD_PASS_MAX];
    size_t count = 0;
    struct err e = ERR_NONE;
    if (fd_receive(fd, &byte, sizeof byte, received, &count, &e) <= 0 || count != FORK_FDS) {
        return -1;
    }
    memcpy(fds, received, FORK_FDS * sizeof *fds);
    return 0;
}
