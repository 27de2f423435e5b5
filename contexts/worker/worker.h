/* SPDX-License-Identifier: MIT */
/* worker.h - the language-neutral half of a context: reads requests, runs the engine, sends what
 * it produces. Output calls may come from any thread of the language; a frame is always whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "contexts/wire/msg.h"

struct engine;
struct bundle;
struct worker;

enum stream_kind { STREAM_STDOUT, STREAM_STDERR };

/* Descriptors of a new context, in the order of enum wire_fork_fd. */
struct will;

struct worker_fds {
    int wire;
    int out_read;
    int err_read;
    struct will *will; /* mapped for life; NULL: what is held back dies with the process */
};

/* Serves one context on `fds` (taken) until STOP or the end of the stream. Never returns. */
_Noreturn void worker_serve(const struct engine *engine, void *state, struct worker_fds fds);

#define LATEST_EXEC 0 /* the execution that runs, or else the last one that was heard */

/* Names the execution that is being served, so that what it leaves running can send in its name
 * later; LATEST_EXEC while it is silent. */
uint64_t worker_heard(const struct worker *w);

/* Adds text to a standard stream, in order with everything else the context sends. It leaves
 * coalesced: at a size, after a short time, when the stream changes, before any other frame, and
 * at the end of the cell. Text need not end at a code point. worker_try_write is the fast path:
 * false when it would have to wait or send; the caller then drops what it holds (the GIL) and
 * calls worker_write. `exec` says whose text it is: what worker_heard gave some time ago, or
 * LATEST_EXEC. */
bool worker_try_write(struct worker *w, uint64_t exec, enum stream_kind kind, struct slice text);
void worker_write(struct worker *w, uint64_t exec, enum stream_kind kind, struct slice text);

/* Sends what the streams hold, and first what lies in the pipes of descriptors 1 and 2. */
void worker_flush(struct worker *w);

/* User code asks for a flush: the same at once, unless something was sent a moment ago; then in a
 * moment, so that a program which flushes every line does not send a message per line. */
void worker_hint_flush(struct worker *w);

/* Call before a subprocess may write to descriptor 1 or 2: keeps its output in order, and makes
 * sure somebody drains the pipes while the main thread waits. */
void worker_expect_foreign_output(struct worker *w);

/* The same for good: native code that can print at any time has been loaded. */
void worker_expect_native_output(struct worker *w);

/* Sends a message of the type WIRE_DISPLAY_DATA, _UPDATE_DISPLAY_DATA, _CLEAR_OUTPUT or a comm
 * message, with finished Jupyter content, under the name of `exec`; flushes first. Silent
 * executions send nothing. The first buffer of a comm message is its metadata, a raw JSON object.
 */
void worker_publish(struct worker *w, uint64_t exec, enum wire_type type, struct slice content,
                    const struct slice *buffers, size_t buffer_count);

/* Sends an execute_result of the execution that is running. */
void worker_result(struct worker *w, const struct bundle *bundle);

/* Sends WIRE_DISPLAY_DATA or WIRE_UPDATE_DISPLAY_DATA. `transient` is a raw JSON object, or
 * empty. */
void worker_display(struct worker *w, uint64_t exec, enum wire_type type,
                    const struct bundle *bundle, struct slice transient);

/* Asks the client for a line and waits; any thread of a running cell may. 0: `answer` holds it; -1:
 * not allowed here, or the cell has ended (ERR_STATE); nobody there to answer (ERR_TIMEOUT); a
 * signal arrived, or may have (ERR_SYS, EINTR: the caller looks at its signals and calls again,
 * with `again` set); the context is being stopped, or the broker is gone (ERR_GONE); too many
 * messages wait already (ERR_LIMIT). */
enum input_again { INPUT_ASK, INPUT_AGAIN };

MUST_CHECK int worker_input(struct worker *w, struct slice prompt, bool password,
                            enum input_again again, struct buf *answer, struct err *e);

/* The running cell awaits something, and takes comm messages meanwhile: one of them may be it.
 * Returns the descriptor to watch, -1 when there is nothing to listen to. worker_serve_comms, to be
 * called on the main thread when that is readable, serves what came; false when nothing can come
 * any more. */
int worker_listen(struct worker *w);
bool worker_serve_comms(struct worker *w);

/* Interrupts reach the language only while a request is served. An engine disarms before its last
 * look at pending signals, so that none is left for the next cell; the worker disarms in any case
 * when the engine returns. */
void worker_arm_interrupt(struct worker *w);
void worker_disarm_interrupt(struct worker *w);

/* Frees some memory that was kept for this moment: call it before telling that a cell ran out. */
void worker_out_of_memory(struct worker *w);

/* True in a process that user code forked off the context: it sends nothing and answers nobody. */
bool worker_is_copy(const struct worker *w);
