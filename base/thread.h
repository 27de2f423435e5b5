/* SPDX-License-Identifier: MIT */
/* thread.h - starts a side thread that stays out of the way: it takes no signal, because signals
 * are the main thread's, and needs little stack. */
#pragma once

#include <pthread.h>
#include <stddef.h>

#include "base/err.h"

struct thread_options {
    const char *name; /* at most 15 bytes, for those who look with ps or gdb */
    size_t stack_bytes;
    void *(*run)(void *arg);
    void *arg;
};

/* Starts it joinable. Gives `*out`. */
MUST_CHECK int thread_start(const struct thread_options *options, pthread_t *out, struct err *e);
