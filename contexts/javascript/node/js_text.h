/* SPDX-License-Identifier: MIT */
/* js_text.h - strings and bytes for the prelude: `native.text`. In JavaScript the same costs a
 * hundred times as much, and Buffer, TextDecoder and readFile all stand on it. */
#pragma once

#include "contexts/javascript/js_realm.h"

int js_text_install(struct js_realm *r);
