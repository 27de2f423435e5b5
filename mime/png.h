/* SPDX-License-Identifier: MIT */
/* png.h - pixels to the bytes of a PNG file. Knows of no language and of no display: whoever has
 * pixels comes here. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

/* What one pixel consists of; the value is its samples, and so its bytes at 8 bits each. */
enum pixel_form { PIXEL_GREY = 1, PIXEL_GREY_ALPHA, PIXEL_RGB, PIXEL_RGBA };

/* Colours that pixels of one byte, PIXEL_GREY, are numbers of. */
struct palette {
    const unsigned char *rgb;   /* lent; three bytes an entry */
    const unsigned char *alpha; /* lent; one byte an entry, or NULL: all of them opaque */
    size_t count;               /* entries, 1 to 256 */
};

/* An image, rows from the top; alpha is not multiplied in. */
struct pixels {
    const unsigned char *data; /* lent */
    size_t len;                /* bytes there are; the last row needs no more than its pixels */
    size_t width;
    size_t height;
    size_t stride; /* bytes from one row to the next */
    enum pixel_form form;
    unsigned bits; /* of a sample: 8, which 0 means too, or 16 in the byte order of the machine */
    const struct palette *palette; /* lent; NULL: samples are values */
};

/* Appends the image to `out`, which should allow IMAGE_PNG_MAX. ERR_INPUT when `px` does not fit
 * together or a pixel has no entry in the palette, ERR_LIMIT when it is larger than bounds.h or
 * `out` allow; then the content of `out` is as it was. */
MUST_CHECK int pixels_to_png(const struct pixels *px, struct buf *out, struct err *e);
