/* SPDX-License-Identifier: MIT */
/* py_display.h - objects as people want to see them: _ipython_display_, _repr_mimebundle_,
 * _repr_html_ and its kin, text always. An error inside one of these is told on standard error,
 * that form is left out, the cell goes on. */
#pragma once

#include "contexts/python/py.h"

struct bundle;

/* The types that a display() is to have: borrowed collections, or None. */
struct py_wishes {
    PyObject *include;
    PyObject *exclude;
};

/* Bytes of a bundle, and room for what stands around it in the message. */
#define DISPLAY_MAX (FRAME_CONTENT_MAX - 4 * KIB)

/* Fills a bundle with all that an object has; `wishes` only tell those who make more than one type
 * at once what is wanted, and may be NULL. 1: the object has displayed itself and there is nothing
 * to send; 0: filled; -1: an exception that ends the cell. */
int py_display_fill(struct py *py, PyObject *object, const struct py_wishes *wishes,
                    struct bundle *out);

/* Sends an execute_result of the running cell. */
int py_display_result(struct py *py, PyObject *object);

/* Sends display_data or update_display_data. `transient` is a raw JSON object, or empty. */
int py_display_data(struct py *py, PyObject *object, enum wire_type type, struct slice transient);
