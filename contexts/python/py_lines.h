/* SPDX-License-Identifier: MIT */
/* py_lines.h - cells as files that exist only in linecache: tracebacks, warnings and
 * inspect.getsource() then show their lines. */
#pragma once

#include "contexts/python/py.h"

/* Gives a name that no cell had before, and remembers which input it stands for. */
PyObject *py_lines_name(struct py *py, int64_t count);

/* Makes `text` (and `raw`, the same in UTF-8) the content of that file. */
int py_lines_remember(struct py *py, PyObject *text, struct slice raw, PyObject *file);

/* The cell is in no history (clients run such cells all the time, silently): its lines go when
 * many others have followed it. */
int py_lines_let_pass(struct py *py, PyObject *file);
