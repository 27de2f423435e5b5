/* SPDX-License-Identifier: MIT */
/* fd.h - descriptors: close-on-exec from birth, passing them, whole reads and writes. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Gives two connected, close-on-exec sockets of `type` (SOCK_STREAM, SOCK_SEQPACKET). */
MUST_CHECK int fd_socketpair(int type, int pair[2], struct err *e);

/* Gives a close-on-exec pipe: ends[0] reads, ends[1] writes. */
MUST_CHECK int fd_pipe(int ends[2], struct err *e);

MUST_CHECK int fd_set_nonblocking(int fd, struct err *e);

/* Writes all of it on a blocking descriptor; interrupted and short writes go on. */
MUST_CHECK int fd_write_all(int fd, const void *data, size_t len, struct err *e);

/* Reads the file `path` whole; ERR_LIMIT when it does not fit into `out`. */
MUST_CHECK int fd_read_file(const char *path, struct buf *out, struct err *e);

/* Replaces `path` by `data` in one step (temporary file in the same folder, fsync, rename). */
MUST_CHECK int fd_write_file(const char *path, struct slice data, mode_t mode, struct err *e);

/* Most descriptors that one message may carry. */
enum { FD_PASS_MAX = 8 };

/* Sends one message with descriptors (SCM_RIGHTS); they stay open here. */
MUST_CHECK int fd_send(int sock, struct slice data, const int *fds, size_t count, struct err *e);

/* Receives one message; gives `*count` descriptors (at most FD_PASS_MAX), close-on-exec.
 * Returns its length, 0 at the end of the stream, -1 on failure (e->sys EAGAIN: nothing there;
 * ERR_LIMIT: it did not fit and is lost, its descriptors closed). */
MUST_CHECK ssize_t fd_receive(int sock, void *data, size_t cap, int *fds, size_t *count,
                              struct err *e);

/* Raises the soft limit of open descriptors to the hard one. Returns the soft limit as it was, for
 * programs that we start; 0 when it is not known. */
size_t fd_raise_limit(void);
