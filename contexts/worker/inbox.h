/* SPDX-License-Identifier: MIT */
/* inbox.h - the reading end of the stream from the broker. Everybody who waits for a frame gets it
 * here: the main loop between requests; in a cell the threads that ask for input, and the cell that
 * listens for comm messages.
 *
 * One rule for every frame: it is offered to whoever looks, whose sorter says what becomes of it.
 * Who does not want it leaves it for others: it is held, and held frames are offered, in the order
 * in which they came, before anything newer. STOP is offered to nobody: it ends every wait, now and
 * later. Frames are given as letters, copies that belong to the taker.
 *
 * Any thread may call. Not here: what a frame means (worker.c, ask.c, comm.c). */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "base/err.h"
#include "contexts/wire/frame.h"

/* A frame with memory of its own. */
struct letter {
    TAILQ_ENTRY(letter) link;
    struct wire_frame frame; /* lent by the letter */
    size_t bytes;            /* content and buffers */
    char *moved;             /* owned: the reader's memory, of a large frame; else NULL */
    struct slice *slices;    /* owned likewise */
};

void letter_free(struct letter *letter);
DEFINE_DROP(letter, struct letter, letter_free)

TAILQ_HEAD(letters, letter);

struct inbox {
    int fd;                 /* borrowed */
    pthread_mutex_t lock;   /* guards what follows */
    pthread_cond_t arrived; /* frames were read, or nobody polls any more */
    struct wire_reader reader;
    struct letters held;
    size_t held_bytes;
    size_t waiters; /* that wait for `arrived` */
    bool open;      /* a cell runs: inbox_wait may read */
    bool polled;    /* one of those who wait polls the descriptor, for all of them */
    bool stopping;  /* STOP has come */
};

/* Borrows `fd`, which must be nonblocking, for life. */
void inbox_init(struct inbox *in, int fd);
void inbox_done(struct inbox *in);

/* A cell begins, or has ended. Between cells only the main loop reads, and every inbox_wait fails:
 * a thread that outlives its cell takes no frame away from those after it. */
void inbox_open(struct inbox *in);
void inbox_close(struct inbox *in);

enum inbox_verdict {
    INBOX_TAKE, /* it is for the one who looks */
    INBOX_HOLD, /* for somebody else, now or later */
    INBOX_DROP  /* for nobody any more */
};

typedef enum inbox_verdict inbox_sorter(const void *arg, const struct wire_frame *frame);

/* Reads once from the stream. 1: something came; 0: nothing is there; -1: nothing will come,
 * because the broker is gone (ERR_GONE), the descriptor is lost (ERR_SYS), or so much is held that
 * no more is read before some of it is taken (ERR_LIMIT). */
MUST_CHECK int inbox_read(struct inbox *in, struct err *e);

/* Gives the first frame of those that came that `sort` takes. 1: `*out` is the caller's; 0: there
 * is none; -1: none will come, for a reason of inbox_read, because the stream is not ours
 * (ERR_PROTO), or because STOP has come (ERR_GONE). */
MUST_CHECK int inbox_take(struct inbox *in, inbox_sorter *sort, const void *arg,
                          struct letter **out, struct err *e);

/* The same, and waits for it: 0 when something else came, after a signal, and when the time is
 * over. -1 also when no cell runs any more (ERR_STATE). Not for the main loop. */
MUST_CHECK int inbox_wait(struct inbox *in, inbox_sorter *sort, const void *arg, int timeout_ms,
                          struct letter **out, struct err *e);

/* True when STOP has come. */
bool inbox_is_stopping(struct inbox *in);
