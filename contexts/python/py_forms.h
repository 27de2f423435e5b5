/* SPDX-License-Identifier: MIT */
/* py_forms.h - how objects look by the word of others: printers registered for their class, the
 * formatters of IPython's shell once it is there, and what rich contexts add. The functions are
 * Python's (prelude/formatters.py) and come here when there is something to ask; before that,
 * nothing is called. */
#pragma once

#include "contexts/python/py.h"

struct bundle;
struct py_wishes;

/* All that the shell's formatters say of an object. 1: the object has displayed itself; 0: added;
 * -1: an exception that ends the cell. */
int py_forms_add_by_shell(struct py *py, PyObject *object, const struct py_wishes *wishes,
                          struct bundle *out);

/* What is registered for the class of an object. */
int py_forms_add_registered(struct py *py, PyObject *object, struct bundle *out);

/* What a rich context gives beyond Jupyter's types. */
int py_forms_add_extras(struct py *py, PyObject *object, struct bundle *out);

/* Adds the functions that prelude/formatters.py calls. */
int py_forms_add_functions(PyObject *module);
