/* SPDX-License-Identifier: MIT */
/* context_impl.h - the inside of a context, shared by the files that make it up:
 * context.c (queue, sending), context_life.c (birth and death), context_frames.c (what the
 * process says), pool.c (the register). Nobody else includes it. */
#pragma once

#include <sys/queue.h>
#include <sys/types.h>

#include "base/bounds.h"
#include "base/loop.h"
#include "contexts/pool/context.h"
#include "contexts/wire/frame.h"

struct zygote;

struct context {
    LIST_ENTRY(context) link; /* in the pool */
    struct pool *pool;
    struct loop *loop;
    char *id;
    char *language;
    char *start_options; /* JSON content of START */
    bool is_common;
    enum ctx_state state;
    uint64_t ticket;             /* of this life; a new process gets a new one */
    const struct zygote *zygote; /* that was asked for it; only compared, it may be gone */

    pid_t pid;
    int pidfd;
    int wire_fd;
    int pipe_fds[2]; /* duplicates of what the process reads from its descriptors 1 and 2 */
    int will_fd;     /* what it holds back; see contexts/wire/will.h */
    struct loop_fd *wire;
    struct loop_fd *death_watch;
    struct wire_reader reader;
    struct buf backlog; /* frames the socket did not take yet */
    bool paused;        /* its output is not read: clients are behind */

    struct job_queue queue;
    size_t queue_len;
    size_t queue_bytes;
    struct job *current;
    struct job_queue aside; /* sent while `current` awaits, in the order of their answers */
    size_t aside_len;
    bool listening;                  /* `current` awaits, and takes comm messages meanwhile */
    struct job *recent[RECENT_JOBS]; /* ring of finished executions, for late output */
    size_t recent_at;
    bool held;            /* nothing is started: an error is emptying the queue */
    bool asks_input;      /* `current` waits for an answer */
    bool closed_wire;     /* the process that ended says that user code cut it off from us */
    bool is_run_over;     /* a cell of a notebook has failed; see belongs_to_failed_run */
    int64_t last_cell_ms; /* cell_sent_ms of the last one */
    uint64_t next_exec;
    int64_t execution_count;

    struct loop_timer *state_timer; /* start and death must not take for ever */
    struct loop_timer *interrupt_timer;
    struct loop_timer *run_timer;   /* timeout_ms of the current job */
    struct loop_timer *queue_timer; /* the earliest queue_timeout_ms */
    int interrupts;                 /* sent for the current job */

    enum verdict verdict; /* why we killed it, if we did */
    bool ending;          /* killed or asked to end: gets no more work */
    bool was_ready;       /* this life has served, or could have */
    int lost_forks;       /* zygotes that died under a request of ours, in a row */
    bool has_status;
    int status;
    size_t violations;

    bool doomed; /* being deleted: freed when the process is gone */
    context_gone_fn gone;
    void *gone_arg;
    int64_t created_ms;   /* since the epoch */
    int64_t last_used_ms; /* likewise */
};

/* context.c */
void context_advance(struct context *c); /* starts the next job if one can start */
void context_finish_job(struct context *c, const struct job_result *result); /* ends `current` */
int context_send(struct context *c, const struct wire_frame *frame, struct err *e);
int context_flush(struct context *c, struct err *e); /* backlog to socket */
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
void context_forked(struct context *c, pid_t pid, int pidfd);
/* Begins to serve once the process has said that it is ready and its zygote which one it is: the
 * two travel on different sockets, and either may be first. */
void context_serve(struct context *c);
void context_fork_failed(struct context *c, const char *why);
void context_fork_lost(struct context *c, const char *why); /* its zygote died: worth another try */
void context_reaped(struct context *c, int status);
void context_close_process(struct context *c); /* frees all that belongs to one life */
void context_update_events(struct context *c);

/* postmortem.c */
void postmortem_read_will(struct context *c);
void postmortem_read_pipes(struct context *c);

/* context_frames.c */
void context_on_wire(void *arg, uint32_t events);
void context_read_rest(struct context *c); /* what the dead process still had to say */
void context_feed(struct context *c, struct slice frames); /* the same from its will */
struct job *context_last_job(const struct context *c);     /* that ended; lends; NULL: none yet */
struct job *context_job_of(const struct context *c, uint64_t exec); /* lends; NULL: forgotten */
void context_resume(struct context *c); /* goes on after a pause, with what was read before it */
