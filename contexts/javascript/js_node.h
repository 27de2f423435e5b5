/* SPDX-License-Identifier: MIT */
/* js_node.h - the C side of the Node surface, all of it: files, texts, hashes, processes, modules.
 * Its other half is prelude/user/node. */
#pragma once

#include "base/buf.h"

struct js;

int js_node_install(struct js *js);

/* What the context's policy forbids: `network` and `processes` of its options, raw JSON, are
 * allowed unless they are false. */
void js_node_restrict(struct js *js, struct slice options);

/* For tests: ends what is under way. */
void js_node_clear(struct js *js);
