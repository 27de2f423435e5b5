/* SPDX-License-Identifier: MIT */
/* base64.h - bytes as text of RFC 4648, section 4: how binary types stand in JSON. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

/* Characters of `len` bytes as base64, padding included. `len` is below SIZE_MAX / 2. */
size_t base64_len(size_t len);

/* Appends `bytes` as base64 without line breaks. 0, or -1 at the ceiling of `out`. */
int base64_add(struct buf *out, struct slice bytes);

/* Appends the bytes that `text` stands for. ASCII white space may lie anywhere in it, for libraries
 * break it into lines; all else must be exact: the alphabet, the padding, and zero in the bits
 * that the padding leaves over. ERR_INPUT names the byte offset of what is wrong; ERR_LIMIT when
 * `out` has no room for three quarters of the text. Then the content of `out` is as it was. */
MUST_CHECK int base64_decode(struct slice text, struct buf *out, struct err *e);
