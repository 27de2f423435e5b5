/* SPDX-License-Identifier: MIT */
/* fork_server_impl.h - what fork_server.c (the loop) and orders.c (its forks) share. */
#pragma once

#include <signal.h>

#include "base/bounds.h"
#include "contexts/wire/frame.h"
#include "contexts/worker/children.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/fork_server.h"
#include "contexts/worker/spare.h"

struct server {
    const struct engine *engine;
    void *state;
    int deaths_fd; /* signalfd of SIGCHLD */
    struct children children;
    struct sigaction sigint_before; /* what the language had set up; contexts get it back */
    sigset_t mask_before;
    bool is_loaded; /* no preload_step is left */
    bool wants_spare;
    struct spare spare;
    char policy[64]; /* of the last order: the next spare will be of the same */
    /* Here and not in the frame of a call: that much of the stack would be written anew at every
     * request, and each context would keep the pages of the one before it to itself. */
    char inbox[ZYGOTE_FRAME_MAX];
};

/* fork_server.c: sends a frame to the broker. */
MUST_CHECK int server_send(enum wire_type type, uint64_t ticket, const struct buf *content,
                           const int *pidfd);

/* orders.c */

/* Carries out the order in `data`, or refuses it. -1 when the control socket cannot be used any
 * more. Borrows the descriptors. */
MUST_CHECK int server_order(struct server *s, struct slice data, const int *fds, size_t count);

/* Makes a spare of the policy that was ordered last, in place of the one before. */
void server_make_spare(struct server *s);
