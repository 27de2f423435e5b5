/* SPDX-License-Identifier: MIT */
/* py_shell.h - get_ipython(): what libraries and notebooks expect of it, without IPython. The
 * object itself is prelude/shell.py. */
#pragma once

#include "contexts/python/py.h"

/* Adds what shell.py calls to the module, and the builtin `get_ipython`. */
int py_shell_install(PyObject *module);

/* In a new context. */
int py_shell_open(struct py *py);

/* Before a cell: who asked for it. */
void py_shell_begin(struct py *py, struct slice header);
