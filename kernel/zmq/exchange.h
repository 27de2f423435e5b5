/* SPDX-License-Identifier: MIT */
/* exchange.h - one request and all that is sent because of it: busy, outputs, reply, idle, each
 * with the request's header as parent. Lives as long as late output may come. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "kernel/core/run.h"
#include "kernel/protocol/message.h"

struct zdoor;

struct exchange {
    LIST_ENTRY(exchange) link; /* in the door's list of all */
    struct zdoor *door;
    enum channel channel;
    enum msg_type type;
    struct run *run; /* NULL when it is none, or over */
    bool is_busy;
    bool is_asking;        /* its input_request is open */
    uint64_t asked;        /* and is this message of the codec's */
    struct buf parent;     /* header of the request */
    struct buf identities; /* bytes of all routing frames */
    size_t identity_lens[MSG_IDENTITIES_MAX];
    size_t identity_count;
    struct buf metadata; /* of what it sends: names the context unless that is the default one */
    struct buf content;  /* of a request that waits its turn and is answered by the door */
    char started[CLOCK_ISO_SIZE];
};

LIST_HEAD(exchange_list, exchange);

/* Copies what answers need from `msg`. Gives the exchange. */
MUST_CHECK int exchange_new(struct zdoor *d, enum channel channel, const struct message *msg,
                            struct exchange **out, struct err *e);
void exchange_free(struct exchange *x);

/* How an exchange listens to its run; `arg` is the exchange, taken. */
extern const struct run_listener exchange_events;

/* Publishes `busy`, once. */
void exchange_busy(struct exchange *x);

/* Sends the reply to the asker, then `idle`. Messages that have no reply get only `idle`. */
void exchange_reply(struct exchange *x, const struct run_end *end);

/* busy, reply, idle, and the end of the exchange (taken). */
void exchange_answer(struct exchange *x, struct slice content);

/* The same as an answer_fn of core; `arg` is the exchange, taken. */
void exchange_on_answer(void *arg, const struct run_end *end);

struct slice exchange_parent(const struct exchange *x);

/* Lends the exchange of the request whose msg_id is the JSON string `raw`; NULL: none lives. */
struct exchange *exchange_find(const struct exchange_list *list, struct slice raw);

/* Lends the exchange that waits for input from the sender of `msg`, and counts it as answered: the
 * one that `msg` names as its parent, or else the one that has waited longest. NULL: none does. */
struct exchange *exchange_find_asking(const struct exchange_list *list, const struct message *msg);
