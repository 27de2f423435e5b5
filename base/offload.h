/* SPDX-License-Identifier: MIT */
/* offload.h - one side thread for work that may block: SQLite, the memory maps in /proc.
 * Tasks run one at a time, in the order in which they were submitted: `work` on the side thread,
 * `done` afterwards on the loop's. All functions here belong to the loop's thread.
 * Not here: what the work is. Data that `work` uses must be its own until `done`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct loop;
struct offload;

struct offload_task {
    void (*work)(void *arg); /* side thread; may block, must end */
    void (*done)(void *arg); /* loop thread; may submit, must not drain or free */
    /* Side thread, after `work`: true when nobody waits for `done`. It is then called when the
     * loop is awake anyhow, and must do nothing that others see. NULL: somebody always waits. */
    bool (*is_quiet)(void *arg);
    void *arg;
};

/* Starts the thread, with all signals blocked. At most `queue_max` tasks are open at once, from
 * their submission to the end of their `done`. Borrows `loop` for life; gives `*out`. */
MUST_CHECK int offload_new(struct loop *loop, size_t queue_max, struct offload **out,
                           struct err *e);

/* Finishes what is queued, for at most `deadline_ms`, then drops the rest and ends the thread.
 * A task that never ran gets its `done` all the same. Only when `work` itself still blocks at the
 * deadline is the thread left to end alone; the `done` of that one task is never called. */
void offload_free(struct offload *o, int64_t deadline_ms);

/* Queues a copy of `task`; its `done` will be called exactly once. ERR_LIMIT when the queue is
 * full: nothing will be called, and the refusal is counted. */
MUST_CHECK int offload_submit(struct offload *o, const struct offload_task *task, struct err *e);

/* How many tasks were refused. */
uint64_t offload_dropped(const struct offload *o);

/* Blocks until every task is done, those submitted meanwhile by a `done` included: for the end of
 * the process. ERR_TIMEOUT after `deadline_ms`. */
MUST_CHECK int offload_drain(struct offload *o, int64_t deadline_ms, struct err *e);

/* For _cleanup_: drops what waits. */
static inline void drop_offload(struct offload **o)
{
    offload_free(*o, 0);
}
