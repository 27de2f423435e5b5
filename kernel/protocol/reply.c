/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/reply.h"

#include <stddef.h>

#include "base/jwrite.h"
#include "base/text.h"
#include "kernel/protocol/codec.h"

/* The builders add freely, since a buf remembers a refused addition; this is asked at the end. */
static int result(const struct buf *out)
{
    return out->full ? -1 : 0;
}

/* Appends `"key": "value"`, and a comma before it unless it opens an object. */
static void add_text(struct buf *out, const char *key, struct slice value)
{
    if (out->len > 0 && out->data[out->len - 1] != '{') {
        (void)buf_add_text(out, ", ");
    }
    (void)jwrite_key(out, key);
    (void)jwrite_string(out, value);
}

/* The same for fields that not every language has. */
static void add_optional(struct buf *out, const char *key, const char *value)
{
    if (value != NULL) {
        add_text(out, key, slice_of(value));
    }
}

static void add_int(struct buf *out, const char *key, int64_t value)
{
    (void)buf_add_text(out, ", ");
    (void)jwrite_key(out, key);
    (void)jwrite_int(out, value);
}

static void add_language_info(struct buf *out, const struct language_info *info)
{
    (void)buf_add_text(out, ", \"language_info\": {");
    add_text(out, "name", slice_of(info->name));
    add_optional(out, "version", info->version);
    add_optional(out, "mimetype", info->mimetype);
    add_optional(out, "file_extension", info->file_extension);
    add_optional(out, "pygments_lexer", info->pygments_lexer);
    if (info->codemirror_mode != NULL && info->codemirror_version > 0) {
        (void)buf_add_text(out, ", \"codemirror_mode\": {");
        add_text(out, "name", slice_of(info->codemirror_mode));
        add_int(out, "version", info->codemirror_version);
        (void)buf_add_text(out, "}");
    } else {
        add_optional(out, "codemirror_mode", info->codemirror_mode);
    }
    add_optional(out, "nbconvert_exporter", info->nbconvert_exporter);
    (void)buf_add_text(out, "}");
}

int reply_kernel_info(struct buf *out, const struct language_info *info, struct err *e)
{
    (void)buf_add_text(out, "{\"status\": \"ok\"");
    add_text(out, "protocol_version", SLICE_LIT(PROTOCOL_VERSION));
    add_text(out, "implementation", SLICE_LIT("pandia"));
    add_text(out, "implementation_version", slice_of(info->implementation_version));
    add_language_info(out, info);
    add_text(out, "banner", slice_of(info->banner != NULL ? info->banner : ""));
    (void)buf_add_text(out, ", \"help_links\": [], \"supported_features\": [\"contexts\"], "
                            "\"debugger\": false}");
    return buf_check(out, e); /* asked once for all additions above */
}

int reply_status(struct buf *out, const char *state)
{
    (void)buf_add_text(out, "{");
    add_text(out, "execution_state", slice_of(state));
    (void)buf_add_text(out, "}");
    return result(out);
}

int reply_execute_input(struct buf *out, struct slice raw_code, int64_t execution_count)
{
    (void)buf_add_text(out, "{\"code\": ");
    /* The client's own JSON string, except for bytes that other clients could not read. */
    (void)text_add_utf8(out, raw_code);
    add_int(out, "execution_count", execution_count);
    (void)buf_add_text(out, "}");
    return result(out);
}

int reply_ok(struct buf *out)
{
    (void)buf_add_text(out, "{\"status\": \"ok\"}");
    return result(out);
}

/* ename, evalue, and a traceback of one line: consoles print nothing but the traceback. */
static void add_error(struct buf *out, const char *ename, struct slice evalue)
{
    _cleanup_(drop_buf) struct buf line = BUF_INIT(out->limit);
    (void)buf_add_text(&line, ename);
    if (evalue.len > 0) {
        (void)buf_add_text(&line, ": ");
        (void)buf_add_slice(&line, evalue);
    }
    add_text(out, "ename", slice_of(ename));
    add_text(out, "evalue", evalue);
    (void)buf_add_text(out, ", \"traceback\": [");
    (void)jwrite_string(out, buf_slice(&line));
    (void)buf_add_text(out, "]");
}

int reply_error(struct buf *out, const char *ename, struct slice evalue)
{
    (void)buf_add_text(out, "{\"status\": \"error\"");
    add_error(out, ename, evalue);
    (void)buf_add_text(out, "}");
    return result(out);
}

int reply_error_output(struct buf *out, const char *ename, struct slice evalue)
{
    (void)buf_add_text(out, "{");
    add_error(out, ename, evalue);
    (void)buf_add_text(out, "}");
    return result(out);
}

int reply_execute_error(struct buf *out, const char *ename, struct slice evalue,
                        int64_t execution_count)
{
    (void)buf_add_text(out, "{\"status\": \"error\"");
    add_error(out, ename, evalue);
    add_int(out, "execution_count", execution_count);
    (void)buf_add_text(out, ", \"payload\": [], \"user_expressions\": {}}");
    return result(out);
}

int reply_execute_aborted(struct buf *out)
{
    (void)buf_add_text(out, "{\"status\": \"aborted\"}");
    return result(out);
}

int reply_shutdown(struct buf *out, bool restart)
{
    (void)buf_add_text(out, restart ? "{\"status\": \"ok\", \"restart\": true}"
                                    : "{\"status\": \"ok\", \"restart\": false}");
    return result(out);
}

int reply_welcome(struct buf *out, struct slice topic)
{
    (void)buf_add_text(out, "{");
    add_text(out, "subscription", topic);
    (void)buf_add_text(out, "}");
    return result(out);
}
