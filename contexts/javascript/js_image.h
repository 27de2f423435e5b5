/* SPDX-License-Identifier: MIT */
/* js_image.h - pixels in typed arrays to PNG, for prelude/user/image.js. */
#pragma once

#include "contexts/javascript/js_realm.h"

/* Gives modules of the realm native.byteCount and native.encodePng. */
int js_image_install(struct js_realm *r);
