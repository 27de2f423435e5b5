/* SPDX-License-Identifier: MIT */
/* text.h - UTF-8: check, cut, repair; and numbers as text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* True when `s` is well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
bool text_is_utf8(struct slice s);

/* Length of the longest prefix of `s` that does not end inside an unfinished (but so far valid)
 * UTF-8 sequence: what a stream decoder may hand on before more bytes arrive. */
size_t text_complete_len(struct slice s);

/* Appends `s` with each maximal ill-formed piece replaced by U+FFFD (the practice of Unicode
 * chapter 3, as Python's "replace" does). Returns 0, or -1 at the ceiling of `out`. */
int text_add_utf8(struct buf *out, struct slice s);

/* Cuts `s` to at most `max` bytes without splitting a code point. */
struct slice text_cut(struct slice s, size_t max);

/* Number of code points in well-formed UTF-8. */
size_t text_code_points(struct slice s);

/* Byte offset of code point number `index` in well-formed UTF-8; s.len when there are fewer. */
size_t text_offset(struct slice s, size_t index);

enum { TEXT_INT_SIZE = 20 }; /* digits of INT64_MIN, with its sign */

/* Writes `value` in decimal into `room` and lends it from there; not NUL-terminated. For the path
 * of every cell, where printf is too slow. */
struct slice text_of_int(int64_t value, char room[TEXT_INT_SIZE]);
