/* SPDX-License-Identifier: MIT */
/* birth.h - a fork of the zygote becomes a context of its own: session and process group,
 * descriptors, lifeline. Not here: signals (fork_server.c), what it then does (worker.h). */
#pragma once

#include "contexts/wire/msg.h"
#include "contexts/worker/worker.h"

/* `fds` came with FORK, in the order of enum wire_fork_fd; all are taken. Afterwards 0 is empty,
 * 1 and 2 are the pipes, `*out` is out of the way of user code, and nothing else is open. */
MUST_CHECK int birth_settle(const int fds[FORK_FDS], struct worker_fds *out, struct err *e);
