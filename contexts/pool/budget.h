/* SPDX-License-Identifier: MIT */
/* budget.h - how much output one execution may send. The beginning passes, the end is kept, and a
 * line between them says how much is missing: both ends of a flood are worth reading. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "contexts/wire/msg.h"

struct budget;

/* Called for each message that may go out. */
typedef void (*budget_pass_fn)(void *arg, enum wire_type type, struct slice content);

struct budget *budget_new(size_t limit_bytes);
void budget_free(struct budget *b);

/* Passes the text of a stream message on as far as the budget goes; keeps the rest's end. */
void budget_stream(struct budget *b, struct slice content, budget_pass_fn pass, void *arg);

/* May another message of this size go out? Counts it either way. */
bool budget_display(struct budget *b, size_t bytes);

/* The same for what may use the whole limit once more: the result of the cell. */
bool budget_result(struct budget *b, size_t bytes);

/* Passes on what says how much is missing, and the end. Call once, before the reply. */
void budget_finish(struct budget *b, budget_pass_fn pass, void *arg);
