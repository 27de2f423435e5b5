/* SPDX-License-Identifier: MIT */
/* py_cell.h - runs a cell, natively: parse, run the statements, evaluate the last expression,
 * show it. The path of a plain cell is all C. */
#pragma once

#include "contexts/python/py.h"

/* See struct engine. */
void py_cell_execute(struct py *py, const struct exec_request *request, struct exec_outcome *out);

/* Shows a value as a cell's result and stores it. None is not shown. */
int py_cell_show(struct py *py, PyObject *value, int64_t count);
