/* SPDX-License-Identifier: MIT */
/* birth.h - how a fork of the zygote becomes a context of its own: the order it is made for, its
 * session and process group, its descriptors, and the lifeline that ties it to the broker.
 * Not here: signals (orders.c), what it then does (worker.h). */
#pragma once

#include <stdbool.h>

#include "contexts/wire/msg.h"
#include "contexts/worker/worker.h"

/* FORK as it came. */
struct fork_order {
    struct wire_fork fork;
    int fds[FORK_FDS]; /* its descriptors, by what they are */
};

/* Reads the content of FORK, with which the `count` descriptors `fds` came. ERR_PROTO when it is
 * malformed, ERR_INPUT when this build does not know the policy. */
MUST_CHECK int order_read(struct slice content, const int *fds, size_t count,
                          struct fork_order *out, struct err *e);

/* In the child: takes the descriptors of `order`. Afterwards 0 is empty, 1 and 2 are the pipes,
 * `*out` is out of the way of user code, and nothing else is open. */
MUST_CHECK int birth_settle(const struct fork_order *order, struct worker_fds *out, struct err *e);

/* The lifeline: a context must not outlive the broker, not even one that is stuck in a loop after
 * the broker was killed. It is the read end of a pipe whose write end only the broker holds; the
 * kernel itself sends SIGKILL to the context's process group when that end closes. (A parent-death
 * signal would not do: the parent is the zygote, which contexts may outlive.)
 * Ties this process's group to the pipe behind `fd`. Gives a descriptor of its own that must stay
 * open for life: owner and signal belong to the open file, which `fd` shares with the zygote. */
MUST_CHECK int lifeline_tie(int fd, struct err *e);

/* True when the broker is gone already. */
bool lifeline_is_cut(int fd);
