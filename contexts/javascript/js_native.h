/* SPDX-License-Identifier: MIT */
/* js_native.h - the C functions that our modules in the user realm call. They never leave the
 * prelude's closures. Files of node/ add theirs by js_native_add(). */
#pragma once

#include <quickjs.h>

#include "contexts/javascript/js_realm.h"

/* Adds functions to the `native` that modules of the realm see. */
int js_native_add(struct js_realm *r, const JSCFunctionListEntry *list, size_t count);

/* The basic ones: output, timers, what inspect has to know. */
int js_native_install(struct js_realm *r);
