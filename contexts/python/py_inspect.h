/* SPDX-License-Identifier: MIT */
/* py_inspect.h - what is known of an object: inspect_request, and `name?` as a line of a cell.
 * The text is made by prelude/inspection.py. */
#pragma once

#include "contexts/python/py_compile.h"

/* Appends the content of the reply; nothing when there is no answer. */
void py_inspect(struct py *py, struct slice code, size_t cursor, int detail, struct buf *reply);

/* After a failed py_compile, with its exception set: when it was a SyntaxError and the cell has
 * lines of help, compiles the cell with calls in their place. -1 leaves an exception set. */
int py_help_compile(struct py *py, PyObject *text, struct slice raw, PyObject *file,
                    struct py_code *out);

/* Adds page() to `module`, which those calls call. */
int py_inspect_add_function(PyObject *module);
