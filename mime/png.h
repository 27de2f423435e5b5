/* SPDX-License-Identifier: MIT */
/* png.h - pixels to the bytes of a PNG file. Knows of no language and of no display: whoever has
 * pixels comes here. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

/* What one pixel consists of; the value is its bytes. */
enum pixel_form { PIXEL_GREY = 1, PIXEL_GREY_ALPHA, PIXEL_RGB, PIXEL_RGBA };

/* An image of 8 bits per sample, rows from the top; alpha is not multiplied in. */
struct pixels {
    const unsigned char *data; /* lent */
    size_t len;                /* bytes there are; the last row needs no more than its pixels */
    size_t width;
    size_t height;
    size_t stride; /* bytes from one row to the next */
    enum pixel_form form;
};

/* Appends the image to `out`, which should allow IMAGE_PNG_MAX. ERR_INPUT when `px` does not fit
 * together, ERR_LIMIT when it is larger than bounds.h or `out` allow; then
 * the content of `out` is as it was. */
MUST_CHECK int pixels_to_png(const struct pixels *px, struct buf *out, struct err *e);
