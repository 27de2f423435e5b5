/* SPDX-License-Identifier: MIT */
/* jwrite.h - writes JSON text into a buf that holds nothing else, commas included: every key and
 * every value looks at the last byte before it and puts ", " in between where one belongs.
 *
 *   jwrite_object(out);
 *   jwrite_member_text(out, "status", "ok");
 *   jwrite_key(out, "matches");
 *   jwrite_list(out);
 *   jwrite_list_end(out);
 *   jwrite_object_end(out);            {"status": "ok", "matches": []}
 *
 * Keys are plain ASCII. Each returns 0, or -1 at the ceiling (then nothing was added, and buf_check
 * says so at the end). The result is always well-formed UTF-8. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

int jwrite_object(struct buf *out);
int jwrite_object_end(struct buf *out);
int jwrite_list(struct buf *out);
int jwrite_list_end(struct buf *out);

/* Appends `"key": `; a value follows. */
int jwrite_key(struct buf *out, const char *key);

/* Values: items of a list, or what follows a key. Of a string, ill-formed UTF-8 becomes U+FFFD and
 * control bytes are escaped; other text stays as it is. Fast for plain text. A raw value is JSON
 * text already. */
int jwrite_string(struct buf *out, struct slice s);
int jwrite_text(struct buf *out, const char *text);
int jwrite_int(struct buf *out, int64_t value);
int jwrite_bool(struct buf *out, bool value);
int jwrite_raw(struct buf *out, struct slice json);

/* Key and value in one. */
int jwrite_member(struct buf *out, const char *key, struct slice s);
int jwrite_member_text(struct buf *out, const char *key, const char *text);
int jwrite_member_int(struct buf *out, const char *key, int64_t value);
int jwrite_member_bool(struct buf *out, const char *key, bool value);
int jwrite_member_raw(struct buf *out, const char *key, struct slice json);
int jwrite_member_real(struct buf *out, const char *key, double value); /* with one decimal */

/* Appends well-formed JSON text with every code point above ASCII as \uXXXX (a surrogate pair above
 * U+FFFF) and nothing else changed, no separator either: for readers that take ASCII only. What is
 * not UTF-8 becomes U+FFFD. -1 at the ceiling; then nothing was added. */
int jwrite_ascii(struct buf *out, struct slice json);

/* Lends `json`, well-formed JSON text, or a copy in `copy`, which is empty, with U+FFFD for every
 * escape of half a surrogate pair: programs that store what they get as UTF-8 fail at one. */
struct slice jwrite_mended(struct slice json, struct buf *copy);
