/* SPDX-License-Identifier: MIT */
/* py_preload.h - what makes a Python zygote a warm one: the modules of the preload list, and what
 * a context forked from it has to set right. */
#pragma once

#include "contexts/python/py.h"

/* Loads the comma-separated `list`, reporting to the broker. 0, or -1 (without an exception) when
 * the process must end; the broker knows why. */
int py_preload(struct py *py, const char *list);

/* In a new context: random sources that the fork has copied are seeded anew. */
void py_preload_reseed(void);

/* In a new context: what modules have read from the environment at import, read again. `env` is
 * the JSON object of its variables. */
void py_preload_adopt_env(struct slice env);
