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

/* For fields that not every language has. */
static void add_optional(struct buf *out, const char *key, const char *value)
{
    if (value != NULL) {
        (void)jwrite_member_text(out, key, value);
    }
}

static void add_language_info(struct buf *out, const struct language_info *info)
{
    (void)jwrite_key(out, "language_info");
    (void)jwrite_object(out);
    (void)jwrite_member_text(out, "name", info->name);
    add_optional(out, "version", info->version);
    add_optional(out, "mimetype", info->mimetype);
    add_optional(out, "file_extension", info->file_extension);
    add_optional(out, "pygments_lexer", info->pygments_lexer);
    if (info->codemirror_mode != NULL && info->codemirror_version > 0) {
        (void)jwrite_key(out, "codemirror_mode");
        (void)jwrite_object(out);
        (void)jwrite_member_text(out, "name", info->codemirror_mode);
        (void)jwrite_member_int(out, "version", info->codemirror_version);
        (void)jwrite_object_end(out);
    } else {
        add_optional(out, "codemirror_mode", info->codemirror_mode);
    }
    add_optional(out, "nbconvert_exporter", info->nbconvert_exporter);
    (void)jwrite_object_end(out);
}

int reply_kernel_info(struct buf *out, const struct language_info *info, struct err *e)
{
    (void)jwrite_object(out);
    (void)jwrite_member_text(out, "status", "ok");
    (void)jwrite_member_text(out, "protocol_version", PROTOCOL_VERSION);
    (void)jwrite_member_text(out, "implementation", "pandia");
    (void)jwrite_member_text(out, "implementation_version", info->implementation_version);
    add_language_info(out, info);
    (void)jwrite_member_text(out, "banner", info->banner != NULL ? info->banner : "");
    (void)jwrite_member_raw(out, "help_links", SLICE_LIT("[]"));
    (void)jwrite_member_raw(out, "supported_features", SLICE_LIT("[\"contexts\"]"));
    (void)jwrite_member_bool(out, "debugger", false);
    (void)jwrite_object_end(out);
    return buf_check(out, e); /* asked once for all additions above */
}

int reply_status(struct buf *out, const char *state)
{
    (void)jwrite_object(out);
    (void)jwrite_member_text(out, "execution_state", state);
    (void)jwrite_object_end(out);
    return result(out);
}

int reply_execute_input(struct buf *out, struct slice raw_code, int64_t execution_count)
{
    (void)jwrite_object(out);
    (void)jwrite_key(out, "code");
    /* The client's own JSON string, except for bytes that other clients could not read. */
    (void)text_add_utf8(out, raw_code);
    (void)jwrite_member_int(out, "execution_count", execution_count);
    (void)jwrite_object_end(out);
    return result(out);
}

int reply_shutdown(struct buf *out, bool restart)
{
    (void)jwrite_object(out);
    (void)jwrite_member_text(out, "status", "ok");
    (void)jwrite_member_bool(out, "restart", restart);
    (void)jwrite_object_end(out);
    return result(out);
}

int reply_welcome(struct buf *out, struct slice topic)
{
    (void)jwrite_object(out);
    (void)jwrite_member(out, "subscription", topic);
    (void)jwrite_object_end(out);
    return result(out);
}
