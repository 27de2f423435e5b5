/* SPDX-License-Identifier: MIT */
/* js_interrupt.h - SIGINT as JavaScript meets it: a flag that the engine looks at while code runs.
 * The error it makes cannot be caught, so that a cell ends where it stands. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

/* Installs the handler of SIGINT; the worker arms it while a cell runs. SIGPIPE is ignored. */
void js_interrupt_install(void);

/* Lets code of this runtime be interrupted. */
void js_interrupt_watch(JSRuntime *rt);

bool js_interrupted(void);
void js_interrupt_clear(void);

/* Waits until `fd` (-1: none) is readable, for at most `timeout_us` (-1: for ever), or until an
 * interrupt; one that comes just before is not missed. True when `fd` is readable. */
bool js_interrupt_poll(int fd, int64_t timeout_us);

/* The same for many; returns what poll() would. */
struct pollfd;
int js_interrupt_poll_many(struct pollfd *fds, size_t count, int64_t timeout_us);
