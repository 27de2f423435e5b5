/* SPDX-License-Identifier: MIT */
/* js_env.h - variables of the environment for one run. process.env is the environment itself, so
 * that child processes see the same. */
#pragma once

#include "base/buf.h"

/* Sets the texts of a JSON object, and unsets its nulls. What was there before goes into `before`.
 * The broker has checked the object. */
void js_env_borrow(struct slice object, struct buf *before);

/* Puts back what js_env_borrow remembered. */
void js_env_restore(const struct buf *before);
