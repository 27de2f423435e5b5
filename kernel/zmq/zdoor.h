/* SPDX-License-Identifier: MIT */
/* zdoor.h - the Jupyter door of a broker: five ZeroMQ sockets that turn messages into requests and
 * what happens to them into messages. */
#pragma once

#include "base/err.h"

struct broker;
struct connection;
struct loop;

struct zdoor_options {
    struct connection *connection; /* ports that were 0 are filled in */
    const char *language;          /* of the default context, for kernel_info */
};

/* Binds all sockets and opens the door, which the broker closes. Borrows everything for life.
 * ERR_INPUT names the port that is in use. */
MUST_CHECK int zdoor_open(struct loop *loop, struct broker *broker,
                          const struct zdoor_options *options, struct err *e);
