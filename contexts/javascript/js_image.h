/* SPDX-License-Identifier: MIT */
/* js_image.h - pixels in typed arrays to PNG, and pictures that must be whole, for image.js and
 * bundle.js in prelude/user. */
#pragma once

#include "contexts/javascript/js_realm.h"

/* Gives modules of the realm native.sampleCount, native.encodePng and native.binary. */
int js_image_install(struct js_realm *r);
