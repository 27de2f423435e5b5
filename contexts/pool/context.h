/* SPDX-License-Identifier: MIT */
/* context.h - one context: a queue of jobs, and the process, forked from a zygote, that runs them.
 *
 *   NONE -> FORKING -> STARTING -> IDLE <-> BUSY
 *     ^                                |
 *     +---------- DYING <--------------+      dead contexts come back with the next job
 *
 * Jobs run in the order in which they came. Everything the process sends is untrusted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contexts/pool/job.h"

struct context;
struct pool;

enum ctx_state { CTX_NONE, CTX_FORKING, CTX_STARTING, CTX_IDLE, CTX_BUSY, CTX_DYING };

const char *context_id(const struct context *c);
const char *context_language(const struct context *c);
struct slice context_start_options(const struct context *c); /* lends START's JSON object */
enum ctx_state context_state(const struct context *c);

/* Does it belong to the notebook as a whole, not to the program that asked for it? */
bool context_is_common(const struct context *c);
pid_t context_pid(const struct context *c); /* 0 when there is no process */
int64_t context_execution_count(const struct context *c);

/* Frames that broke the rules and were dropped, since the context was made. */
size_t context_violations(const struct context *c);

/* Puts a job (taken) at the end of the queue; starts the process when there is none. */
void context_submit(struct context *c, struct job *job);

/* Reads nothing more from the process until the reader is resumed (pool_resume) that is `reader`:
 * it cannot take more at the moment. Usually called from job_sink.output. What a process leaves
 * when it dies is read all the same; the next one starts paused. */
void context_pause(struct context *c, unsigned reader);

/* The readers of its jobs since it was made, a bit for each. */
uint32_t context_readers(const struct context *c);

/* Stops what runs: SIGINT at once, again every second, SIGKILL at last. While idle it does
 * nothing; while starting it empties the queue. */
void context_interrupt(struct context *c);

/* Answers the running job's WIRE_INPUT_REQUEST. ERR_STATE when it asked nothing. */
MUST_CHECK int context_input_reply(struct context *c, struct slice content, struct err *e);

/* Ends every waiting execute with JOB_ABORTED; other requests stay. */
void context_abort_queue(struct context *c);

/* Ends the waiting job whose owner is `arg` with JOB_ABORTED; false when it does not wait here
 * (any more). */
bool context_cancel(struct context *c, const void *arg);

/* Kills the process for a fresh one: what runs ends as stopped, waiting executes as aborted. */
void context_restart(struct context *c);

/* Ends the context and all its jobs; `gone` is called when its process is reaped and the context
 * is about to be freed. No other call on it is allowed meanwhile but lookups. */
typedef void (*context_gone_fn)(void *arg);
void context_delete(struct context *c, context_gone_fn gone, void *arg);

bool context_is_doomed(const struct context *c);     /* context_delete was called */
int64_t context_created_ms(const struct context *c); /* since the epoch */
int64_t context_last_used_ms(const struct context *c);

/* Asks the process to end by itself once it is idle, exit handlers included. */
void context_stop(struct context *c);

/* Kills the process and its group. */
void context_kill(struct context *c, enum verdict verdict);
