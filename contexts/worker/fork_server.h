/* SPDX-License-Identifier: MIT */
/* fork_server.h - the loop of a zygote: a single-threaded process whose forks are the contexts.
 *
 *   broker ── FORK: policy, descriptors ──► fork_server.c      poll: orders, deaths
 *                                             orders.c         order ─► fork, or the spare
 *                                               birth.h        the child becomes a context
 *          ◄── FORKED with its pidfd ──────── children.h       reaps, kills strays
 *          ◄── EXITED: how it ended ─────────
 *
 * It reaps contexts and reports each death as it was; it ends its children when the broker goes.
 * The broker's end of it: contexts/pool/zygote.h. */
#pragma once

struct engine;

/* Descriptors a zygote or worker finds open when it is started. */
enum { ZYGOTE_FD_CONTROL = 3, ZYGOTE_FD_LIFELINE = 4 };

/* First act of every worker program: closes all descriptors it was not given, and dies with the
 * broker while it is still getting ready. */
void fork_server_prepare(void);

/* Sends the hello and forks contexts on order, until the broker closes the control socket. The
 * contexts run inside this call and never return from it. Returns the exit status. */
int fork_server_run(const struct engine *engine, void *state);

/* The same for one that has much loaded, where a fork takes its time: when nobody asks for
 * anything it makes a spare child, which the next context of its policy becomes. */
int fork_server_run_with_spare(const struct engine *engine, void *state);
