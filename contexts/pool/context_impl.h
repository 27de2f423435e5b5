/* SPDX-License-Identifier: MIT */
/* context_impl.h - the inside of a context, shared by the files that make it up: context.c (queue,
 * sending), context_life.c (beginning and end of its lives), context_frames.c (what a process
 * sends), pool.c (the register). Nobody else includes it. */
#pragma once

#include <sys/queue.h>

#include "base/bounds.h"
#include "base/loop.h"
#include "contexts/pool/context.h"
#include "contexts/pool/life.h"

/* What outlives every process. */
struct context {
    LIST_ENTRY(context) link; /* in the pool */
    struct pool *pool;
    struct loop *loop;
    char *id;
    char *language;
    char *start_options; /* JSON content of START */
    bool is_common;
    int64_t created_ms;   /* since the epoch */
    int64_t last_used_ms; /* likewise */

    struct life *life; /* its process; NULL: none */
    int lost_forks;    /* zygotes that died under a request of ours, in a row */

    LIST_ENTRY(context) paused_link; /* in the pool, while `paused_by` is not 0 */
    uint32_t paused_by;              /* bits of the readers that are behind: nothing is read */
    uint32_t readers;                /* bits of all that have submitted a job */

    struct job_queue queue;
    size_t queue_len;
    size_t queue_bytes;
    struct job *current;
    struct job_queue aside; /* sent while `current` awaits, in the order of their answers */
    size_t aside_len;
    struct job *recent[RECENT_JOBS]; /* ring of finished executions, for late output */
    size_t recent_at;
    bool held;            /* nothing is started: an error is emptying the queue */
    bool is_run_over;     /* a cell of a notebook has failed; see belongs_to_failed_run */
    int64_t last_cell_ms; /* cell_sent_ms of the last one */
    uint64_t next_exec;
    int64_t execution_count; /* of its life, or of the last */
    size_t violations;

    struct loop_timer *interrupt_timer;
    struct loop_timer *run_timer;   /* timeout_ms of the current job */
    struct loop_timer *queue_timer; /* the earliest queue_timeout_ms */

    bool doomed; /* being deleted: freed when the process is gone */
    context_gone_fn gone;
    void *gone_arg;
};

/* context.c */
void context_advance(struct context *c); /* starts the next job if one can start */
void context_finish_job(struct context *c, const struct job_result *result); /* ends `current` */
void context_refuse_job(struct context *c, struct job *job, const struct err *reason);
void context_refuse_queue(struct context *c, const struct err *reason);

void context_unlink_job(struct context *c, struct job *job); /* out of the queue */
int context_send_job(struct context *c, struct job *job);    /* 0, or -1 after a line in the log */
void context_remember(struct context *c, struct job *job);   /* takes a job that has ended */

/* aside.c */
bool aside_send(struct context *c, struct job *job); /* false: it has to wait its turn */
void aside_begin(struct context *c);                 /* `current` listens: sends what may go */
struct job *aside_find(const struct context *c, uint64_t exec);
void aside_finish(struct context *c, struct job *job, const struct job_result *result);
void aside_next(struct context *c);                                     /* after `current` */
void aside_end_all(struct context *c, const struct job_result *result); /* with the process */

/* context_life.c */
int context_start_process(struct context *c, struct err *e);
void context_forked(struct life *l, pid_t pid, int pidfd); /* takes `pidfd` */
/* Begins to serve once the process has said that it is ready and its zygote which one it is: the
 * two travel on different sockets, and either may be first. */
void context_serve(struct life *l);
void context_fork_failed(struct life *l, const char *why);
void context_fork_lost(struct life *l, const char *why); /* its zygote died: worth another try */
void context_reaped(struct life *l, int status);

/* postmortem.c */
void postmortem_read_will(struct life *l);
void postmortem_read_pipes(struct life *l);

/* context_frames.c */
void context_on_wire(void *life, uint32_t events);
void context_read_rest(struct life *l);                 /* what the dead process has left */
void context_feed(struct life *l, struct slice frames); /* the same from its will */
struct job *context_last_job(const struct context *c);  /* that ended; lends; NULL: none yet */
struct job *context_job_of(const struct context *c, uint64_t exec); /* lends; NULL: forgotten */
void context_resume(struct context *c); /* no reader holds it: handles what was read before */
