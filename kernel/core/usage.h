/* SPDX-License-Identifier: MIT */
/* usage.h - how much the kernel and its machine use: the content of a usage_reply, with the
 * members that ipykernel takes from psutil. Reading the memory of a process walks its page
 * tables, for milliseconds when it is large: this belongs on the side thread (base/offload.h). */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

/* What the last reading saw: percentages are of the time since. Starts zeroed; one thread at a
 * time. */
struct usage {
    int64_t at_us;              /* 0: there was none */
    struct usage_process *seen; /* by process id */
    size_t count;
    uint64_t host_busy; /* clock ticks */
    uint64_t host_total;
};

void usage_done(struct usage *u);
DEFINE_DROP_VALUE(usage, struct usage, usage_done)

/* Appends the JSON object about the process `broker`, the `count` processes `pids`, and all that
 * descend from them, each counted once; those that are gone count nothing. kernel_cpu is in per
 * cent of one processor; host_cpu_percent is left out where there is nothing to compare with.
 * -1 at the ceiling of `out`. */
int usage_read(struct usage *u, struct buf *out, const pid_t *pids, size_t count, pid_t broker);
