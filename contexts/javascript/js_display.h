/* SPDX-License-Identifier: MIT */
/* js_display.h - values as MIME bundles: results, and the functions behind display(). */
#pragma once

#include "contexts/javascript/js_realm.h"

struct bundle;
struct js;

/* Fills in the forms of a value. -1: an exception is pending (an interrupt, mostly). */
MUST_CHECK int js_display_fill(struct js *js, JSValueConst value, struct bundle *bundle);

/* Gives modules of the realm native.display, native.clearOutput, and the table of MIME types. */
int js_display_install(struct js_realm *r);
