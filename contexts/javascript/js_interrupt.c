/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_interrupt.h"

#include <poll.h>
#include <signal.h>

/* A handler of signals has no argument to find its engine by. */
static volatile sig_atomic_t interrupted;

static void on_sigint(int signo)
{
    (void)signo; /* only one is handled here */
    interrupted = 1;
}

static int on_poll(JSRuntime *rt, void *opaque)
{
    (void)rt;
    (void)opaque;
    return interrupted;
}

void js_interrupt_install(void)
{
    struct sigaction act = {.sa_handler = on_sigint};
    (void)sigaction(SIGINT, &act, NULL); /* cannot fail with these arguments */
    (void)signal(SIGPIPE, SIG_IGN);      /* a child that reads no more is EPIPE, not our end */
}

void js_interrupt_watch(JSRuntime *rt)
{
    JS_SetInterruptHandler(rt, on_poll, NULL);
}

bool js_interrupted(void)
{
    return interrupted != 0;
}

void js_interrupt_clear(void)
{
    interrupted = 0;
}

int js_interrupt_poll_many(struct pollfd *fds, size_t count, int64_t timeout_us)
{
    struct timespec timeout = {.tv_sec = timeout_us / 1000000,
                               .tv_nsec = timeout_us % 1000000 * 1000};
    sigset_t blocked;
    sigset_t before;
    int ready = 0;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &blocked, &before); /* cannot fail with these arguments */
    if (!interrupted) {
        ready = ppoll(fds, count, timeout_us < 0 ? NULL : &timeout, &before);
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL); /* as above */
    return ready;
}

bool js_interrupt_poll(int fd, int64_t timeout_us)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    return js_interrupt_poll_many(&readable, 1, timeout_us) > 0;
}
