/* SPDX-License-Identifier: MIT */
/* js_collate.h - the order of a dictionary for texts of ASCII, which most of what is sorted is: a
 * comparison in JavaScript takes ten times as long. The rest of it is
 * prelude/user/intl/collator.js. */
#pragma once

#include "base/buf.h"
#include "contexts/javascript/js_realm.h"

/* True when ASCII alone decides; `*order` is then -1, 0 or 1. Pure. */
bool js_collate(struct slice a, struct slice b, int *order);

int js_collate_install(struct js_realm *r);
