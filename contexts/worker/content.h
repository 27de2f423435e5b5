/* SPDX-License-Identifier: MIT */
/* content.h - the JSON contents of replies, and of the messages around a cell. Pure: builds text.
 */
#pragma once

#include "base/buf.h"
#include "contexts/worker/engine.h"

struct bundle;

void outcome_init(struct exec_outcome *out);
void outcome_done(struct exec_outcome *out);
DEFINE_DROP_VALUE(outcome, struct exec_outcome, outcome_done)

/* Each appends one JSON object. */
void content_execute_reply(struct buf *out, const struct exec_outcome *outcome,
                           int64_t execution_count);
void content_error(struct buf *out, const struct exec_outcome *outcome);
void content_failed_reply(struct buf *out, const struct err *why);
void content_ok(struct buf *out);
void content_result(struct buf *out, const struct bundle *bundle, int64_t execution_count);
void content_display(struct buf *out, const struct bundle *bundle, struct slice transient);

/* What is true of a language that cannot tell. */
void content_is_complete_unknown(struct buf *out);
void content_complete_none(struct buf *out, size_t cursor);
void content_inspect_none(struct buf *out);
