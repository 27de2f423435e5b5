/* SPDX-License-Identifier: MIT */
/* preload.h - the list of modules that `--preload` names, checked before anything is started. */
#pragma once

#include "base/err.h"
#include "kernel/cli/words.h"

/* Splits each of `given` at commas and adds the names to `out`, each once. ERR_INPUT names what is
 * no module name, or says that there are too many. */
MUST_CHECK int preload_parse(const struct words *given, struct words *out, struct err *e);

/* Gives the names, comma-separated. */
char *preload_join(const struct words *names);
