/* SPDX-License-Identifier: MIT */
/* options.h - what START says about a new context, as far as every language needs it:
 *   {"context": id, "cwd": path?, "env": {name: text or null}?}
 * Engines get the same text and take what is theirs. */
#pragma once

#include "base/buf.h"

/* Changes directory and environment of this process. */
MUST_CHECK int options_apply(struct slice options, struct err *e);
