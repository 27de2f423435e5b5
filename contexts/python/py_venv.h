/* SPDX-License-Identifier: MIT */
/* py_venv.h - may this build run the environment of a given interpreter? Only when it is of the
 * very build that is embedded here: extension modules of the standard library use private symbols
 * of their own release, and an interpreter of another one starts and fails later, in strange ways.
 * Reads files, runs nothing. */
#pragma once

#include "base/err.h"

/* The interpreter we were built with. */
struct py_build {
    const char *executable; /* absolute path */
    const char *version;    /* "3.11.2" */
};

/* 0 when `interpreter` (absolute, symlinks unresolved) is that build's own program or stands in a
 * venv of it. */
MUST_CHECK int py_venv_check(const struct py_build *build, const char *interpreter, struct err *e);
