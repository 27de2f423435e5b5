/* SPDX-License-Identifier: MIT */
/* exchange.h - one request and all that is said about it: busy, outputs, reply, idle, each with
 * the request's header as parent. Lives as long as late output may come. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "kernel/core/broker.h"
#include "kernel/protocol/message.h"

struct door;
struct exchange;
struct execute_fields;

LIST_HEAD(exchange_list, exchange);

/* Copies what answers need from `msg`. Gives the exchange. */
MUST_CHECK int exchange_new(struct door *d, enum channel channel, const struct message *msg,
                            struct exchange **out, struct err *e);
void exchange_free(struct exchange *x);
DEFINE_DROP(exchange, struct exchange, exchange_free)

/* From now on everything it sends says which context it is about (the default one is not named). */
void exchange_set_context(struct exchange *x, const struct context *c);

/* The content of an execute_request as the broker needs it; keeps the raw code for execute_input.
 */
void exchange_set_execute(struct exchange *x, const struct execute_fields *fields);

/* Keeps the content of a request that the door answers when its turn has come. */
void exchange_keep(struct exchange *x, struct slice content);

/* Publishes `busy`, once. */
void exchange_busy(struct exchange *x);

/* Sends the reply to the asker, then `idle`. Messages that have no reply get only `idle`. */
void exchange_reply(struct exchange *x, struct slice content);

/* busy, reply, idle: for requests that are answered on the spot. */
void exchange_answer(struct exchange *x, struct slice content);

/* Answers with status error; an execute_request gets its `error` output too. */
void exchange_refuse(struct exchange *x, const char *ename, const char *evalue);

/* The same for an internal error, by its code. */
void exchange_refuse_err(struct exchange *x, const struct err *reason);

/* Lends the exchange of the request whose msg_id is the JSON string `raw`; NULL: none lives. */
struct exchange *exchange_find(const struct exchange_list *list, struct slice raw);

/* Lends the exchange that waits for input from the sender of `msg`, and counts it as answered: the
 * one that `msg` names as its parent, or else the one that has waited longest. NULL: none does. */
struct exchange *exchange_find_asking(const struct exchange_list *list, const struct message *msg);

struct slice exchange_parent(const struct exchange *x);
enum msg_type exchange_type(const struct exchange *x);
struct slice exchange_content(const struct exchange *x); /* what exchange_keep kept */

/* Lends the id of the context it went to; NULL before it did. */
const char *exchange_context_id(const struct exchange *x);

/* How an exchange listens to its job. `arg` is the exchange, taken. */
extern const struct job_sink exchange_events;
