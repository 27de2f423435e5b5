/* SPDX-License-Identifier: MIT */
/* py_source.h - the text of a cell. Knows nothing of the interpreter. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* True when a `;` follows the expression that ends in line `line` (from 1) before byte `column`:
 * its value is not to be shown. Lines end as Python's do: LF, CR, or both. */
bool source_is_quiet(struct slice code, size_t line, size_t column);
