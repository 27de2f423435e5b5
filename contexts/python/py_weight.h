/* SPDX-License-Identifier: MIT */
/* py_weight.h - how much memory a value holds, cheaply: texts, bytes and containers by their own
 * size, arrays by what they say. What containers hold in turn is not counted. */
#pragma once

#include "contexts/python/py.h"

/* Bytes; 0 for what cannot be told or is not worth asking. Never fails, leaves no exception. */
size_t py_weight(struct py *py, PyObject *value);
