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
