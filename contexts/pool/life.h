/* SPDX-License-Identifier: MIT */
/* life.h - one process of a context, from the order to fork it until it is gone. All that belongs
 * to it is made and freed with it, and its events name it and not the context: nothing of one
 * process can reach the next. It is freed when the loop reports its death or the zygote's answer,
 * or while it is being forked and nobody has heard of it: never while one of its frames is handled.
 * Not here: what its beginning and end mean to the context (context_life.c), what its frames mean
 * (context_frames.c). */
#pragma once

#include "base/loop.h"
#include "contexts/pool/context.h"
#include "contexts/wire/frame.h"
#include "contexts/wire/will.h"

struct zygote;

/* What of its stream is read. */
enum life_reading {
    LIFE_READS,      /* all, unless a reader has paused the context */
    LIFE_READS_REST, /* the process has ended: all that it left, paused or not */
    LIFE_READS_NONE  /* what it sends is not our protocol */
};

struct life {
    struct context *context;
    enum ctx_state state;        /* never CTX_NONE */
    uint64_t ticket;             /* of the order; no other life has the same */
    const struct zygote *zygote; /* that was asked for it; only compared, it may be gone */

    pid_t pid; /* 0: not forked yet */
    int pidfd;
    int wire_fd;
    int pipe_fds[2]; /* duplicates of what the process reads from its descriptors 1 and 2 */
    int will_fd;     /* what it holds back; see contexts/wire/will.h */
    struct loop_fd *wire;
    struct loop_fd *death_watch;
    struct loop_timer *state_timer; /* start and death must not take for ever */
    struct wire_reader reader;
    struct buf backlog; /* frames the socket did not take yet */
    enum life_reading reading;

    bool is_ready;        /* it has served, or could have */
    bool is_ending;       /* killed or asked to end: gets no more work */
    enum verdict verdict; /* why we killed it, if we did */
    int status;           /* as the reaper reported it; -1: not yet */
    enum will_farewell farewell;
};

/* Begins the next life of `c`, which has none: CTX_FORKING, without descriptors. Lends it. */
struct life *life_new(struct context *c);

/* Makes its descriptors: ours stay in `l`, `fds` gets the side of the process in the order of enum
 * wire_fork_fd. Close those with life_close_theirs, also after a failure. */
MUST_CHECK int life_open(struct life *l, int fds[FORK_FDS], struct err *e);
void life_close_theirs(const int fds[FORK_FDS]);

/* The zygote has made the process. Takes `pidfd`. */
void life_set_process(struct life *l, pid_t pid, int pidfd);

/* Sends a frame, as much of it as the socket takes; the rest follows when it can. */
MUST_CHECK int life_send(struct life *l, const struct wire_frame *frame, struct err *e);
MUST_CHECK int life_flush(struct life *l, struct err *e);

/* May its frames be handled now? */
bool life_may_read(const struct life *l);

/* Watches its socket for what is possible now. */
void life_update_events(struct life *l);

/* Nothing more is read from it. */
void life_distrust(struct life *l);

/* Kills the process and its group, unless it has ended. */
void life_kill(struct life *l, enum verdict verdict);

/* Closes its descriptors, takes it out of the pool's register, and leaves the context without a
 * life. */
void life_free(struct life *l);
