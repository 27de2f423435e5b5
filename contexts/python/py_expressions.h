/* SPDX-License-Identifier: MIT */
/* py_expressions.h - user_expressions of an execute_request: evaluated after a cell that went
 * well, each to a bundle or an error of its own. */
#pragma once

#include "contexts/python/py.h"

/* Appends the JSON object of the answers; nothing when there were no questions. */
void py_expressions(struct py *py, struct slice questions, struct buf *out);
