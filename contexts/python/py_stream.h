/* SPDX-License-Identifier: MIT */
/* py_stream.h - sys.stdout and sys.stderr: one C type, in order with everything else a cell
 * sends. In the zygote, where there is no cell, text goes to descriptors 1 and 2. */
#pragma once

#include "contexts/python/py.h"

/* Makes both streams and puts them into sys, also as sys.__stdout__ and sys.__stderr__: programs
 * go back to those after a redirection. */
int py_stream_install(struct py *py, PyObject *module);

/* Adds text; lets other threads run while it has to wait. */
void py_stream_send(const struct py *py, enum stream_kind kind, struct slice text);
