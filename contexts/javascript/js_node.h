/* SPDX-License-Identifier: MIT */
/* js_node.h - what the engine asks of the Node surface in C. The room node/ fills it in: files,
 * bytes, hashes, processes, fetch, zones and collation, all that a Node or web API needs of the
 * system. It uses the engine; the engine sees only this header of it. The other half of the surface
 * is prelude/user/node and prelude/user/intl. */
#pragma once

#include "base/buf.h"

struct js;

/* Adds its functions to the `native` of the user realm. */
int js_node_install(struct js *js);

/* What the context's policy forbids: `network` and `processes` of its options, raw JSON, are
 * allowed unless they are false. */
void js_node_restrict(struct js *js, struct slice options);

/* For tests: ends what is under way. */
void js_node_clear(struct js *js);
