/* SPDX-License-Identifier: MIT */
/* failure.h - how failures that are not the code's own are called towards clients, and their
 * contents: the names of errors are the same through every door. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

/* The name of an internal error, by its code; static text. */
const char *failure_name(const struct err *reason);

/* Appends ename, evalue and traceback as a JSON object: the content of an `error` output. */
void failure_write_output(struct buf *out, const char *ename, const char *evalue);

/* Appends the content of a reply with status error. */
void failure_write_reply(struct buf *out, const char *ename, const char *evalue);

/* The same of an execute_reply. */
void failure_write_execute_reply(struct buf *out, const char *ename, const char *evalue,
                                 int64_t execution_count);
