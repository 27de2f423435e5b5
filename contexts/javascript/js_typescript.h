/* SPDX-License-Identifier: MIT */
/* js_typescript.h - TypeScript files on their way from the user realm, which reads them, to the
 * tools, which take the types off (prelude/tools/typescript-file.js). Cells go through js_source.h.
 */
#pragma once

#include "contexts/javascript/js_realm.h"

/* Gives the prelude `native.typescript` and `native.isTypeScript`, the language of its cells. */
int js_typescript_install(struct js_realm *r);
