/* SPDX-License-Identifier: MIT */
/* js_random.h - Math.random of each context its own: forks of one zygote would otherwise all draw
 * the same numbers. */
#pragma once

#include <quickjs.h>

struct js;

/* Draws a new seed from the system. */
void js_random_seed(struct js *js);

/* Puts our function in the place of the engine's. */
int js_random_install(struct js *js);
