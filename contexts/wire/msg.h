/* SPDX-License-Identifier: MIT */
/* msg.h - the messages between broker, zygote and worker: one table, and the small JSON contents
 * that are ours. Contents of Jupyter messages pass through as bytes and are not described here.
 * Any change of a meaning or layout raises WIRE_VERSION; broker and zygote compare it at start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fd.h"

#define WIRE_VERSION 2

/* name, text, who sends it to whom */
#define WIRE_MSG_MAP(X)                                                                            \
    X(HELLO, hello, ZYGOTE_TO_BROKER)   /* ready to fork */                                        \
    X(FORK, fork, BROKER_TO_ZYGOTE)     /* make a context: policy, with its descriptors */         \
    X(FORKED, forked, ZYGOTE_TO_BROKER) /* made: pid, with its pidfd */                            \
    X(FAILED, failed, ZYGOTE_TO_BROKER) /* not made: why */                                        \
    X(EXITED, exited, ZYGOTE_TO_BROKER) /* reaped: pid, status, usage */                           \
    X(START, start, BROKER_TO_WORKER)   /* options of the context; first frame, once */            \
    X(EXECUTE, execute, BROKER_TO_WORKER)                                                          \
    X(COMPLETE, complete, BROKER_TO_WORKER)                                                        \
    X(INSPECT, inspect, BROKER_TO_WORKER)                                                          \
    X(IS_COMPLETE, is_complete, BROKER_TO_WORKER)                                                  \
    X(COMM, comm, BROKER_TO_WORKER)                                                                \
    X(INPUT_REPLY, input_reply, BROKER_TO_WORKER)                                                  \
    X(STOP, stop, BROKER_TO_WORKER) /* end after what is running */                                \
    X(READY, ready, WORKER_TO_BROKER)                                                              \
    X(STREAM, stream, WORKER_TO_BROKER)                                                            \
    X(DISPLAY_DATA, display_data, WORKER_TO_BROKER)                                                \
    X(UPDATE_DISPLAY_DATA, update_display_data, WORKER_TO_BROKER)                                  \
    X(CLEAR_OUTPUT, clear_output, WORKER_TO_BROKER)                                                \
    X(EXECUTE_RESULT, execute_result, WORKER_TO_BROKER)                                            \
    X(ERROR, error, WORKER_TO_BROKER)                                                              \
    X(INPUT_REQUEST, input_request, WORKER_TO_BROKER)                                              \
    X(COMM_OPEN, comm_open, WORKER_TO_BROKER)                                                      \
    X(COMM_MSG, comm_msg, WORKER_TO_BROKER)                                                        \
    X(COMM_CLOSE, comm_close, WORKER_TO_BROKER)                                                    \
    X(DONE, done, WORKER_TO_BROKER)           /* content of the reply; ends its execution */       \
    X(LISTENING, listening, WORKER_TO_BROKER) /* the cell awaits: it takes comm messages */        \
    X(PRELOAD, preload, ZYGOTE_TO_BROKER)     /* before the hello: how a module fares */

enum wire_route { BROKER_TO_ZYGOTE, ZYGOTE_TO_BROKER, BROKER_TO_WORKER, WORKER_TO_BROKER };

enum wire_type {

#define X(upper, lower, route) WIRE_##upper,
    WIRE_MSG_MAP(X)
#undef X
};

enum {

#define X(upper, lower, route) WIRE_COUNT_##upper,
    WIRE_MSG_MAP(X)
#undef X
        WIRE_TYPES
};

const char *wire_type_name(enum wire_type type);
enum wire_route wire_type_route(enum wire_type type);

/* HELLO: what the zygote runs. */
struct wire_hello {
    int version;               /* WIRE_VERSION of its build */
    char language[32];         /* "python" */
    char language_version[32]; /* "3.11.2" */
    char interpreter[1024];    /* path that user code sees as its own, "" if none */
    char host[16];             /* "embedded", "exec" */
};

int wire_hello_add(struct buf *out, const struct wire_hello *hello);
MUST_CHECK int wire_hello_read(struct slice content, struct wire_hello *out, struct err *e);

/* PRELOAD: a warm zygote names each module before it loads it, so that the broker knows whom to
 * blame for a crash, and then what went wrong with it, if anything. */
enum wire_preload_stage {
    PRELOAD_BEGINS,
    PRELOAD_PRINTED, /* `text` is what it wrote to descriptors 1 and 2 */
    PRELOAD_FAILED   /* `text` is why */
};

struct wire_preload {
    int stage;        /* enum wire_preload_stage */
    char module[256]; /* MODULE_NAME_MAX and its NUL */
    char text[1024];
};

int wire_preload_add(struct buf *out, const struct wire_preload *preload);
MUST_CHECK int wire_preload_read(struct slice content, struct wire_preload *out, struct err *e);

/* FORK: an order for one context. The frame's execution id is its ticket, never 0, which every
 * answer to it carries; the descriptors travel beside the frame, in the order in which the content
 * names them. A zygote refuses an order that it does not understand whole. */

/* Descriptors of a context: name in C, name on the wire. */
#define WIRE_FORK_FD_MAP(X)                                                                        \
    X(WIRE, wire)                                                                                  \
    X(OUT_R, stdout_read)                                                                          \
    X(OUT_W, stdout_write)                                                                         \
    X(ERR_R, stderr_read)                                                                          \
    X(ERR_W, stderr_write)                                                                         \
    X(WILL, will) /* memory for struct will */

enum wire_fork_fd {

#define X(upper, lower) FORK_FD_##upper,
    WIRE_FORK_FD_MAP(X)
#undef X
        FORK_FDS
};

const char *wire_fork_fd_name(enum wire_fork_fd fd);

/* The policy that every context has today: its code may do what the user may do. */
#define WIRE_POLICY_OPEN "open"

struct wire_fork {
    char policy[64]; /* name of the policy that decides what the child may do */
    size_t descriptor_count;
    enum wire_fork_fd descriptors[FD_PASS_MAX]; /* what each that travels with it is, in order */
};

int wire_fork_add(struct buf *out, const struct wire_fork *fork);
MUST_CHECK int wire_fork_read(struct slice content, struct wire_fork *out, struct err *e);

/* Sorts the `count` descriptors that came with the order by what they are: `placed[FORK_FD_WIRE]`
 * is the wire. ERR_PROTO when others came than it names, or one of a context's is missing. */
MUST_CHECK int wire_fork_place(const struct wire_fork *fork, const int *fds, size_t count,
                               int placed[FORK_FDS], struct err *e);

/* FORKED: the order is carried out. */
int wire_forked_add(struct buf *out, int pid);
MUST_CHECK int wire_forked_read(struct slice content, int *pid, struct err *e);

/* FAILED: it is not. */
struct wire_failed {
    char error[480]; /* why; as struct err */
};

int wire_failed_add(struct buf *out, const struct wire_failed *failed);
MUST_CHECK int wire_failed_read(struct slice content, struct wire_failed *out, struct err *e);

/* EXITED: how the process ended, from its reaper. */
struct wire_exited {
    int pid;
    int status; /* as waitpid gives it */
    int64_t cpu_us;
    int64_t max_rss_kib;
};

int wire_exited_add(struct buf *out, const struct wire_exited *exited);
MUST_CHECK int wire_exited_read(struct slice content, struct wire_exited *out, struct err *e);

/* What the broker adds to an EXECUTE frame: its first buffer. The content itself is the client's
 * execute_request, byte for byte. */
struct wire_execute_options {
    int64_t execution_count;
    struct slice env;    /* raw JSON object of texts, for this run only; empty: none */
    struct slice header; /* raw JSON object: the header of the client's request; empty: none */
    bool runs_to_end;    /* as a program does: see struct exec_request */
};

int wire_execute_options_add(struct buf *out, const struct wire_execute_options *options);

/* `*out` lends from `content`. */
MUST_CHECK int wire_execute_options_read(struct slice content, struct wire_execute_options *out,
                                         struct err *e);

/* What a worker adds to the DONE frame of an execution whose code asked to exit: its only buffer.
 * The content itself is the client's reply. */
struct wire_done {
    int exit_code; /* 0 to 255 */
};

int wire_done_add(struct buf *out, const struct wire_done *done);
MUST_CHECK int wire_done_read(struct slice content, struct wire_done *out, struct err *e);
