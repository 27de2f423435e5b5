/* SPDX-License-Identifier: MIT */
/* py_leave.h - exit and quit: they end the cell, which has not failed, and ask the client to go.
 * The context stays: whether it ends is the client's to say. sys.exit() is an error like others. */
#pragma once

#include "contexts/python/py.h"

/* Adds the function `exit`, which is `quit` too, to the module. */
int py_leave_add_function(PyObject *module);

/* -1 with the exception of exit() set when `value` is that function: the name alone is enough, as
 * in IPython. */
int py_leave_by_name(struct py *py, PyObject *value);

/* True when the exception that is set came from exit(); takes it, and asks the client. */
bool py_leave_take(struct py *py);

/* The exit code that the exception which is set asks for if it is a SystemExit, as the interpreter
 * reads it: a number is the code, None is 0, anything else is 1 and may be printed to stderr. -1:
 * it is another. The exception stays set. */
enum py_leave_manner { LEAVE_QUIETLY, LEAVE_PRINTING };

int py_leave_code(enum py_leave_manner manner);
