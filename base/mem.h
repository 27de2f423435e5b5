/* SPDX-License-Identifier: MIT */
/* mem.h - allocation that never returns NULL: running out of memory aborts, with a line on fd 2.
 * Anything whose size a peer chooses goes through buf.h instead, which has a ceiling. */
#pragma once

#include <stddef.h>

#include "base/cleanup.h"

MUST_CHECK void *xmalloc(size_t size);
MUST_CHECK void *xcalloc(size_t count, size_t size);
MUST_CHECK void *xrealloc(void *p, size_t count, size_t size);
MUST_CHECK char *xstrdup(const char *text);
MUST_CHECK char *xstrndup(const char *text, size_t len);
MUST_CHECK char *xasprintf(const char *format, ...) PRINTF_LIKE(1, 2);
