/* SPDX-License-Identifier: MIT */
/* jscan.h - reads JSON where it lies: checks it, finds members, decodes scalars, copies nothing
 * else. The broker passes content on as the bytes it received, so that valid JSON which a tree
 * of C values cannot hold (integers over 64 bits, lone surrogates) arrives unchanged.
 * All functions but jscan_check expect text that jscan_check has accepted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* JSCAN_STRICT is RFC 8259 in well-formed UTF-8, except that a lone surrogate written as an
 * escape is let pass (the RFC's grammar allows it): what we send.
 * JSCAN_LENIENT also takes what Python's json module and jupyter_client write: NaN, Infinity,
 * -Infinity, and bytes in strings that are not UTF-8. */
enum jscan_mode { JSCAN_STRICT, JSCAN_LENIENT };

enum jscan_kind {
    JSCAN_NONE, /* empty slice: absent */
    JSCAN_OBJECT,
    JSCAN_ARRAY,
    JSCAN_STRING,
    JSCAN_NUMBER, /* NaN and Infinity too */
    JSCAN_TRUE,
    JSCAN_FALSE,
    JSCAN_NULL
};

/* Accepts exactly one JSON value with white space around it, nested at most `depth_max` deep.
 * ERR_PROTO names the byte offset; ERR_LIMIT says too deep. Does not recurse; no `depth_max`
 * lets more than 4096 levels pass. */
MUST_CHECK int jscan_check(struct slice text, enum jscan_mode mode, size_t depth_max,
                           struct err *e);

/* Kind of the value that starts `text`. */
enum jscan_kind jscan_kind(struct slice text);

/* Finds `key` in the object `object`; lends its value without surrounding white space. Of equal
 * keys the last counts, as in Python. Absent, or not an object: an empty slice. */
struct slice jscan_get(struct slice object, const char *key);

/* The same for several keys in one walk: fills `values` in the order of `keys`. */
void jscan_pick(struct slice object, const char *const *keys, struct slice *values, size_t count);

/* Walks over an object or array. */
struct jscan_iter {
    const char *at;
    const char *end;
    bool object;
};

void jscan_iter_init(struct jscan_iter *it, struct slice container);

/* Lends the next member: `key` is the raw string with its quotes (empty for arrays). */
bool jscan_next(struct jscan_iter *it, struct slice *key, struct slice *value);

/* Appends the decoded text of a JSON string as UTF-8. Pairs of surrogate escapes are joined; a
 * lone one becomes its three-byte form (Python reads it back with "surrogatepass"); bytes that
 * are not UTF-8 become U+FFFD. -1: not a string, or the ceiling of `out`. */
MUST_CHECK int jscan_string(struct slice value, struct buf *out);

/* True when `value` is a JSON string that decodes to `text`. */
bool jscan_string_is(struct slice value, const char *text);

/* Typed scalars: true and `*out` set when the value has that type and fits. */
bool jscan_bool(struct slice value, bool *out);
bool jscan_int(struct slice value, int64_t *out);

/* The code unit of an escape \uXXXX at `at`, which has well-formed digits; -1 for anything else. */
int32_t jscan_code_unit(const char *at, const char *end);
