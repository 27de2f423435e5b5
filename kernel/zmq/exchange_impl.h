/* SPDX-License-Identifier: MIT */
/* exchange_impl.h - the inside of an exchange, for exchange.c (who asked, how to answer) and
 * exchange_events.c (what its job tells). */
#pragma once

#include "base/bounds.h"
#include "base/clock.h"
#include "kernel/zmq/exchange.h"

struct outgoing;

struct exchange {
    LIST_ENTRY(exchange) link; /* in the door's list of all */
    struct door *door;
    enum channel channel;
    enum msg_type type;
    bool busy;
    bool silent;
    bool keep_history;            /* of an execute_request */
    bool detached;                /* the side thread answers: whoever it tells frees it */
    bool asking;                  /* its input_request is open */
    uint64_t asked;               /* and is this message of the codec's; 0: it has not left yet */
    struct buf question;          /* its content, while nobody is there to be asked */
    int64_t ask_until_ms;         /* clock_ms() */
    struct loop_timer *ask_timer; /* NULL: nothing was ever asked */
    struct buf parent;            /* header of the request */
    struct buf identities;        /* bytes of all routing frames */
    size_t identity_lens[MSG_IDENTITIES_MAX];
    size_t identity_count;
    char *context_id;    /* NULL before one was selected */
    struct buf metadata; /* of what it publishes; {} for the default context */
    struct buf content;  /* of a request that waits for its turn and is answered by the door */
    int64_t line;        /* execution count, when the execution goes into the history; else 0 */
    char *code;          /* raw JSON string of an execute_request, until it has been published */
    size_t code_len;
    char started[CLOCK_ISO_SIZE];
};

/* exchange.c */
void exchange_publish(struct exchange *x, enum msg_type type, struct slice content,
                      const struct slice *buffers, size_t buffer_count);
/* The same for a comm message, whose first buffer is its metadata. */
void exchange_publish_comm(struct exchange *x, enum msg_type type, struct slice content,
                           const struct slice *buffers, size_t buffer_count);
/* Sends to the client that asked; e->sys EHOSTUNREACH: it is not connected there. */
MUST_CHECK int exchange_send(struct exchange *x, enum channel channel, const struct outgoing *msg,
                             struct err *e);
void exchange_reply_failure(struct exchange *x, const char *ename, const char *evalue,
                            int64_t execution_count);

/* exchange_ask.c */
void exchange_ask(struct exchange *x, struct slice content); /* input_request, to the asker */
void exchange_ask_done(struct exchange *x);

/* What an internal error is called towards clients. */
const char *exchange_ename(const struct err *reason);
