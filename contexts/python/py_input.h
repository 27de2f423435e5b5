/* SPDX-License-Identifier: MIT */
/* py_input.h - input(), getpass() and sys.stdin ask the client. */
#pragma once

#include "contexts/python/py.h"

/* Puts input() into builtins and the exception of clients that do not answer into `module`. */
int py_input_install(PyObject *module, PyObject *builtins);

/* Makes getpass.getpass ours when user code imports it, and sys.stdin at once. In the context,
 * once. */
int py_input_open(struct py *py);
