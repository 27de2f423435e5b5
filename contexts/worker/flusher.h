/* SPDX-License-Identifier: MIT */
/* flusher.h - a small thread that sends what nobody else would send in time: text of background
 * threads, and whatever lies in the pipes while the main thread waits for the process that fills
 * them. It knows no language, takes no signal, and sleeps while there is nothing to do.
 * It is away during every fork, so that no fork of user code sees a thread of ours. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct output;

struct flusher {
    struct output *output; /* borrowed */
    pthread_mutex_t life;  /* held while it is started, stopped, and during a fork */
    pthread_t thread;
    atomic_bool running;
    atomic_bool leaving;
};

/* Borrows `output` for life; its timer is made here. */
void flusher_init(struct flusher *f, struct output *output);

/* Starts the thread unless it runs or a fork is under way. Cheap when it runs. */
void flusher_ensure(struct flusher *f);

/* Ends and joins the thread, and keeps it from being started until flusher_release. */
void flusher_hold(struct flusher *f);
void flusher_release(struct flusher *f);

/* In a fork made by user code. */
void flusher_become_copy(struct flusher *f);
