/* SPDX-License-Identifier: MIT */
/* forkguard.c - makes fork() in user code safe: no thread of ours is alive across it, no lock is
 * held, and the copy it makes never writes a frame nor sends a text twice. */
#include <pthread.h>
#include <stdio.h>

#include "contexts/worker/state.h"

/* A global because pthread_atfork hands its handlers no argument. Set once, in a process that
 * serves exactly one context. */
static struct worker *guarded;

static void before_fork(void)
{
    (void)fflush(stdout); /* else both processes would write what C code left there */
    flusher_hold(&guarded->flusher);
    pthread_mutex_lock(&guarded->output.lock);
}

/* The flusher is not started here: a language may still count threads (Python 3.12 warns). The
 * next text, the next cell or the engine's own hook starts it. */
static void after_in_parent(void)
{
    pthread_mutex_unlock(&guarded->output.lock);
    flusher_release(&guarded->flusher);
}

static void after_in_child(void)
{
    flusher_become_copy(&guarded->flusher);
    output_become_copy(&guarded->output);
}

void forkguard_install(struct worker *worker)
{
    guarded = worker;
    (void)pthread_atfork(before_fork, after_in_parent, after_in_child); /* fails only without
                                                                           memory, like all here */
}
