/* SPDX-License-Identifier: MIT */
/* jsonout.h - results for programs: JSON on a stream. */
#pragma once

#include <stdio.h>

#include "base/json.h"

/* Gives a JSON string of `text`, bytes that are not UTF-8 replaced; null for NULL. */
MUST_CHECK json_t *jsonout_text(const char *text);

/* Writes `value`, indented, with a newline. Write errors stay in the stream's own flag. */
void jsonout_write(FILE *out, const json_t *value);
