/* SPDX-License-Identifier: MIT */
/* state.h - struct worker, and what the files of this room offer each other. Engines see worker.h
 * only. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "contexts/worker/engine.h"
#include "contexts/worker/flusher.h"
#include "contexts/worker/inbox.h"
#include "contexts/worker/output.h"
#include "contexts/worker/reserve.h"
#include "contexts/worker/sigint.h"

struct worker {
    const struct engine *engine; /* borrowed */
    void *state;                 /* the engine's, borrowed */
    pthread_t main_thread;       /* the one that serves requests */
    int wire_fd;                 /* owned by the output's channel */
    struct inbox inbox;
    struct output output;
    struct flusher flusher;
    struct sigint sigint;
    struct reserve reserve;
    bool started;                       /* START was served */
    bool in_handler;                    /* a cell that listens serves a comm message */
    uint64_t exec;                      /* request being served */
    const struct exec_request *running; /* NULL between cells */
    _Atomic uint64_t asker;             /* execution that may ask for input; 0: none */
};

/* Changes directory and environment of this process as the content of START says (start.c). */
MUST_CHECK int start_apply(struct slice options, struct err *e);

/* Sends the content of the reply: the end of the request that is being served. Then the same for a
 * request that makes no sense. */
void worker_send_done(struct worker *w, struct slice content);
void worker_send_failed(struct worker *w, const struct err *why);

/* In a fork made by user code that came back to us instead of ending itself: ends it. It has no
 * frames to send and nobody to answer. */
void worker_end_copy(const struct worker *w, int status);

/* Serves a comm message, and ends it (comm.c). */
void worker_serve_comm(struct worker *w, const struct wire_frame *frame);

/* Registers what happens around every fork() in user code, for the rest of the process's life.
 * Lends `worker`. Once. */
void forkguard_install(struct worker *worker);
