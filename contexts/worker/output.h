/* SPDX-License-Identifier: MIT */
/* output.h - everything a context sends, in one order: text of both streams, what lies in the
 * pipes of descriptors 1 and 2, and all other frames. Text is held back for a moment and leaves
 * coalesced (held.h, pace.h). Any thread may call; a lock makes frames whole. Not here: the thread
 * that sends what nobody else sends (flusher.h), the contents of messages (content.h, publish.c).
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "contexts/worker/capture.h"
#include "contexts/worker/channel.h"
#include "contexts/worker/held.h"
#include "contexts/worker/pace.h"
#include "contexts/worker/worker.h"

/* An execution is heard or, when silent, nothing of it is sent. */
enum output_ear { OUTPUT_HEARD, OUTPUT_MUTED };

/* Who beside the language writes to the pipes: then each text is preceded by a look there. */
enum output_others { OTHERS_NONE, OTHERS_FOR_NOW, OTHERS_ALWAYS };

struct output {
    pthread_mutex_t lock; /* guards all of it */
    struct channel channel;
    struct capture capture;
    struct held held;
    struct pace pace;
    uint64_t exec; /* whose text it is unless said otherwise: the last execution that was heard */
    enum output_ear ear;
    enum output_others others;
    bool copy; /* a fork made by user code: never a frame, only descriptors 1 and 2 */
};

/* Takes the descriptors. */
void output_init(struct output *o, struct worker_fds fds);
void output_close(struct output *o);

/* Starts a new execution; late text of the one before is sent under its own name. */
void output_begin(struct output *o, uint64_t exec, enum output_ear ear);

/* See worker_try_write and worker_write. */
bool output_try_text(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text);
void output_text(struct output *o, uint64_t exec, enum stream_kind kind, struct slice text);

/* Others may write from now on: subprocesses, until there are none; code in this process, for good.
 * What C code left in stdio comes before them. */
void output_expect(struct output *o, enum output_others others);

/* Sends everything, the pipes included. */
void output_flush(struct output *o);

/* User code asks for it: at once or in a moment, see pace_hint. */
void output_hint(struct output *o);

/* The end of a cell: takes in what stdio, the pipes and unfinished code points still hold. It
 * leaves with the reply. What comes later belongs to the last execution that was heard. The pipes
 * have been seen when nothing has run since a frame was sent. */
enum output_look { OUTPUT_LOOK, OUTPUT_SEEN };

void output_settle(struct output *o, enum output_look look);

/* Sends a frame of its execution (0: the one that is heard), after all text before it. */
enum output_hurry { OUTPUT_NOW, OUTPUT_WITH_REPLY };

void output_frame(struct output *o, const struct wire_frame *frame, enum output_hurry hurry);

/* Sends a frame under its own execution id, muted or not. */
void output_send(struct output *o, const struct wire_frame *frame);

/* What the flusher does when it wakes: reads the pipes, sends what is due. Returns how many bytes
 * came out of the pipes. */
size_t output_tick(struct output *o);

/* In a fork made by user code: forgets what the parent will send, gives up the frames. */
void output_become_copy(struct output *o);
