/* SPDX-License-Identifier: MIT */
/* broker.h - the door-neutral middle: owns the contexts, the doors (door.h), the bookkeeping, the
 * signals of the process and the order of a shutdown. Requests come in as runs (run.h), the care of
 * contexts is manage.h. Knows no socket and no Jupyter header. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct broker;
struct loop;

/* A worker program. Texts are borrowed as long as the broker lives. */
struct broker_worker {
    const char *language;
    const char *path;
    const char *const *argv;    /* NULL-terminated, argv[0] included */
    const char *const *preload; /* modules for its warm zygote */
    size_t preload_count;       /* at most PRELOAD_MAX */
};

struct broker_options {
    const struct broker_worker *workers;
    size_t worker_count;
    const char *language;     /* of the default context, and of a new one that names none */
    const char *cwd;          /* of contexts; NULL: where the broker runs */
    const char *history_path; /* ":memory:": in memory only; NULL: what runs is not noted */
    size_t descriptor_limit;  /* soft limit of open descriptors for user code; 0: ours */
    int64_t preload_ms;       /* how long one module may take to load; 0: PRELOAD_MS */
    bool exit_on_death;       /* a context that dies by itself ends the broker */
};

/* Takes over SIGINT, SIGTERM, SIGHUP and SIGCHLD of the process; call it before there are other
 * threads, which must inherit their block. Borrows everything for life. No process is started. */
MUST_CHECK int broker_new(struct loop *loop, const struct broker_options *options,
                          struct broker **out, struct err *e);

/* Starts the zygote of the default language. */
MUST_CHECK int broker_start(struct broker *b, struct err *e);

/* Ends what still runs and closes the doors. */
void broker_free(struct broker *b);
DEFINE_DROP(broker, struct broker, broker_free)

/* Interrupts what cells of notebooks run, as SIGINT does: the default context and those that a
 * first line made. Those of programs are left alone. */
void broker_interrupt(struct broker *b);

/* Stops admitting, lets cells run for a moment, interrupts, kills, reaps, tells the doors, stops
 * the loop. All open requests have ended by then. Calling it again changes nothing. */
void broker_shutdown(struct broker *b);

/* True when it ended because a context died (exit_on_death). */
bool broker_context_died(const struct broker *b);
