/* SPDX-License-Identifier: MIT */
/* py_prelude.h - our own Python code, from prelude/, where C would only be clumsy. Each file is
 * run once in a namespace of its own that user code cannot see and whose builtins it cannot
 * change. In it `use("name")` gives another of our files as a module. */
#pragma once

#include "contexts/python/py.h"

/* One file, made by cmake/Embed.cmake. */
struct py_prelude_file {
    const char *name;
    const char *text;
    size_t len;
};

extern const struct py_prelude_file py_prelude_files[];
extern const size_t py_prelude_file_count;

/* Its text, for those who look where code came from. */
PyObject *py_prelude_source(enum py_prelude which);

/* Loads it unless it is loaded. */
int py_prelude_load(struct py *py, enum py_prelude which);

/* Calls a function of it; `format` as for Py_BuildValue, of a tuple. */
PyObject *py_prelude_call(struct py *py, enum py_prelude which, const char *function,
                          const char *format, ...);
