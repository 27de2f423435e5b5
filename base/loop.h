/* SPDX-License-Identifier: MIT */
/* loop.h - the event loop: descriptors, timers, signals, and checks before each sleep.
 * One thread owns it. Callbacks may add and free any source, their own included; a freed
 * source is never called again, not even for events that were already fetched. */
#pragma once

#include <stdint.h>
#include <sys/epoll.h>

#include "base/err.h"

struct loop;
struct loop_fd;
struct loop_timer;
struct loop_check;

typedef void (*loop_fd_fn)(void *arg, uint32_t events);
typedef void (*loop_timer_fn)(void *arg);
typedef void (*loop_signal_fn)(void *arg, int signo);

/* Called before the loop sleeps; says whether it left work behind (then the loop only polls). */
enum loop_more { LOOP_IDLE, LOOP_MORE };
typedef enum loop_more (*loop_check_fn)(void *arg);

MUST_CHECK int loop_new(struct loop **out, struct err *e);
void loop_free(struct loop *loop);
DEFINE_DROP(loop, struct loop, loop_free)

/* Runs until loop_stop: the round in which it is called is finished. A stop that comes while the
 * loop does not run ends the next run at once. */
MUST_CHECK int loop_run(struct loop *loop, struct err *e);
void loop_stop(struct loop *loop);

/* Watches `fd` (borrowed) for `events` (EPOLLIN, EPOLLOUT). Gives the source; free it before the
 * descriptor is closed. Hangup and error are always reported, unless `events` is 0: then the
 * source is quiet. */
MUST_CHECK int loop_add_fd(struct loop *loop, int fd, uint32_t events, loop_fd_fn fn, void *arg,
                           struct loop_fd **out, struct err *e);
void loop_fd_set_events(struct loop_fd *source, uint32_t events);
void loop_fd_free(struct loop_fd *source);

/* A timer is born unarmed. Setting it again moves it; it fires once per setting, never early. */
struct loop_timer *loop_add_timer(struct loop *loop, loop_timer_fn fn, void *arg);
void loop_timer_set(struct loop_timer *timer, int64_t delay_ms);
void loop_timer_cancel(struct loop_timer *timer);
void loop_timer_free(struct loop_timer *timer);

/* Calls `fn` before every sleep: for sources whose readiness no descriptor tells (ZeroMQ). */
struct loop_check *loop_add_check(struct loop *loop, loop_check_fn fn, void *arg);
void loop_check_free(struct loop_check *check);

/* Blocks the signals of the zero-terminated list in this thread and calls `fn` for each that
 * arrives. Threads started later inherit the block. Once per loop. */
MUST_CHECK int loop_add_signals(struct loop *loop, const int *signals, loop_signal_fn fn, void *arg,
                                struct err *e);
