/* SPDX-License-Identifier: MIT */
/* js_modules.h - the engine's half of modules: import asks the prelude where a name leads and what
 * is there (prelude/user/node/modules.js), require of an ES module runs it at once. */
#pragma once

#include "contexts/javascript/js_realm.h"

struct js;

/* Makes `import` of the user realm work, and gives the prelude `native.compile` (a CommonJS
 * function of a text) and `native.requireModule` (the namespace of an ES module). */
int js_modules_install(struct js *js);
