/* SPDX-License-Identifier: MIT */
/* js_expressions.h - user_expressions of an execute_request: evaluated after a cell that succeeded,
 * each by itself, without await. */
#pragma once

#include "base/buf.h"

struct js;

/* Appends the JSON object of answers; nothing when there are no questions. */
void js_expressions(struct js *js, struct slice questions, struct buf *out);
