/* SPDX-License-Identifier: MIT */
/* engine.h - all that a language has to fill in. The worker room does the rest: frames, fork
 * server, capture of descriptors 1 and 2, replies. Calls come on the main thread, one at a time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct worker;
struct wire_hello;

/* One execute_request, decoded as far as every language needs it. Borrowed by the engine. */
struct exec_request {
    struct slice code;             /* UTF-8, NUL-terminated, may hold NULs and lone surrogates */
    struct slice user_expressions; /* raw JSON object, may be empty */
    struct slice env;              /* raw JSON object of texts for this run, may be empty */
    struct slice header;           /* raw JSON object: the header of the request, may be empty */
    int64_t execution_count;
    bool silent;
    bool store_history;
    bool allow_stdin;
    bool runs_to_end; /* as a program: the cell, and then all that it left behind until nothing is
                       * left to happen; an exit that the code asks for is no failure */
};

/* What became of it. The worker makes the `error` message and the reply out of it. */
struct exec_outcome {
    bool failed;
    struct buf ename; /* UTF-8 */
    struct buf evalue;
    struct buf traceback;        /* JSON array of strings; empty: none */
    struct buf payload;          /* JSON array; empty: none */
    struct buf user_expressions; /* JSON object; empty: none */
    int exit_code;               /* that the code asked for, 0 to 255; -1: it asked for none */
    bool is_settled;             /* nothing has run since the result was sent */
};

/* A comm message of the client. Borrowed by the engine. */
struct comm_request {
    const char *msg_type; /* "comm_open", "comm_msg" or "comm_close" */
    struct slice content; /* raw JSON objects */
    struct slice metadata;
    const struct slice *buffers;
    size_t buffer_count;
};

struct engine {
    const char *language;

    /* Its handler of SIGINT does no more than note the signal, and every call below that runs code
     * forgets the note first (see sigint.h). */
    bool notes_sigint;

    /* In the zygote: fills in what HELLO says beyond version and language. */
    void (*describe)(void *state, struct wire_hello *hello);

    /* In the zygote, while nobody asks for anything: loads one more of what contexts will need.
     * False when there is none left. May be NULL. */
    bool (*preload_step)(void *state);

    /* Around the libc fork that makes a context. Each may be NULL. */
    void (*before_fork)(void *state);
    void (*after_fork_parent)(void *state);
    void (*after_fork_child)(void *state);

    /* In the context, once, before the first request. Lends `worker` for life. `options` is the
     * raw JSON object of START. */
    int (*open)(void *state, struct worker *worker, struct slice options, struct err *e);

    void (*execute)(void *state, const struct exec_request *request, struct exec_outcome *out);

    /* Appends the JSON content of the reply. May be NULL: the worker answers for languages
     * that cannot. */
    void (*is_complete)(void *state, struct slice code, struct buf *reply);
    /* `cursor` counts code points, here and in the reply, as Jupyter does. */
    void (*complete)(void *state, struct slice code, size_t cursor, struct buf *reply);
    void (*inspect)(void *state, struct slice code, size_t cursor, int detail, struct buf *reply);

    /* Hands a comm message to its target. May be NULL: new comms are then closed at once. */
    void (*comm)(void *state, const struct comm_request *request);

    /* Waits until `fd` is readable while background work of the language goes on; may come back
     * early. May be NULL: the worker polls. */
    void (*wait)(void *state, int fd);

    /* Orderly end of the context: exit handlers. */
    void (*close)(void *state);
};
