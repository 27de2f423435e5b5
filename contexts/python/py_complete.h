/* SPDX-License-Identifier: MIT */
/* py_complete.h - complete_request: hands it to prelude/complete.py, under ceilings. */
#pragma once

#include "contexts/python/py.h"

/* Appends the content of the reply; nothing when there is no answer. `cursor` is in code points. */
void py_complete(struct py *py, struct slice code, size_t cursor, struct buf *reply);

/* Ends a question that ran code of the user's objects: an interrupt that came too late for it
 * belongs to nobody, and what else went wrong only means that there is no answer. */
void py_question_end(struct py *py);

/* Adds stop_thread() to `module`, for prelude/deadline.py. */
int py_complete_add_function(PyObject *module);
