/* SPDX-License-Identifier: MIT */
/* environment.h - which variables of the launcher an open context gets. */
#pragma once

#include "base/buf.h"

/* Appends a JSON object of the NULL-terminated "NAME=value" list, without those that concern only
 * the broker: how it was launched, and its own settings. The members of `overlay` (a raw JSON
 * object, may be empty) come last: whoever applies them in order ends with these. */
int environment_write(struct buf *out, char *const *list, struct slice overlay);
