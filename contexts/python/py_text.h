/* SPDX-License-Identifier: MIT */
/* py_text.h - str objects as UTF-8 and back. */
#pragma once

#include "contexts/python/py.h"

/* Lends the text of `str` in `*out` as long as the returned object lives. Lone surrogates, which
 * UTF-8 cannot hold, become backslash escapes. */
PyObject *py_text_of(PyObject *str, struct slice *out);

/* Appends the text of `str`. A text that is too long for `out` is left out and marks it full. */
int py_text_add(struct buf *out, PyObject *str);

/* Appends str(object); what cannot be shown becomes "<unprintable T object>". Fails only for
 * exceptions that are no errors (KeyboardInterrupt). */
int py_text_add_str(struct buf *out, PyObject *object);

/* Text from a client: lone surrogates are in their three-byte form. */
PyObject *py_text_new(struct slice text);

/* Lends the name of the object's type; never fails. `holder` must be dropped after use. */
const char *py_type_name(PyObject *type, PyObject **holder);

/* True when the exception that is set is an error a repr may have; clears it then. False when it
 * must end the cell (KeyboardInterrupt, SystemExit, GeneratorExit). */
bool py_clear_error(void);

/* Gives a number between two short ASCII texts. Every cell makes several names so, and the
 * interpreter's own formatting costs four times as much. */
PyObject *py_text_numbered(const char *before, int64_t number, const char *after);
