/* SPDX-License-Identifier: MIT */
/* sniff.h - what kind of picture some bytes are, how large it is, and whether all of it is there.
 * Reads the structure only (headers, chunks, segments, blocks), never the pixels; takes time in
 * proportion to the bytes at most, and no memory. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/* The kinds that are known: constant, its functions in sniff.c, MIME type, name for people. */
#define IMAGE_KIND_MAP(X)                                                                          \
    X(PNG, png, "image/png", "PNG")                                                                \
    X(JPEG, jpeg, "image/jpeg", "JPEG")                                                            \
    X(GIF, gif, "image/gif", "GIF")                                                                \
    X(WEBP, webp, "image/webp", "WebP")

enum image_kind {

#define X(upper, lower, mime, name) IMAGE_##upper,
    IMAGE_KIND_MAP(X)
#undef X
        IMAGE_KINDS
};

struct image_header {
    enum image_kind kind;
    const char *mime; /* static */
    uint32_t width;   /* pixels, never 0 */
    uint32_t height;
};

/* Fills `*out` from a whole picture; bytes behind its end do not matter. ERR_INPUT says what is
 * wrong: no kind that is known, a broken header, or a picture that ends too early. */
MUST_CHECK int image_sniff(struct slice bytes, struct image_header *out, struct err *e);

/* 0 when `mime` is none of the kinds above, or `bytes` are a whole picture of that very kind. Else
 * ERR_INPUT, with the type in front: "image/png: the data are a JPEG". */
MUST_CHECK int image_check(const char *mime, struct slice bytes, struct err *e);
