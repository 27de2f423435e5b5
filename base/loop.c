/* SPDX-License-Identifier: MIT */
#include "base/loop.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <sys/signalfd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { EVENTS_AT_ONCE = 64 };

struct loop_fd {
    struct loop *loop;
    int fd;
    uint32_t events;
    loop_fd_fn fn; /* NULL once freed */
    void *arg;
    SLIST_ENTRY(loop_fd) graveyard;
};

struct loop_timer {
    struct loop *loop;
    int64_t due_ms;
    bool armed;
    loop_timer_fn fn;
    void *arg;
    bool firing;                  /* in loop->firing instead of loop->timers */
    TAILQ_ENTRY(loop_timer) link; /* while armed */
};

struct loop_check {
    loop_check_fn fn; /* NULL once freed */
    void *arg;
    struct loop *loop;
    TAILQ_ENTRY(loop_check) link;
};

TAILQ_HEAD(timer_list, loop_timer);
TAILQ_HEAD(check_list, loop_check);

struct loop {
    int epoll_fd;
    bool stopping;
    struct timer_list timers;   /* soonest first */
    struct timer_list firing;   /* due, and not called yet */
    struct check_list checks;   /* in the order they were added */
    SLIST_HEAD(, loop_fd) dead; /* freed sources that a fetched event may still point at */
    bool checks_dirty;

    int signal_fd;
    struct loop_fd *signal_source;
    loop_signal_fn signal_fn;
    void *signal_arg;
};

int loop_new(struct loop **out, struct err *e)
{
    int fd = epoll_create1(EPOLL_CLOEXEC);
    if (fd < 0) {
        return err_sys(e, "epoll_create1");
    }
    struct loop *loop = xcalloc(1, sizeof *loop);
    loop->epoll_fd = fd;
    loop->signal_fd = -1;
    TAILQ_INIT(&loop->timers);
    TAILQ_INIT(&loop->firing);
    TAILQ_INIT(&loop->checks);
    *out = loop;
    return 0;
}

static void bury(struct loop *loop)
{
    while (!SLIST_EMPTY(&loop->dead)) {
        struct loop_fd *source = SLIST_FIRST(&loop->dead);
        SLIST_REMOVE_HEAD(&loop->dead, graveyard);
        free(source);
    }
    if (!loop->checks_dirty) {
        return;
    }
    loop->checks_dirty = false;
    struct loop_check *check = TAILQ_FIRST(&loop->checks);
    while (check != NULL) {
        struct loop_check *next = TAILQ_NEXT(check, link);
        if (check->fn == NULL) {
            TAILQ_REMOVE(&loop->checks, check, link);
            free(check);
        }
        check = next;
    }
}

void loop_free(struct loop *loop)
{
    if (loop == NULL) {
        return;
    }
    loop_fd_free(loop->signal_source);
    drop_fd(&loop->signal_fd);
    bury(loop);
    drop_fd(&loop->epoll_fd);
    free(loop);
}

static int control(const struct loop_fd *source, int operation, uint32_t events)
{
    struct epoll_event ev = {.events = events, .data.ptr = (void *)(uintptr_t)source};
    return epoll_ctl(source->loop->epoll_fd, operation, source->fd, &ev);
}

/* NOLINTNEXTLINE(readability-function-size): a callback with its argument, beside the usual ones */
int loop_add_fd(struct loop *loop, int fd, uint32_t events, loop_fd_fn fn, void *arg,
                struct loop_fd **out, struct err *e)
{
    struct loop_fd *source = xcalloc(1, sizeof *source);
    *source = (struct loop_fd){.loop = loop, .fd = fd, .events = events, .fn = fn, .arg = arg};
    if (events != 0 && control(source, EPOLL_CTL_ADD, events) < 0) {
        free(source);
        return err_sys(e, "epoll_ctl");
    }
    *out = source;
    return 0;
}

/* epoll reports a hangup even to those who asked for nothing: a source that is to be quiet has to
 * leave the set, or a paused peer that dies would make the loop spin. */
void loop_fd_set_events(struct loop_fd *source, uint32_t events)
{
    if (source->events == events) {
        return;
    }
    int operation = events == 0           ? EPOLL_CTL_DEL
                    : source->events == 0 ? EPOLL_CTL_ADD
                                          : EPOLL_CTL_MOD;
    (void)control(source, operation, events); /* the descriptor was good when it was added */
    source->events = events;
}

void loop_fd_free(struct loop_fd *source)
{
    if (source == NULL) {
        return;
    }
    if (source->events != 0) {
        (void)control(source, EPOLL_CTL_DEL, 0); /* it was added */
    }
    source->fn = NULL;
    SLIST_INSERT_HEAD(&source->loop->dead, source, graveyard);
}

struct loop_timer *loop_add_timer(struct loop *loop, loop_timer_fn fn, void *arg)
{
    struct loop_timer *timer = xcalloc(1, sizeof *timer);
    *timer = (struct loop_timer){.loop = loop, .fn = fn, .arg = arg};
    return timer;
}

void loop_timer_cancel(struct loop_timer *timer)
{
    if (timer->armed) {
        struct loop *loop = timer->loop;
        TAILQ_REMOVE(timer->firing ? &loop->firing : &loop->timers, timer, link);
        timer->armed = false;
        timer->firing = false;
    }
}

/* Rounded up, so that no timer fires early. */
static int64_t due_after(int64_t delay_ms)
{
    int64_t now = clock_us();
    return delay_ms > 0 ? (now + 999) / 1000 + delay_ms : now / 1000;
}

/* A sorted list: deadlines are mostly of a few fixed lengths, and the one that is set last is
 * mostly the latest, so the place is looked for from the end. */
void loop_timer_set(struct loop_timer *timer, int64_t delay_ms)
{
    loop_timer_cancel(timer);
    timer->due_ms = due_after(delay_ms);
    timer->armed = true;

    struct timer_list *timers = &timer->loop->timers;
    struct loop_timer *before = TAILQ_LAST(timers, timer_list);
    while (before != NULL && before->due_ms > timer->due_ms) {
        before = TAILQ_PREV(before, timer_list, link);
    }
    if (before == NULL) {
        TAILQ_INSERT_HEAD(timers, timer, link);
    } else {
        TAILQ_INSERT_AFTER(timers, before, timer, link);
    }
}

void loop_timer_free(struct loop_timer *timer)
{
    if (timer == NULL) {
        return;
    }
    loop_timer_cancel(timer);
    free(timer);
}

struct loop_check *loop_add_check(struct loop *loop, loop_check_fn fn, void *arg)
{
    struct loop_check *check = xcalloc(1, sizeof *check);
    *check = (struct loop_check){.fn = fn, .arg = arg, .loop = loop};
    TAILQ_INSERT_TAIL(&loop->checks, check, link);
    return check;
}

void loop_check_free(struct loop_check *check)
{
    if (check == NULL) {
        return;
    }
    check->fn = NULL;
    check->loop->checks_dirty = true;
}

static void on_signal_fd(void *arg, uint32_t events)
{
    struct loop *loop = arg;
    struct signalfd_siginfo info;
    (void)events; /* only EPOLLIN was asked for */
    while (read(loop->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        loop->signal_fn(loop->signal_arg, (int)info.ssi_signo);
    }
}

int loop_add_signals(struct loop *loop, const int *signals, loop_signal_fn fn, void *arg,
                     struct err *e)
{
    assert(loop->signal_fd < 0);
    sigset_t set;
    sigemptyset(&set);
    for (; *signals != 0; signals++) {
        sigaddset(&set, *signals);
    }
    errno = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (errno != 0) {
        return err_sys(e, "pthread_sigmask");
    }
    loop->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (loop->signal_fd < 0) {
        return err_sys(e, "signalfd");
    }
    loop->signal_fn = fn;
    loop->signal_arg = arg;
    return loop_add_fd(loop, loop->signal_fd, EPOLLIN, on_signal_fd, loop, &loop->signal_source, e);
}

/* Freed checks stay in the list until bury, so the walk is safe; added ones come at the end of it
 * and are called in the same round. */
static bool run_checks(struct loop *loop)
{
    bool more = false;
    struct loop_check *check = NULL;
    TAILQ_FOREACH (check, &loop->checks, link) {
        if (check->fn != NULL && check->fn(check->arg) == LOOP_MORE) {
            more = true;
        }
    }
    return more;
}

static int sleep_ms(const struct loop *loop, bool more)
{
    if (more) {
        return 0;
    }
    const struct loop_timer *first = TAILQ_FIRST(&loop->timers);
    if (first == NULL) {
        return -1;
    }
    int64_t left = first->due_ms - clock_ms();
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

/* What is due is set apart first: a timer that sets itself again waits for the next round, and
 * descriptors get their turn before it. */
static void run_timers(struct loop *loop)
{
    int64_t now = clock_ms();
    struct loop_timer *timer = TAILQ_FIRST(&loop->timers);
    while (timer != NULL && timer->due_ms <= now) {
        TAILQ_REMOVE(&loop->timers, timer, link);
        TAILQ_INSERT_TAIL(&loop->firing, timer, link);
        timer->firing = true;
        timer = TAILQ_FIRST(&loop->timers);
    }
    while (!TAILQ_EMPTY(&loop->firing)) {
        timer = TAILQ_FIRST(&loop->firing);
        loop_timer_cancel(timer);
        timer->fn(timer->arg);
    }
}

/* A callback may have freed a source, or asked it for less, since its event was fetched. */
static void dispatch(const struct epoll_event *event)
{
    struct loop_fd *source = event->data.ptr;
    uint32_t wanted = source->events == 0 ? 0 : source->events | EPOLLHUP | EPOLLERR;
    if (source->fn != NULL && (event->events & wanted) != 0) {
        source->fn(source->arg, event->events & wanted);
    }
}

int loop_run(struct loop *loop, struct err *e)
{
    while (!loop->stopping) {
        struct epoll_event events[EVENTS_AT_ONCE];
        bool more = run_checks(loop);
        bury(loop);
        if (loop->stopping) {
            break;
        }
        int n = epoll_wait(loop->epoll_fd, events, EVENTS_AT_ONCE, sleep_ms(loop, more));
        if (n < 0 && errno != EINTR) {
            return err_sys(e, "epoll_wait");
        }
        for (int i = 0; i < n; i++) {
            dispatch(&events[i]);
        }
        run_timers(loop);
        bury(loop);
    }
    loop->stopping = false;
    return 0;
}

void loop_stop(struct loop *loop)
{
    loop->stopping = true;
}
