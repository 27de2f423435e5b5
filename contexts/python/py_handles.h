/* SPDX-License-Identifier: MIT */
/* py_handles.h - what prelude/displays.py is built on: display() with options and handles,
 * clear_output(), and the functions of IPython.display, which lead to the client too. */
#pragma once

#include "contexts/python/py.h"

/* display(*args, **kwargs) with options. */
PyObject *py_handles_display(struct py *py, PyObject *args, PyObject *kwargs);

/* Adds the functions that displays.py uses to `module`. */
int py_handles_add_functions(PyObject *module);

/* Makes IPython's display functions ours when user code imports them, and `pandia_display`
 * importable. In the context, once. */
int py_handles_open(struct py *py);
