/* SPDX-License-Identifier: MIT */
/* py_plain.h - a value as text/plain. */
#pragma once

#include "contexts/python/py.h"

struct bundle;

/* Adds the text of `value`. A repr that raises is told on standard error and replaced. Fails only
 * for exceptions that end the cell. */
int py_plain_add(struct py *py, struct bundle *bundle, PyObject *value);
