/* SPDX-License-Identifier: MIT */
/* zygote_impl.h - the inside of a zygote, for zygote.c (start and end) and zygote_frames.c (what it
 * sends) only. */
#pragma once

#include "base/bounds.h"
#include "base/loop.h"
#include "contexts/pool/zygote.h"
#include "contexts/wire/frame.h"

struct zygote {
    struct loop *loop;
    const struct zygote_sink *sink;
    void *arg;
    char *language;
    pid_t pid;
    int64_t started_us;

    int control_fd; /* -1 once it is of no use any more */
    struct loop_fd *control;
    struct wire_reader reader;
    bool has_hello;
    struct wire_hello hello;
    struct loop_timer *hello_timer;

    char loading[MODULE_NAME_MAX + 1]; /* module that it named last; "" for none */
    int64_t preload_ms;
    bool late;      /* it was killed because that module took too long */
    bool is_logged; /* what is wrong with that module has been logged */

    int printed_fd; /* its standard output and error, before any context exists */
    struct loop_fd *printed_source;
    struct buf printed; /* the end of it */
};

/* zygote.c */
void zygote_close_control(struct zygote *z);

/* It does not keep to the protocol, or does not get ready: nothing it sends can be trusted. */
void zygote_give_up(struct zygote *z, const char *why);

/* zygote_frames.c */

/* Reads one datagram; false when there is none. */
bool zygote_read_control(struct zygote *z);

/* A module has failed: logs it once. */
void zygote_log_preload(struct zygote *z, const char *what, const char *text);
