/* SPDX-License-Identifier: MIT */
/* sniff_read.h - one reader for each kind of picture: the half of sniff.c that knows the formats.
 * For that file only. */
#pragma once

#include "mime/sniff.h"

#define PNG_SIGNATURE "\x89PNG\r\n\x1a\n"

/* A picture from some offset on. Readers ask for bytes before they look at them. */
struct cursor {
    const unsigned char *at;
    const unsigned char *end;
};

/* Each reads a picture whose first bytes, the magic of its kind, were seen already: fills the size,
 * or says in ERR_INPUT what is wrong. */
#define X(upper, lower, mime, name)                                                                \
    MUST_CHECK int sniff_read_##lower(struct cursor *c, struct image_header *out, struct err *e);
IMAGE_KIND_MAP(X)
#undef X
