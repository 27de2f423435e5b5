/* SPDX-License-Identifier: MIT */
/* py_compile.h - a cell becomes code: the statements, and the last expression apart, because its
 * value is shown. Not here: running it (py_cell.h). */
#pragma once

#include "contexts/python/py.h"

struct py_code {
    PyObject *body;  /* code object, NULL when there is nothing but an expression */
    PyObject *value; /* code object of the last expression, NULL when there is none */
    bool quiet;      /* the value is not shown */
};

void py_code_done(struct py_code *code);
DEFINE_DROP_VALUE(py_code, struct py_code, py_code_done)

/* Compiles `text` under the name `file` (borrowed str objects); `raw` is the same text in UTF-8. */
int py_compile(struct py *py, PyObject *text, struct slice raw, PyObject *file,
               struct py_code *out);

/* True when running the code only makes a coroutine. -1 on failure. */
int py_code_is_coroutine(const struct py *py, PyObject *code);
