/* SPDX-License-Identifier: MIT */
/* py_history.h - In, Out, _, __, ___, _N, _i, _ii, _iii, _iN: what IPython's users are used to.
 * Names the user took for something else are left alone. */
#pragma once

#include "contexts/python/py.h"

/* Makes In, Out and their friends in the namespace of the cells. */
int py_history_open(struct py *py);

/* Before a cell runs: `source` is input number `count`. */
int py_history_input(struct py *py, PyObject *source, int64_t count);

/* After a value was shown; count 0: of a cell that is not kept, only _ and its kin move. */
int py_history_output(struct py *py, PyObject *value, int64_t count);
