/* SPDX-License-Identifier: MIT */
/* jwrite.h - writes JSON text into a buf. The caller writes the punctuation, these functions
 * write what needs care. The result is always well-formed UTF-8. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/* Appends `s` as a JSON string with quotes. Ill-formed UTF-8 becomes U+FFFD; control bytes are
 * escaped; other text stays as it is. Fast for plain text. 0, or -1 at the ceiling. */
int jwrite_string(struct buf *out, struct slice s);

/* Appends `"key": ` — `key` must be plain ASCII. */
int jwrite_key(struct buf *out, const char *key);

int jwrite_int(struct buf *out, int64_t value);
