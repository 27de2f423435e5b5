/* SPDX-License-Identifier: MIT */
/* registration.h - tells the launcher which ports the kernel has chosen, and waits for its
 * acknowledgement (JEP 66). For connection files that name a registration socket.
 * Not here: choosing the ports (door.c), reading the file (protocol/connection.c). */
#pragma once

#include "base/loop.h"

struct connection;
struct registration;

/* `failure` is NULL when the launcher has acknowledged, else ERR_INPUT says why the kernel should
 * end. Called once; may free the registration. */
typedef void (*registration_fn)(void *arg, const struct err *failure);

/* Sends the ports of `connection` (borrowed until return), all of them bound. Gives `*out`. */
MUST_CHECK int registration_start(struct loop *loop, const struct connection *connection,
                                  registration_fn done, void *arg, struct registration **out,
                                  struct err *e);

/* Leaves the launcher's socket, which may be closed as soon as it has acknowledged. */
void registration_free(struct registration *r);
DEFINE_DROP(registration, struct registration, registration_free)
