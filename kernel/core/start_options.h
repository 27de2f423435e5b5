/* SPDX-License-Identifier: MIT */
/* start_options.h - the options of a create_context_request that are the language's affair: checked
 * here, so that a mistake is told at once, and handed to the worker with START. */
#pragma once

#include "base/buf.h"

/* Appends the members that `content` has, each with a comma behind it. ERR_INPUT names the option
 * and what it may be. */
MUST_CHECK int start_options_write(struct slice content, const char *language, struct buf *out,
                                   struct err *e);
