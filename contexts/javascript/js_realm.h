/* SPDX-License-Identifier: MIT */
/* js_realm.h - one runtime with its context and the modules of ours that are loaded in it. Modules
 * are CommonJS functions from the pack; `require` in them finds only the pack, and none of it is
 * reachable from user code unless the prelude hands it out. */
#pragma once

#include <quickjs.h>

#include "base/err.h"
#include "contexts/javascript/js_memory.h"

struct js;

struct js_realm {
    const char *name; /* "user" or "tools": where its modules are looked up first */
    struct js_memory memory;
    JSRuntime *rt;
    JSContext *ctx;
    JSValue modules; /* exports by name */
    JSValue native;  /* our C functions, as modules see them */
    JSValue globals; /* the globals before user code, as modules see globalThis */
};

struct js_realm_limits {
    size_t stack_bytes;
    size_t gc_growth_bytes; /* of the heap until cycles are looked for */
};

/* Makes an empty realm; contexts of it find `js` by js_of(). `r` must not move afterwards. */
MUST_CHECK int js_realm_open(struct js_realm *r, const char *name, struct js *js, struct err *e);

/* Loads the module `name` and gives its exports; an exception is pending when it gives
 * JS_EXCEPTION. */
JSValue js_realm_require(struct js_realm *r, const char *name);

/* Calls a function that a module exports. */
JSValue js_realm_call(struct js_realm *r, const char *module, const char *function, int argc,
                      JSValueConst *argv);

/* Freezes a copy of the globals as they are now: call it before the first module is loaded. */
MUST_CHECK int js_realm_keep_globals(struct js_realm *r);

/* Limits of the stack and of garbage, counted from now. */
void js_realm_limit(struct js_realm *r, struct js_realm_limits limits);

/* Puts the pending exception into `e`. */
int js_realm_fail(struct js_realm *r, struct err *e);

void js_realm_close(struct js_realm *r);
