/* SPDX-License-Identifier: MIT */
/* bundle.h - one result in several MIME types, as Jupyter's {"data": ..., "metadata": ...},
 * under a byte budget. text/plain is always there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct bundle {
    struct buf data;     /* members of the object, comma separated */
    struct buf metadata; /* likewise */
    struct buf text;     /* text/plain, kept apart because it may be cut */
    struct buf names;    /* types that are there, or were and did not fit */
    struct buf notes;    /* a line for each type that did not fit, the first ones */
    bool has_text;
    bool ascii;          /* all that is not ASCII is escaped; set before the first addition */
    size_t text_missing; /* bytes of the text that were not even kept */
    size_t budget;
    size_t dropped; /* representations that did not fit */
};

/* `budget` bounds the bytes of the finished JSON. */
void bundle_init(struct bundle *b, size_t budget);
void bundle_done(struct bundle *b);
DEFINE_DROP_VALUE(bundle, struct bundle, bundle_done)

/* Adds a representation. Text-like types are written as JSON strings; text/plain that does not
 * fit is cut with a mark that says how much is missing, other types are dropped and counted
 * (a cut PNG is no PNG), and a line at the end of text/plain says so: which type, how large, and
 * the budget. A type that is there already is replaced by nothing: the first counts.
 * 0 added, -1 dropped. */
int bundle_add_text(struct bundle *b, const char *mime, struct slice text);

/* Whether the type is there, or was left out as too large: what makes it need not be asked. */
bool bundle_knows(const struct bundle *b, const char *mime);

/* Binary types: written as base64 without line breaks. */
int bundle_add_binary(struct bundle *b, const char *mime, struct slice bytes);

/* Binary types as text that is base64 already, with or without line breaks; written without. 0:
 * added, or left out as above (it is there already, or it does not fit). -1 with ERR_INPUT: it is
 * not base64, or of a picture that sniff.h knows, not a whole one of that type. */
MUST_CHECK int bundle_add_base64(struct bundle *b, const char *mime, struct slice text,
                                 struct err *e);

/* JSON types: `raw` is written as it is; it must be well-formed JSON. */
int bundle_add_json(struct bundle *b, const char *mime, struct slice raw);

/* Metadata of one type, a raw JSON object. */
int bundle_add_metadata(struct bundle *b, const char *mime, struct slice raw);

/* Appends `"data": {...}, "metadata": {...}` (no braces around: the caller adds more members). */
int bundle_write(const struct bundle *b, struct buf *out);
