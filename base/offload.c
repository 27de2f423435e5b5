/* SPDX-License-Identifier: MIT */
#include "base/offload.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <time.h>

#include "base/loop.h"
#include "base/mem.h"
#include "base/thread.h"

enum { STACK_BYTES = 256 * 1024 }; /* reserved, hardly touched */

struct entry {
    struct offload_task task;
    STAILQ_ENTRY(entry) link;
};

STAILQ_HEAD(entry_list, entry);

struct offload {
    /* The loop thread's alone. */
    struct loop_fd *source;
    struct loop_check *check;
    size_t queue_max;
    size_t open; /* submitted, and `done` not called yet */
    uint64_t dropped;
    bool calling_done;
    bool closed; /* takes no more tasks */
    pthread_t thread;

    int event_fd; /* the side thread writes when the first task that is not quiet is finished */

    /* Both threads', under `lock`. */
    pthread_mutex_t lock;
    pthread_cond_t wake;    /* there is work, or it is time to leave */
    pthread_cond_t settled; /* nothing waits and nothing runs */
    struct entry_list waiting;
    struct entry_list finished;
    bool told; /* the descriptor was written for what is in `finished` */
    bool running;
    bool leaving;
    bool orphaned; /* nobody waits for the thread any more: it frees all this itself */
};

static void destroy(struct offload *o)
{
    pthread_cond_destroy(&o->settled);
    pthread_cond_destroy(&o->wake);
    pthread_mutex_destroy(&o->lock);
    drop_fd(&o->event_fd);
    free(o);
}

/* Called with the lock held; NULL when it is time to leave. */
static struct entry *next_entry(struct offload *o)
{
    while (STAILQ_EMPTY(&o->waiting) && !o->leaving) {
        pthread_cond_wait(&o->wake, &o->lock);
    }
    struct entry *entry = STAILQ_FIRST(&o->waiting);
    if (entry != NULL) {
        STAILQ_REMOVE_HEAD(&o->waiting, link);
        o->running = true;
    }
    return entry;
}

/* Called with the lock held. The descriptor is written once per batch, not once per task. */
static void finish_entry(struct offload *o, struct entry *entry, bool quiet)
{
    STAILQ_INSERT_TAIL(&o->finished, entry, link);
    o->running = false;
    if (STAILQ_EMPTY(&o->waiting)) {
        pthread_cond_signal(&o->settled);
    }
    if (!quiet && !o->told && !o->orphaned) {
        o->told = true;
        (void)eventfd_write(o->event_fd, 1); /* fails only when the counter is full: it is read */
    }
}

static void *side_thread(void *arg)
{
    struct offload *o = arg;
    pthread_mutex_lock(&o->lock);
    for (struct entry *entry = next_entry(o); entry != NULL; entry = next_entry(o)) {
        pthread_mutex_unlock(&o->lock);
        entry->task.work(entry->task.arg);
        bool quiet = entry->task.is_quiet != NULL && entry->task.is_quiet(entry->task.arg);
        pthread_mutex_lock(&o->lock);
        finish_entry(o, entry, quiet);
    }
    bool orphaned = o->orphaned;
    pthread_mutex_unlock(&o->lock);
    if (orphaned) {
        free(STAILQ_FIRST(&o->finished)); /* the one task it was stuck in */
        destroy(o);
    }
    return NULL;
}

/* The tasks that finish while `done` runs wait for the next round: the descriptor says so. */
static void run_finished(struct offload *o)
{
    struct entry_list batch = STAILQ_HEAD_INITIALIZER(batch);
    pthread_mutex_lock(&o->lock);
    STAILQ_CONCAT(&batch, &o->finished);
    o->told = false;
    pthread_mutex_unlock(&o->lock);

    o->calling_done = true;
    while (!STAILQ_EMPTY(&batch)) {
        struct entry *entry = STAILQ_FIRST(&batch);
        STAILQ_REMOVE_HEAD(&batch, link);
        entry->task.done(entry->task.arg);
        o->open--;
        free(entry);
    }
    o->calling_done = false;
}

static void on_finished(void *arg, uint32_t events)
{
    struct offload *o = arg;
    eventfd_t ignored = 0;
    (void)events;                              /* only EPOLLIN was asked for */
    (void)eventfd_read(o->event_fd, &ignored); /* a drain may have been faster: then nothing is */
    run_finished(o);
}

/* Before each sleep: what is quiet. Where the descriptor was written, its turn comes at once. */
static enum loop_more on_check(void *arg)
{
    struct offload *o = arg;
    pthread_mutex_lock(&o->lock);
    bool quiet = !STAILQ_EMPTY(&o->finished) && !o->told;
    pthread_mutex_unlock(&o->lock);
    if (quiet) {
        run_finished(o);
    }
    return LOOP_IDLE;
}

static int start(struct offload *o, struct err *e)
{
    struct thread_options options = {
        .name = "offload", .stack_bytes = STACK_BYTES, .run = side_thread, .arg = o};
    return thread_start(&options, &o->thread, e);
}

int offload_new(struct loop *loop, size_t queue_max, struct offload **out, struct err *e)
{
    int event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (event_fd < 0) {
        return err_sys(e, "eventfd");
    }
    struct offload *o = xcalloc(1, sizeof *o);
    o->event_fd = event_fd;
    o->queue_max = queue_max;
    STAILQ_INIT(&o->waiting);
    STAILQ_INIT(&o->finished);

    pthread_condattr_t monotonic; /* deadlines must not move when the clock is set */
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->wake, NULL);
    pthread_cond_init(&o->settled, &monotonic);
    pthread_condattr_destroy(&monotonic);

    if (loop_add_fd(loop, event_fd, EPOLLIN, on_finished, o, &o->source, e) < 0) {
        destroy(o);
        return -1;
    }
    if (start(o, e) < 0) {
        loop_fd_free(o->source);
        destroy(o);
        return -1;
    }
    o->check = loop_add_check(loop, on_check, o);
    *out = o;
    return 0;
}

int offload_submit(struct offload *o, const struct offload_task *task, struct err *e)
{
    if (o->open >= o->queue_max || o->closed) {
        o->dropped++;
        return err_set(e, ERR_LIMIT, "%zu tasks wait for the side thread, limit %zu", o->open,
                       o->queue_max);
    }
    struct entry *entry = xmalloc(sizeof *entry);
    entry->task = *task;
    o->open++;
    pthread_mutex_lock(&o->lock);
    STAILQ_INSERT_TAIL(&o->waiting, entry, link);
    pthread_mutex_unlock(&o->lock);
    pthread_cond_signal(&o->wake);
    return 0;
}

uint64_t offload_dropped(const struct offload *o)
{
    return o->dropped;
}

static struct timespec after_ms(int64_t delay_ms)
{
    struct timespec at;
    int64_t delay = delay_ms > 0 ? delay_ms : 0;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += delay / 1000;
    at.tv_nsec += delay % 1000 * 1000000;
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

/* Waits until nothing waits and nothing runs; false at the deadline. */
static bool wait_settled(struct offload *o, const struct timespec *deadline)
{
    int failed = 0;
    pthread_mutex_lock(&o->lock);
    while ((!STAILQ_EMPTY(&o->waiting) || o->running) && failed == 0) {
        failed = pthread_cond_timedwait(&o->settled, &o->lock, deadline);
    }
    bool settled = STAILQ_EMPTY(&o->waiting) && !o->running;
    pthread_mutex_unlock(&o->lock);
    return settled;
}

/* Says whether nothing is open any more. */
static bool drained(struct offload *o, int64_t deadline_ms)
{
    assert(!o->calling_done);
    struct timespec deadline = after_ms(deadline_ms);
    bool settled = true;
    while (o->open > 0 && settled) {
        settled = wait_settled(o, &deadline);
        run_finished(o);
    }
    return o->open == 0;
}

int offload_drain(struct offload *o, int64_t deadline_ms, struct err *e)
{
    if (!drained(o, deadline_ms)) {
        return err_set(e, ERR_TIMEOUT, "%zu tasks of the side thread unfinished", o->open);
    }
    return 0;
}

/* Calls `done` for all that still waits, as if it were finished. */
static void drop_waiting(struct offload *o)
{
    pthread_mutex_lock(&o->lock);
    STAILQ_CONCAT(&o->finished, &o->waiting);
    pthread_mutex_unlock(&o->lock);
    run_finished(o);
}

/* Tells the thread to leave. False when it is stuck: from then on it owns `o`. */
static bool dismiss(struct offload *o)
{
    pthread_t thread = o->thread;
    pthread_mutex_lock(&o->lock);
    bool stuck = o->running;
    o->leaving = true;
    o->orphaned = stuck;
    pthread_cond_signal(&o->wake);
    pthread_mutex_unlock(&o->lock);
    if (stuck) {
        pthread_detach(thread);
    } else {
        pthread_join(thread, NULL);
    }
    return !stuck;
}

void offload_free(struct offload *o, int64_t deadline_ms)
{
    if (o == NULL) {
        return;
    }
    (void)drained(o, deadline_ms); /* what could not be finished is dropped, as promised */
    o->closed = true;
    loop_fd_free(o->source);
    loop_check_free(o->check);
    drop_waiting(o);
    if (dismiss(o)) {
        run_finished(o);
        destroy(o);
    }
}
