/* SPDX-License-Identifier: MIT */
/* expressions.h - user_expressions of an execute_request: questions by name, each with an answer of
 * its own. Not here: how a language evaluates one. */
#pragma once

#include "base/buf.h"

/* Appends the answer to one question, raw JSON of the client: an object with its status. */
typedef void expressions_fn(void *state, struct slice question, struct buf *out);

/* Appends the JSON object of the answers; nothing when there are no questions. What does not fit
 * any more is left out. */
void expressions_answer(struct slice questions, expressions_fn *answer, void *state,
                        struct buf *out);

/* Appends the answer of an expression that failed. `traceback` is a JSON array. */
void expressions_add_error(struct buf *out, struct slice name, struct slice message,
                           struct slice traceback);
