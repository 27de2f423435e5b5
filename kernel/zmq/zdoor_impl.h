/* SPDX-License-Identifier: MIT */
/* zdoor_impl.h - the inside of the Jupyter door, shared by its files: zdoor.c (sockets, life),
 * requests.c (what each message asks for), exchange.c (one request and its answers). */
#pragma once

#include "kernel/core/broker.h"
#include "kernel/core/door.h"
#include "kernel/protocol/codec.h"
#include "kernel/protocol/connection.h"
#include "kernel/zmq/exchange.h"
#include "kernel/zmq/iopub.h"
#include "kernel/zmq/zdoor.h"
#include "kernel/zmq/zsock.h"

struct zdoor {
    struct loop *loop;
    struct broker *broker;
    struct door *door; /* the broker's side of it */
    struct connection *connection;
    struct signer *signer;
    struct codec codec;
    struct zcontext *zcontext;
    struct zsock *sockets[CHANNELS]; /* NULL for iopub, which has its own owner */
    struct loop_fd *wakers[CHANNELS];
    bool woken[CHANNELS]; /* the descriptor has reported something since we looked */
    struct iopub *iopub;
    struct loop_check *check;
    struct zparts *parts;
    struct buf kernel_info; /* content of the reply, the same for everybody */

    struct exchange_list exchanges; /* all that live, newest first */
    struct exchange *shutdown;      /* the request that ends us, still unanswered */
    bool shutdown_restart;
    size_t dropped; /* messages that were not for us */
};

/* A decoded message of a channel on which its type may come. `e` of a failure says why it was
 * dropped. */
MUST_CHECK int requests_handle(struct zdoor *d, enum channel channel, const struct message *msg,
                               struct err *e);
