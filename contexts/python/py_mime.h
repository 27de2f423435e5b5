/* SPDX-License-Identifier: MIT */
/* py_mime.h - Python values as members of a MIME bundle, each in the form its type has there. */
#pragma once

#include "contexts/python/py.h"

struct bundle;

/* Adds `value` under `mime`: str as text (or as ready base64), bytes as base64, anything else as
 * JSON. None adds nothing. */
int py_mime_add(struct py *py, struct bundle *bundle, const char *mime, PyObject *value);

/* Adds metadata of one key: any JSON-like value. */
int py_mime_add_metadata(struct py *py, struct bundle *bundle, const char *mime, PyObject *value);

/* Adds every member of a dict {mime: value}; unusable keys are left out. */
int py_mime_add_dict(struct py *py, struct bundle *bundle, PyObject *data, PyObject *metadata);
