/* SPDX-License-Identifier: MIT */
/* py_watch.h - notices when user code starts other processes: what they print must stay in order,
 * and somebody must read it while the cell waits for them. */
#pragma once

#include "contexts/python/py.h"

/* Installs the audit hook, in the zygote: a C function, because the interpreter calls it for
 * every event, id() included. */
int py_watch_install(PyObject *module);

/* In a context: has our thread started again after a fork in user code. */
void py_watch_forks(void);
