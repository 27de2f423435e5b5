/* SPDX-License-Identifier: MIT */
/* timeout.h - an execution past its time is interrupted; what the worker then sends of it (an
 * interrupt) is rewritten as a timeout, its traceback kept. */
#pragma once

#include "base/buf.h"

struct context;
struct death;
struct job;

/* Starts the clock of the job that has just started. */
void timeout_start(struct context *c);

/* The job has ended. */
void timeout_cancel(struct context *c);

/* Appends the content of `error` (`reply` false) or of the reply, rewritten for a job that ran
 * out of time. `content` is what the worker sent. */
enum timeout_form { TIMEOUT_OUTPUT, TIMEOUT_REPLY };

void timeout_rewrite(const struct job *job, enum timeout_form form, struct slice content,
                     struct buf *out);

/* Describes the death of a context that had to be killed for a job's timeout likewise. */
void timeout_describe(const struct job *job, struct death *death);

/* Ends queued jobs that had to start by now, and watches the next. */
void timeout_watch_queue(struct context *c);
