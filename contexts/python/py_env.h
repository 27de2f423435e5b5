/* SPDX-License-Identifier: MIT */
/* py_env.h - os.environ: what a context starts with, and what one run gets on top. */
#pragma once

#include "contexts/python/py.h"

/* Puts the members of `env` (a raw JSON object of texts; null unsets) into os.environ. The process
 * environment follows. An empty slice changes nothing. */
int py_env_set(struct slice env);

/* In a virtual environment: its programs come first in PATH, and VIRTUAL_ENV names it, as its
 * activate script does. */
int py_env_enter_venv(void);

/* The same for one run: gives a dict of what was there before, for py_env_restore. */
PyObject *py_env_borrow(struct slice env);
void py_env_restore(PyObject *before);
