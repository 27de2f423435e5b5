/* SPDX-License-Identifier: MIT */
/* proc.h - facts about processes: pidfds, children, threads. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

/* Gives a close-on-exec pidfd. */
MUST_CHECK int proc_pidfd_open(pid_t pid, struct err *e);

/* Lists up to `max` direct children of this process, adopted ones included; returns how many. */
size_t proc_children(pid_t *out, size_t max);

/* Number of threads of this process; 0 when /proc is not there. */
size_t proc_thread_count(void);
