/* SPDX-License-Identifier: MIT */
/* json.h - jansson with the house's bounds: files and small messages as trees.
 * Bulk content stays bytes: jscan.h and jwrite.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/buf.h"

/* Parses `text` (depth and size bounded by bounds.h). Gives a new reference. ERR_PROTO names
 * line and column. */
MUST_CHECK int json_parse(struct slice text, json_t **out, struct err *e);

/* Typed members of an object. A missing member leaves `*out` alone and returns 0; one of the
 * wrong type is ERR_INPUT, naming the member and the type wanted. */
MUST_CHECK int json_get_text(const json_t *object, const char *key, const char **out,
                             struct err *e); /* lends */
MUST_CHECK int json_get_int(const json_t *object, const char *key, int64_t *out, struct err *e);
MUST_CHECK int json_get_bool(const json_t *object, const char *key, bool *out, struct err *e);

/* Appends the compact form of `value`. */
MUST_CHECK int json_add(struct buf *out, const json_t *value, struct err *e);
