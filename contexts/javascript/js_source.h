/* SPDX-License-Identifier: MIT */
/* js_source.h - from the text of a cell to what QuickJS runs: TypeScript taken off, names made
 * persistent, lines where they were (prelude/tools/cell.js does the work). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "contexts/worker/engine.h"

struct js;

/* True for text that no rule applies to: it runs as it is, and the tools are not asked. Pure. */
bool js_source_is_plain(struct slice code);

/* Appends the code of the cell `name` to `out`. False when it cannot be parsed: `outcome` says why.
 */
bool js_source_prepare(struct js *js, const char *name, struct slice code, struct buf *out,
                       struct exec_outcome *outcome);

/* Explains why QuickJS refused the code; false when our parser finds nothing wrong with it. */
bool js_source_explain(struct js *js, const char *name, struct slice code,
                       struct exec_outcome *outcome);

/* Turns a place in the code that ran into the place in the user's text. Both count from one. */
void js_source_locate(struct js *js, const char *cell, int32_t *line, int32_t *column);

/* Appends the content of an is_complete_reply; nothing when it cannot tell. */
void js_source_is_complete(struct js *js, struct slice code, struct buf *reply);
