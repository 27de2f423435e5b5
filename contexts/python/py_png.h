/* SPDX-License-Identifier: MIT */
/* py_png.h - arrays of pixels to PNG, for the figures and images of Python. */
#pragma once

#include "contexts/python/py.h"

/* Adds encode_png to the module: encode_png(pixels) gives the bytes of a file. `pixels` has the
 * array interface of numpy and Pillow: rows of samples, or of pixels with 1 to 4 samples (grey,
 * grey and alpha, RGB, RGBA) of 8 bits; rows may lie apart. ValueError when it is anything else,
 * or too large. Beside it, the bounds that the prelude checks before it has pixels: IMAGE_SIDE_MAX
 * and IMAGE_PIXELS_MAX of base/bounds.h. */
int py_png_add_function(PyObject *module);
