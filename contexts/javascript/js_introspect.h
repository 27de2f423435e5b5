/* SPDX-License-Identifier: MIT */
/* js_introspect.h - completion, inspection and `name?`. The tools read the text and write the
 * reply, the user realm tells what values have; here texts go between the two. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct js;
struct exec_outcome;

/* Gives the tools what they need of the file system. */
int js_introspect_install(struct js *js);

/* Append the content of a reply; nothing when it cannot be made. */
void js_introspect_complete(struct js *js, struct slice code, size_t cursor, struct buf *reply);
void js_introspect_inspect(struct js *js, struct slice code, size_t cursor, int detail,
                           struct buf *reply);

/* A cell `name?` or `name??`: fills in the payload that shows it, and is true. */
bool js_introspect_help(struct js *js, struct slice code, struct exec_outcome *out);

/* Keeps the text of a cell that has doc comments, for inspection. */
void js_introspect_remember(struct js *js, struct slice code);
