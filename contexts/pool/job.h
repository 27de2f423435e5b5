/* SPDX-License-Identifier: MIT */
/* job.h - one request on its way through a context, and the calls by which its owner hears of it.
 * Calls come on the loop's thread. started comes at most once and before any output; ended exactly
 * once; output may still come after it (threads that print on); release is the last call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/buf.h"
#include "contexts/pool/death.h"
#include "contexts/wire/msg.h"

struct budget;

enum job_end {
    JOB_REPLIED, /* `content` is the reply's content, as the worker wrote it */
    JOB_TURN,    /* its turn has come; the owner itself answers */
    JOB_ABORTED, /* an earlier error or interrupt emptied the queue */
    JOB_REFUSED, /* never started: `reason` */
    JOB_DIED     /* the context ended under it: `death` */
};

struct job_result {
    enum job_end end;
    bool failed; /* status is not ok */
    struct slice content;
    const struct death *death;
    const struct err *reason;
    int64_t execution_count;
    int exit_code; /* of JOB_REPLIED: that the code asked for, 0 to 255; -1: it asked for none */
};

struct job_sink {
    void (*started)(void *arg, int64_t execution_count);
    void (*output)(void *arg, enum wire_type type, struct slice content,
                   const struct slice *buffers, size_t buffer_count);
    void (*ended)(void *arg, const struct job_result *result);
    void (*release)(void *arg); /* frees `arg` */
};

/* Who hears a job: each door of a broker has a number. */
enum { READERS_MAX = 32 };

/* What to do; borrowed by job_new, which copies. */
struct job_request {
    enum wire_type type; /* WIRE_EXECUTE, WIRE_IS_COMPLETE, ...; ignored when `is_turn` */
    bool is_turn;        /* only waits for its turn; its owner answers it */
    bool needs_process;  /* of `is_turn`: also waits until the context is ready */
    unsigned reader;     /* below READERS_MAX; see context_pause */
    struct slice content;
    const struct slice *buffers; /* binary parts that travel with it */
    size_t buffer_count;
    struct slice env;         /* raw JSON object for this run; empty: none */
    struct slice header;      /* raw JSON object: what the client calls this run; empty: none */
    int64_t timeout_ms;       /* from the start of the execution; 0: none */
    int64_t queue_timeout_ms; /* from now to the start; 0: none */
    int64_t cell_sent_ms; /* by the clock of a notebook that sends cells at once; 0: not a cell */
    size_t output_bytes;  /* of streams and displays; 0: no limit */
    bool silent;
    bool store_history;
    bool stop_on_error;
    bool allow_stdin;
    bool overtakes;   /* reaches a cell that awaits at once, whatever waits in the queue */
    bool runs_to_end; /* as a program: all that the cell leaves behind belongs to the run */
};

struct job {
    TAILQ_ENTRY(job) link;
    struct job_request request; /* its slices show `copy` */
    char *copy;                 /* content, environment, header, buffers; NULL once dropped */
    size_t bytes;               /* content and buffers: what it counts in the queue */
    const struct job_sink *sink;
    void *arg;
    bool has_ended;
    int64_t start_by_ms;   /* clock_ms() at which it must have started; 0: any time */
    struct budget *budget; /* NULL: no limit */

    /* Of its execution. */
    uint64_t exec; /* set when sent to the worker */
    int64_t execution_count;
    int interrupts;  /* sent so far */
    bool timed_out;  /* its time is over; what the worker sends of it is rewritten */
    bool asks_input; /* it waits for an answer of its client */
    bool listens;    /* it awaits, and takes comm messages meanwhile */
};

TAILQ_HEAD(job_queue, job);

/* Takes `arg`: it is released with the job. */
struct job *job_new(const struct job_request *request, const struct job_sink *sink, void *arg);

/* Lends the job's own copy of the content, for changes that keep its length, before it is
 * submitted. */
char *job_content(struct job *job);

/* Frees the copy early (it has been sent) and keeps the job for late output. */
void job_drop_content(struct job *job);

/* Is it a request of this type that is sent to the worker? */
bool job_is(const struct job *job, enum wire_type type);

/* Passes output to the owner, as far as the job's budget goes. */
void job_output(struct job *job, enum wire_type type, struct slice content,
                const struct slice *buffers, size_t buffer_count);

/* Passes on what the budget kept back, and how much is missing. */
void job_flush(struct job *job);

/* Calls `ended` once; later calls do nothing. */
void job_end(struct job *job, const struct job_result *result);
void job_free(struct job *job);
