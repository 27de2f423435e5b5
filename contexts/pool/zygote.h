/* SPDX-License-Identifier: MIT */
/* zygote.h - the broker's end of a fork server (contexts/worker/fork_server.h): starts it, orders
 * contexts from it, receives reports of their deaths. Its own death fails only what was still being
 * asked; contexts it made live on as children of the broker. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/loop.h"
#include "contexts/wire/msg.h"

struct zygote;

struct zygote_options {
    const char *language;
    const char *path;        /* worker program */
    const char *const *argv; /* NULL-terminated, argv[0] included; borrowed during the call */
    int lifeline_fd;         /* borrowed during the call */
    size_t descriptor_limit; /* soft limit of open descriptors; 0: ours */
    int64_t preload_ms;      /* how long one module may take to load */
};

/* Calls on the loop's thread. */
struct zygote_sink {
    /* Its hello has come. */
    void (*ready)(void *arg, struct zygote *zygote);
    /* The context asked for with `ticket` runs. Gives `pidfd`. */
    void (*forked)(void *arg, uint64_t ticket, pid_t pid, int pidfd);
    void (*failed)(void *arg, uint64_t ticket, const char *why);
    void (*exited)(void *arg, uint64_t ticket, const struct wire_exited *exited);
    /* Everything still asked has failed for the reason `why`. The zygote may be freed now. */
    void (*gone)(void *arg, struct zygote *zygote, const char *why);
};

/* Starts the program. Borrows `sink` and `arg` for life. */
MUST_CHECK int zygote_start(struct loop *loop, const struct zygote_options *options,
                            const struct zygote_sink *sink, void *arg, struct zygote **out,
                            struct err *e);

/* Orders a context. `fds` are those that `order` names, borrowed. */
MUST_CHECK int zygote_fork(struct zygote *z, uint64_t ticket, const struct wire_fork *order,
                           const int *fds, struct err *e);

/* Closes the control socket: the zygote ends its contexts and itself. One that is not ready has no
 * contexts, and may be busy loading: it is killed. */
void zygote_stop(struct zygote *z);

/* Its process was reaped. */
void zygote_reaped(struct zygote *z, int status);

pid_t zygote_pid(const struct zygote *z);
const char *zygote_language(const struct zygote *z);

/* Lends its hello, NULL before it. */
const struct wire_hello *zygote_hello(const struct zygote *z);

/* Lends the name of the module it was loading when it ended, NULL when none is to blame. */
const char *zygote_blamed(const struct zygote *z);

/* True from the start until it can take no more requests. */
bool zygote_is_usable(const struct zygote *z);

void zygote_free(struct zygote *z);
