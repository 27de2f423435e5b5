/* SPDX-License-Identifier: MIT */
/* help.h - help texts, made from the tables of commands and options; 80 columns. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct command;

/* The list of commands. */
void help_overview(FILE *out, const struct command *const *table, size_t count);

/* Usage, options and details of one command. */
void help_command(FILE *out, const struct command *command);

/* Writes `text` wrapped at 80 columns. The cursor is at column `at`; each line starts at column
 * `indent`. A newline in `text` is kept; so is a line that starts with a space, uncut. */
void help_wrap(FILE *out, const char *text, size_t at, size_t indent);
