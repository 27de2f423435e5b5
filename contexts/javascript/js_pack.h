/* SPDX-License-Identifier: MIT */
/* js_pack.h - the bytecode inside this program: our prelude and the parts from npm, as the build
 * tool js_bytecode wrote them. Only what this build itself made is ever loaded. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* Lends the bytecode of the module `name` ("user/console", "npm/acorn"); empty when this build
 * does not have it. */
struct slice js_pack_find(const char *name);

bool js_pack_has(const char *name);
