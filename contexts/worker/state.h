/* SPDX-License-Identifier: MIT */
/* state.h - struct worker, for the files of this room. Engines see worker.h only. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "contexts/wire/frame.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/flusher.h"
#include "contexts/worker/output.h"
#include "contexts/worker/reserve.h"
#include "contexts/worker/sigint.h"

struct worker {
    const struct engine *engine; /* borrowed */
    void *state;                 /* the engine's, borrowed */
    int wire_fd;                 /* to read from; the output's channel owns it */
    struct wire_reader in;
    pthread_mutex_t in_lock; /* of who reads `in` during a cell: the one who asks, or who listens */
    struct buf held;         /* encoded requests that came while a cell waited for its input */
    struct output output;
    struct flusher flusher;
    struct sigint sigint;
    struct reserve reserve;
    bool started;
    bool aside;                         /* a comm message is served in the middle of a cell */
    bool stopping;                      /* STOP came while a cell waited for its input */
    uint64_t exec;                      /* request being served */
    const struct exec_request *running; /* NULL between cells */
};

/* Hands a comm message to the engine and answers it (worker.c). */
void worker_answer_comm(struct worker *w, const struct wire_frame *frame);
