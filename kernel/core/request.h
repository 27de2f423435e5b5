/* SPDX-License-Identifier: MIT */
/* request.h - one request as every door fills it in, and what its sender hears of it. Contents are
 * those of the Jupyter messages of the same name, as bytes: the worker reads and writes them, and a
 * door passes them on. Not here: what becomes of it (run.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct run;

enum request_kind {
    REQUEST_EXECUTE,
    REQUEST_COMPLETE,
    REQUEST_INSPECT,
    REQUEST_IS_COMPLETE,
    REQUEST_COMM_OPEN,
    REQUEST_COMM_MSG,
    REQUEST_COMM_CLOSE,
    REQUEST_HISTORY,
    REQUEST_TURN, /* only its turn in the default context: the door itself answers then */
    REQUEST_KINDS
};

/* Of one run. Those with a name in options.c may also come as metadata. Texts are borrowed. */
struct run_options {
    struct slice context;     /* id of the context; empty: by the first line, or the default one */
    int64_t timeout_ms;       /* from the start of the execution; 0: none */
    int64_t queue_timeout_ms; /* from now to the start; 0: none */
    int64_t output_bytes;     /* of streams and displays; 0: no limit */
    struct slice env;         /* raw JSON object of texts for this run; empty: none */

    bool silent;          /* of an execution, as in an execute_request */
    bool store_history;   /* likewise */
    bool stop_on_error;   /* likewise */
    bool allow_stdin;     /* likewise; the listener is asked */
    bool runs_to_end;     /* as a program: until nothing is left to happen */
    struct slice header;  /* raw JSON object: what the client calls this run; empty: none */
    int64_t cell_sent_ms; /* by the clock of a notebook that sends cells at once; 0: not a cell */
};

enum output_kind {
    OUTPUT_STREAM,
    OUTPUT_DISPLAY,
    OUTPUT_UPDATE_DISPLAY,
    OUTPUT_CLEAR,
    OUTPUT_RESULT,
    OUTPUT_ERROR,
    OUTPUT_COMM_OPEN,
    OUTPUT_COMM_MSG,
    OUTPUT_COMM_CLOSE,
    OUTPUT_KINDS
};

/* All are lent for the call. `context_id` is NULL for the default context, whose messages do not
 * name it. */
struct run_start {
    const char *context_id;
    int64_t execution_count;
    struct slice code; /* raw JSON string to be shown as the input; empty: nothing is to be shown */
};

struct run_output {
    enum output_kind kind;
    struct slice content;
    struct slice metadata; /* raw JSON object of a comm message; else empty */
    const struct slice *buffers;
    size_t buffer_count;
};

enum run_status { RUN_OK, RUN_FAILED, RUN_ABORTED };

/* All that is to be known of the end. */
struct run_end {
    enum run_status status;
    struct slice content;    /* JSON object of the reply, errors included; empty: REQUEST_TURN */
    const char *context_id;  /* NULL: the default one, or none was found */
    const char *ename;       /* of a failure that is not the code's own: its name, else NULL */
    const char *reason;      /* and why, e.g. "killed by SIGKILL (Killed)" */
    int64_t execution_count; /* of the run, or where its context stands */
    int exit_code;           /* that the code asked for, 0 to 255; -1: none */
};

/* Calls come on the loop's thread. started at most once and before any output, ended exactly once,
 * release last. output may still come after ended: threads that print on. Either of the last two
 * may come before run_submit has returned. */
struct run_listener {
    void (*started)(void *arg, const struct run_start *start);
    void (*output)(void *arg, const struct run_output *output);
    /* The code asks for input. -1: nobody is connected that could be asked; it is tried again for
     * a while. run_answer answers. */
    int (*ask)(void *arg, struct slice content, struct err *e);
    void (*ended)(void *arg, const struct run_end *end);
    void (*release)(void *arg); /* frees `arg` */
};

/* Borrowed by run_submit, except `arg`, which it takes. */
struct request {
    enum request_kind kind;
    struct slice content;  /* JSON object, checked for the kind; or */
    struct slice code;     /* of an execution that comes without content: UTF-8 */
    struct slice metadata; /* JSON object that selects and sets options; may be empty */
    struct run_options options;
    const struct slice *buffers;
    size_t buffer_count;
    const struct run_listener *listener;
    void *arg;
    struct run **handle; /* set before any call of the listener, NULL after release; may be NULL */
};
