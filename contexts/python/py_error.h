/* SPDX-License-Identifier: MIT */
/* py_error.h - exceptions as the protocol wants them. These functions never fail: when even the
 * description of an error fails (no memory, a broken __str__, an interrupt), the name remains. */
#pragma once

#include "contexts/python/py.h"

struct py_error {
    struct buf name;
    struct buf message;
    struct buf traceback; /* JSON array of strings */
};

void py_error_init(struct py_error *error);
void py_error_done(struct py_error *error);
DEFINE_DROP_VALUE(py_error, struct py_error, py_error_done)

/* Takes the exception that is set. Also leaves it in sys.last_value and friends. */
void py_error_take(struct py *py, struct py_error *out);

/* The same, as the outcome of a cell. */
void py_error_outcome(struct py *py, struct exec_outcome *out);

/* Takes the exception that is set and writes its traceback to the cell's standard error. */
void py_error_print(struct py *py);
