/* SPDX-License-Identifier: MIT */
/* reply.h - JSON contents of the messages that the broker itself makes. All append to `out`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* What kernel_info says about the language. Borrowed texts. */
struct language_info {
    const char *name; /* "python" */
    const char *version;
    const char *mimetype;
    const char *file_extension;
    const char *pygments_lexer;
    const char *codemirror_mode; /* name */
    int codemirror_version;      /* 0: none */
    const char *nbconvert_exporter;
    const char *banner;
    const char *implementation_version; /* Pandia's */
};

MUST_CHECK int reply_kernel_info(struct buf *out, const struct language_info *info, struct err *e);
int reply_status(struct buf *out, const char *state); /* "busy", "idle", "starting" */
int reply_execute_input(struct buf *out, struct slice raw_code, int64_t execution_count);
int reply_shutdown(struct buf *out, bool restart);
int reply_welcome(struct buf *out, struct slice topic);
