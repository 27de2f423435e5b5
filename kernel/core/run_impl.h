/* SPDX-License-Identifier: MIT */
/* run_impl.h - the inside of a run, for run.c (its way in), run_events.c (what its job reports) and
 * run_ask.c (questions to the client). */
#pragma once

#include "contexts/pool/job.h"
#include "kernel/core/broker_impl.h"
#include "kernel/core/run.h"

/* A question that the code asks through the door. */
struct question {
    bool is_open;
    struct buf content;       /* while nobody is there to be asked */
    int64_t until_ms;         /* clock_ms() */
    struct loop_timer *timer; /* NULL: nothing was ever asked */
};

struct run {
    struct door *door;
    enum request_kind kind;
    const struct run_listener *listener;
    void *arg; /* the listener's */
    struct run **handle;
    struct context *context; /* lent; NULL until one is selected. It outlives the job */
    bool silent;             /* of an execution */
    bool keeps_history;      /* likewise */
    bool is_detached;        /* the side thread answers: the run outlives its job until then */
    char *label;             /* and its context, perhaps: its broker_label, kept */
    char *code;              /* raw JSON string of an execution, until it has started */
    size_t code_len;
    int64_t line;       /* execution count, when the execution goes into the history; else 0 */
    struct buf content; /* of a request that is answered here */
    struct question question;
};

/* Ends the run with a failure that is not the code's own. `evalue` says the reason and more. */
void run_fail(struct run *run, const char *ename, const char *reason, const char *evalue,
              int64_t execution_count);

void run_free(struct run *run);

/* How a run listens to its job; `arg` is the run, taken. */
extern const struct job_sink run_job_events;

/* run_ask.c */
void run_ask(struct run *run, struct slice content);
void question_done(struct question *q);
