/* SPDX-License-Identifier: MIT */
/* door_impl.h - the inside of the door, shared by its files: door.c (sockets, life), shell.c,
 * control.c, stdin.c (requests by channel), local.c (what the door itself answers), exchange.c and
 * exchange_events.c (one request and its answers). */
#pragma once

#include "kernel/protocol/codec.h"
#include "kernel/zmq/door.h"
#include "kernel/zmq/exchange.h"
#include "kernel/zmq/iopub.h"
#include "kernel/zmq/zsock.h"

/* Its number among the readers of jobs. */
enum { DOOR_READER = 0 };

struct door {
    struct loop *loop;
    const struct door_options *options;
    struct signer *signer;
    struct codec codec;
    struct zcontext *zcontext;
    struct zsock *sockets[CHANNELS]; /* NULL for iopub, which has its own owner */
    struct loop_fd *wakers[CHANNELS];
    bool woken[CHANNELS]; /* the descriptor has told of something since we looked */
    struct iopub *iopub;
    bool is_behind; /* a subscriber is full: contexts pause when they send */
    struct loop_check *check;
    struct zparts *parts;
    struct broker *broker;
    struct buf kernel_info; /* content of the reply, the same for everybody */

    struct exchange_list exchanges; /* all that live, newest first */
    struct exchange *shutdown;      /* the request that ends us, still unanswered */
    bool shutdown_restart;
    bool ending;       /* no more news of restarts */
    bool context_died; /* and that ends us, by option */
    char **forgotten;  /* ids of contexts to delete at the next turn */
    size_t forgotten_count;
    size_t dropped; /* messages that were not for us */
};

/* A decoded message of each channel. `e` of a failure says why it was dropped. */
MUST_CHECK int shell_handle(struct door *d, const struct message *msg, struct err *e);
MUST_CHECK int control_handle(struct door *d, const struct message *msg, struct err *e);
MUST_CHECK int stdin_handle(struct door *d, const struct message *msg, struct err *e);

/* A request that waits its turn in a context; its reply goes to `channel`. */
MUST_CHECK int shell_queue(struct door *d, enum channel channel, const struct message *msg,
                           struct err *e);

/* shutdown_request, which both shell and control take. Takes `x`. */
void shutdown_handle(struct door *d, struct exchange *x, struct slice content);

/* Appends the content of the reply to a request that the door answers itself. */
void local_answer(struct door *d, const struct exchange *x, struct buf *out);

/* Tells all clients that the comms of a context are closed: its process is gone or will be, and a
 * widget that nobody listens to must not look alive. */
void door_close_comms(struct door *d, const struct context *context);

/* Deletes a context at the next turn of the loop, when nothing of it is on the stack. */
void door_forget_context(struct door *d, const char *context_id);
