/* SPDX-License-Identifier: MIT */
/* zygote.h - the fork server: a warm, single-threaded process whose forks are the contexts.
 * It reaps them and reports each death as it was; it ends its children when the broker goes. */
#pragma once

struct engine;

/* Descriptors a zygote or worker finds open when it is started. */
enum { ZYGOTE_FD_CONTROL = 3, ZYGOTE_FD_LIFELINE = 4 };

/* First act of every worker program: closes all descriptors it was not given, and dies with the
 * broker while it is still getting ready. */
void zygote_prepare(void);

/* Says hello and forks contexts on request, until the broker closes the control socket. The
 * contexts run inside this call and never return from it. Returns the exit status. */
int zygote_serve(const struct engine *engine, void *state);

/* The same for one that has much loaded, where a fork takes its time: when nobody asks for
 * anything it makes a spare child, which the next context becomes. */
int zygote_serve_with_spare(const struct engine *engine, void *state);
