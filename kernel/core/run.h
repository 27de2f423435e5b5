/* SPDX-License-Identifier: MIT */
/* run.h - one request from its submission to its end, whoever sent it: the selection of a context,
 * history, comms, budgets, questions to the client, the names of errors, and what a death means.
 * The listener of the request (request.h) hears what happens. */
#pragma once

#include "kernel/core/request.h"

struct door;

/* Submits a request. It ends in any case, if only with why it cannot run: there is no failure to
 * handle here. */
void run_submit(struct door *d, const struct request *request);

/* Ends a request that its door found to be wrong, with the name and words of its kind. */
void run_refuse(struct door *d, const struct request *request, const struct err *reason);

/* Answers run_listener.ask with the content of an input_reply. ERR_STATE: nothing was asked. */
MUST_CHECK int run_answer(struct run *run, struct slice content, struct err *e);

/* Takes an execution that has not started out of its queue: it ends as aborted. False when it does
 * not wait (any more), or is none. */
bool run_cancel(struct run *run);
