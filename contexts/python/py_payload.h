/* SPDX-License-Identifier: MIT */
/* py_payload.h - what a cell asks of the client beside its output: a page of help, the text of the
 * next cell, to leave. It goes into the reply. */
#pragma once

#include "contexts/python/py.h"

/* Keeps the JSON object `json` (a str) for the reply of this cell, in place of an earlier one that
 * had the same key. */
int py_payload_set(struct py *py, const char *key, PyObject *json);

/* Appends what was kept as a JSON array, or nothing; what is too long for a reply is left out. */
void py_payload_take(struct py *py, struct buf *out);
