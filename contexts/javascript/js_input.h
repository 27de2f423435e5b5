/* SPDX-License-Identifier: MIT */
/* js_input.h - a line of text from the client of the cell, for prompt() and its kin. */
#pragma once

#include "contexts/javascript/js_realm.h"

struct js;

/* Gives modules of the realm native.ask(prompt, who): the line, or null when there is no more
 * input. Throws, naming who asked, where the client does not answer. An interrupt ends the wait,
 * and the cell. And native.reading(promise): there will be a question, and the cell is not over
 * before. */
int js_input_install(struct js_realm *r);

/* Forgets what the cell was to wait for. */
void js_input_clear(struct js *js);
