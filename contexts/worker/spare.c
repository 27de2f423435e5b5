/* SPDX-License-Identifier: MIT */
#include "contexts/worker/spare.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/bounds.h"
#include "base/fd.h"

int spare_open(struct spare *s, const char *policy, int *theirs, struct err *e)
{
    int pair[2];
    spare_close(s);
    if (fd_socketpair(SOCK_SEQPACKET, pair, e) < 0) {
        return -1;
    }
    s->fd = pair[0];
    (void)snprintf(s->policy, sizeof s->policy, "%s", policy);
    *theirs = pair[1];
    return 0;
}

void spare_close(struct spare *s)
{
    drop_fd(&s->fd);
    *s = SPARE_NONE;
}

bool spare_fits(const struct spare *s, const struct fork_order *order)
{
    return s->pid != 0 && strcmp(s->policy, order->fork.policy) == 0;
}

int spare_send(struct spare *s, const struct fork_order *order, struct err *e)
{
    _cleanup_(drop_buf) struct buf content = BUF_INIT(KIB);
    int fds[FD_PASS_MAX];
    (void)wire_fork_add(&content, &order->fork); /* names of bounded length: it fits */
    for (size_t i = 0; i < order->fork.descriptor_count; i++) {
        fds[i] = order->fds[order->fork.descriptors[i]];
    }
    int failed = fd_send(s->fd, buf_slice(&content), fds, order->fork.descriptor_count, e);
    spare_close(s);
    return failed;
}

int spare_wait(int fd, struct fork_order *out)
{
    char content[KIB];
    int fds[FD_PASS_MAX];
    size_t count = 0;
    struct err e = ERR_NONE;
    ssize_t n = fd_receive(fd, content, sizeof content, fds, &count, &e);
    return n <= 0 ? -1 : order_read((struct slice){content, (size_t)n}, fds, count, out, &e);
}
