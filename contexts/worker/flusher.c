/* SPDX-License-Identifier: MIT */
#include "contexts/worker/flusher.h"

#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>

#include "base/thread.h"
#include "contexts/worker/output.h"

enum {
    STACK_BYTES = 256 * 1024, /* reserved, hardly touched */
    BUSY_BYTES = 32 * 1024,   /* a pipe that gave this much is read again at once */
    PAUSE_MS = 2              /* else others may write a while before we look again */
};

enum { WATCH_TIMER, WATCH_OUT, WATCH_ERR, WATCHED };

/* A pipe whose last writer is gone would be ready for ever; nobody can write to it again. */
static void forget_ended(struct pollfd *watched)
{
    for (int i = WATCH_OUT; i < WATCHED; i++) {
        if ((watched[i].revents & (POLLIN | POLLHUP)) == POLLHUP) {
            watched[i].fd = -1;
        }
    }
}

static void wait_for_work(struct pollfd *watched, int pause_ms)
{
    if (pause_ms > 0) {
        (void)poll(watched, 1, pause_ms); /* early or late, the next line looks again */
    }
    if (poll(watched, WATCHED, -1) > 0) {
        forget_ended(watched);
    }
}

static void *flush_loop(void *arg)
{
    struct flusher *f = arg;
    struct pollfd watched[WATCHED] = {
        [WATCH_TIMER] = {.fd = f->output->pace.timer_fd, .events = POLLIN},
        [WATCH_OUT] = {.fd = f->output->capture.fds[STREAM_STDOUT], .events = POLLIN},
        [WATCH_ERR] = {.fd = f->output->capture.fds[STREAM_STDERR], .events = POLLIN},
    };
    while (!atomic_load(&f->leaving)) {
        size_t drained = output_tick(f->output);
        if (drained < BUSY_BYTES && !atomic_load(&f->leaving)) {
            wait_for_work(watched, drained > 0 ? PAUSE_MS : 0);
        }
    }
    return NULL;
}

void flusher_init(struct flusher *f, struct output *output)
{
    *f = (struct flusher){.output = output};
    pthread_mutex_init(&f->life, NULL);
    pace_make_timer(&output->pace);
}

static bool start(struct flusher *f)
{
    struct thread_options options = {
        .name = "flusher", .stack_bytes = STACK_BYTES, .run = flush_loop, .arg = f};
    return thread_start(&options, &f->thread, NULL) == 0;
}

void flusher_ensure(struct flusher *f)
{
    if (atomic_load(&f->running) || f->output->pace.timer_fd < 0 ||
        pthread_mutex_trylock(&f->life) != 0) {
        return;
    }
    if (!atomic_load(&f->running)) {
        atomic_store(&f->leaving, false);
        atomic_store(&f->running, start(f));
    }
    pthread_mutex_unlock(&f->life);
}

void flusher_hold(struct flusher *f)
{
    pthread_mutex_lock(&f->life);
    if (!atomic_load(&f->running)) {
        return;
    }
    struct itimerspec now = {.it_value = {.tv_nsec = 1}};
    atomic_store(&f->leaving, true);
    (void)timerfd_settime(f->output->pace.timer_fd, 0, &now,
                          NULL); /* cannot fail on our own timer */
    pthread_join(f->thread, NULL);
    atomic_store(&f->running, false);
}

void flusher_release(struct flusher *f)
{
    pthread_mutex_unlock(&f->life);
}

void flusher_become_copy(struct flusher *f)
{
    pthread_mutex_init(&f->life, NULL); /* was held by the thread that forked */
    atomic_store(&f->running, false);
}
