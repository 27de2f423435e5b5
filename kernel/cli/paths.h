/* SPDX-License-Identifier: MIT */
/* paths.h - file names: joining, parents, and the few questions the commands ask of a file. */
#pragma once

#include <stdbool.h>

#include "base/cleanup.h"

/* Gives "folder/name". */
MUST_CHECK char *path_join(const char *folder, const char *name);

/* Gives what stands before the last slash: "/" above "/a", "." above "a". */
MUST_CHECK char *path_parent(const char *path);

/* Lends what stands behind the last slash. */
const char *path_name(const char *path);

/* Gives an absolute form. Symbolic links stay as they are, because `venv/bin/python3` is one and
 * must keep its name; only a folder written with `..` is resolved. */
MUST_CHECK char *path_absolute(const char *path);

/* Gives the file's true name with every link followed; NULL when it does not exist. */
MUST_CHECK char *path_real(const char *path);

/* True when both exist and are the same file in the end. */
bool path_same(const char *a, const char *b);

bool path_is_folder(const char *path);

/* A regular file that this user may run. */
bool path_is_program(const char *path);
