/* SPDX-License-Identifier: MIT */
#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/mem.h"

int fd_socketpair(int type, int pair[2], struct err *e)
{
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) < 0) {
        return err_sys(e, "socketpair");
    }
    return 0;
}

int fd_pipe(int ends[2], struct err *e)
{
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return err_sys(e, "pipe");
    }
    return 0;
}

int fd_set_nonblocking(int fd, struct err *e)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        return err_sys(e, "fcntl(O_NONBLOCK)");
    }
    return 0;
}

int fd_write_all(int fd, const void *data, size_t len, struct err *e)
{
    const char *p = data;
    while (len > 0) {
        ssize_t n = write(fd, p, len);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return err_sys(e, "write");
        }
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

int fd_read_file(const char *path, struct buf *out, struct err *e)
{
    _cleanup_(drop_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_sys(e, "%s", path);
    }
    for (;;) {
        char chunk[8192];
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return err_sys(e, "%s", path);
        }
        if (n == 0) {
            return 0;
        }
        if (buf_add(out, chunk, (size_t)n) < 0) {
            return err_set(e, ERR_LIMIT, "%s: larger than %zu bytes", path, out->limit);
        }
    }
}

int fd_write_file(const char *path, struct slice data, mode_t mode, struct err *e)
{
    _cleanup_(drop_free) char *temp = xasprintf("%s.XXXXXX", path);
    _cleanup_(drop_fd) int fd = mkostemp(temp, O_CLOEXEC);
    if (fd < 0) {
        return err_sys(e, "%s", path);
    }
    if (fchmod(fd, mode) < 0 || fd_write_all(fd, data.data, data.len, e) < 0 || fsync(fd) < 0 ||
        rename(temp, path) < 0) {
        int failed = err_sys(e, "%s", path);
        (void)unlink(temp); /* the failure is already being reported */
        return failed;
    }
    return 0;
}

int fd_send(int sock, struct slice data, const int *fds, size_t count, struct err *e)
{
    union {
        struct cmsghdr align;
        char room[CMSG_SPACE(FD_PASS_MAX * sizeof(int))];
    } control = {0};
    struct iovec iov = {.iov_base = (void *)(uintptr_t)data.data, .iov_len = data.len};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};

    if (count > FD_PASS_MAX) {
        return err_set(e, ERR_LIMIT, "%zu descriptors in one message", count);
    }
    if (count > 0) {
        msg.msg_control = control.room;
        msg.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(c), fds, count * sizeof(int));
    }
    ssize_t n = 0;
    do {
        n = sendmsg(sock, &msg, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        return err_sys(e, "sendmsg");
    }
    if ((size_t)n != data.len) {
        return err_set(e, ERR_SYS, "sendmsg: %zd of %zu bytes", n, data.len);
    }
    return 0;
}

/* Collects the descriptors of a message; what does not fit is closed at once. */
static void collect_fds(struct msghdr *msg, int *fds, size_t *count)
{
    *count = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd = -1;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
            if (*count < FD_PASS_MAX) {
                fds[(*count)++] = fd;
            } else {
                close(fd);
            }
        }
    }
}

ssize_t fd_receive(int sock, void *data, size_t cap, int *fds, size_t *count, struct err *e)
{
    union {
        struct cmsghdr align;
        char room[CMSG_SPACE(FD_PASS_MAX * sizeof(int))];
    } control = {0};
    struct iovec iov = {.iov_base = data, .iov_len = cap};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = control.room,
                         .msg_controllen = sizeof control.room};
    ssize_t n = 0;
    do {
        n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        return err_sys(e, "recvmsg");
    }
    int seen[FD_PASS_MAX];
    size_t seen_count = 0;
    collect_fds(&msg, seen, &seen_count);
    if ((msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) { /* half a message is none */
        for (size_t i = 0; i < seen_count; i++) {
            close(seen[i]);
        }
        return err_set(e, ERR_LIMIT, "a message of more than %zu bytes or %d descriptors", cap,
                       FD_PASS_MAX);
    }
    memcpy(fds, seen, seen_count * sizeof *fds);
    *count = seen_count;
    return n;
}

size_t fd_raise_limit(void)
{
    struct rlimit limit = {0};
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) {
        return 0;
    }
    struct rlimit raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    (void)setrlimit(RLIMIT_NOFILE, &raised); /* without it there is room for fewer contexts */
    return (size_t)limit.rlim_cur;
}
