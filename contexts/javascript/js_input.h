/* SPDX-License-Identifier: MIT */
/* js_input.h - a line of text from the client of the cell, for prompt() and its kin. */
#pragma once

#include "contexts/javascript/js_realm.h"

/* Gives modules of the realm native.ask(prompt): the line, or null when there is no more input.
 * Throws where the client does not answer. An interrupt ends the wait, and the cell. */
int js_input_install(struct js_realm *r);
