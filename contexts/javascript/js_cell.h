/* SPDX-License-Identifier: MIT */
/* js_cell.h - runs a cell: prepare its text, evaluate it as an async script, let jobs and timers
 * run until its promise settles, show the value. */
#pragma once

#include "contexts/worker/engine.h"

struct js;

/* See struct engine. */
void js_cell_execute(struct js *js, const struct exec_request *request, struct exec_outcome *out);
