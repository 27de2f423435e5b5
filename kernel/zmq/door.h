/* SPDX-License-Identifier: MIT */
/* door.h - the Jupyter door of a broker: five ZeroMQ sockets that turn messages into requests and
 * what happens to them into messages. */
#pragma once

#include <stdbool.h>

#include "base/loop.h"
#include "kernel/core/broker.h"
#include "kernel/protocol/connection.h"
#include "kernel/protocol/reply.h"

struct door;

struct door_options {
    struct connection *connection; /* ports that were 0 are filled in */
    const struct language_info *language;
    const struct broker_options *broker;
    bool exit_on_death; /* a context that dies by itself ends the kernel */
};

/* Binds all sockets and starts the broker behind them. Borrows everything for life. ERR_INPUT
 * names the port that is in use. */
MUST_CHECK int door_open(struct loop *loop, const struct door_options *options, struct door **out,
                         struct err *e);

/* Closes the sockets; what was sent last still leaves. */
void door_close(struct door *d);
DEFINE_DROP(door, struct door, door_close)

/* Ends the broker in order, then stops the loop. */
void door_shutdown(struct door *d);

/* What Jupyter's own interrupt does, for launchers that send a signal instead of a message. */
void door_interrupt(struct door *d);

/* True when the kernel ended because a context died (exit_on_death). */
bool door_context_died(const struct door *d);

/* Call on SIGCHLD. */
void door_reap(struct door *d);
