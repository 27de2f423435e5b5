/* SPDX-License-Identifier: MIT */
/* js_error.h - exceptions as people see them: name, message, stack. */
#pragma once

#include <quickjs.h>

#include "contexts/worker/engine.h"

struct js;

/* Fills in the outcome of a cell that threw `error`. Runs user code (getters, toString), and copes
 * with any of it failing. */
void js_error_describe(struct js *js, JSValueConst error, struct exec_outcome *out);

/* The same for what the engine itself has to say. */
void js_error_set(struct exec_outcome *out, const char *name, const char *message);

/* Puts `text` in the place of its traceback, a line each. */
void js_error_set_text(struct exec_outcome *out, struct slice text);

/* Writes an error that no cell can carry to stderr, after `intro`. */
void js_error_uncaught(struct js *js, JSValueConst error, const char *intro);
