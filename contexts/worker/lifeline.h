/* SPDX-License-Identifier: MIT */
/* lifeline.h - a context must not outlive the broker, not even one that is stuck in a loop after
 * the broker was killed. The lifeline is the read end of a pipe whose write end only the broker
 * holds; the kernel itself sends SIGKILL to the context's process group when that end closes.
 * (A parent-death signal would not do: the parent is the zygote, which contexts may outlive.) */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/* Ties this process's group to the pipe behind `fd`. Gives a descriptor of its own that must stay
 * open for life: owner and signal belong to the open file, which `fd` shares with the zygote. */
MUST_CHECK int lifeline_tie(int fd, struct err *e);

/* True when the broker is gone already. */
bool lifeline_is_cut(int fd);
