/* SPDX-License-Identifier: MIT */
#include "contexts/worker/content.h"

#include "base/bounds.h"
#include "base/jwrite.h"
#include "mime/bundle.h"

/* Parts of one reply; together they stay below FRAME_CONTENT_MAX even when all are escaped. */
#define NAME_MAX_BYTES  (64UL * KIB)
#define VALUE_MAX_BYTES (1UL * MIB)
#define PART_MAX_BYTES  (16UL * MIB)

void outcome_init(struct exec_outcome *out)
{
    *out = (struct exec_outcome){
        .ename = BUF_INIT(NAME_MAX_BYTES),
        .evalue = BUF_INIT(VALUE_MAX_BYTES),
        .traceback = BUF_INIT(PART_MAX_BYTES),
        .payload = BUF_INIT(PART_MAX_BYTES),
        .user_expressions = BUF_INIT(PART_MAX_BYTES),
        .exit_code = -1,
    };
}

void outcome_done(struct exec_outcome *out)
{
    buf_done(&out->ename);
    buf_done(&out->evalue);
    buf_done(&out->traceback);
    buf_done(&out->payload);
    buf_done(&out->user_expressions);
}

/* Members are added freely: the sum of all parts is below the ceiling of `out`. */
static void add_raw(struct buf *out, const char *key, const struct buf *raw, const char *empty)
{
    jwrite_member_raw(out, key, raw->len > 0 ? buf_slice(raw) : slice_of(empty));
}

static void add_error_members(struct buf *out, const struct exec_outcome *outcome)
{
    jwrite_member(out, "ename", buf_slice(&outcome->ename));
    jwrite_member(out, "evalue", buf_slice(&outcome->evalue));
    add_raw(out, "traceback", &outcome->traceback, "[]");
}

void content_error(struct buf *out, const struct exec_outcome *outcome)
{
    jwrite_object(out);
    add_error_members(out, outcome);
    jwrite_object_end(out);
}

void content_execute_reply(struct buf *out, const struct exec_outcome *outcome,
                           int64_t execution_count)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", outcome->failed ? "error" : "ok");
    if (outcome->failed) {
        add_error_members(out, outcome);
    }
    jwrite_member_int(out, "execution_count", execution_count);
    add_raw(out, "payload", &outcome->payload, "[]");
    add_raw(out, "user_expressions", &outcome->user_expressions, "{}");
    jwrite_object_end(out);
}

void content_failed_reply(struct buf *out, const struct err *why)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "error");
    jwrite_member_text(out, "ename", "BadRequest");
    jwrite_member_text(out, "evalue", why->text);
    jwrite_member_raw(out, "traceback", SLICE_LIT("[]"));
    jwrite_object_end(out);
}

void content_result(struct buf *out, const struct bundle *bundle, int64_t execution_count)
{
    jwrite_object(out);
    jwrite_member_int(out, "execution_count", execution_count);
    bundle_write(bundle, out);
    jwrite_object_end(out);
}

void content_display(struct buf *out, const struct bundle *bundle, struct slice transient)
{
    jwrite_object(out);
    bundle_write(bundle, out);
    jwrite_member_raw(out, "transient", transient.len > 0 ? transient : SLICE_LIT("{}"));
    jwrite_object_end(out);
}

void content_is_complete_unknown(struct buf *out)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "unknown");
    jwrite_object_end(out);
}

void content_complete_none(struct buf *out, size_t cursor)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    jwrite_member_raw(out, "matches", SLICE_LIT("[]"));
    jwrite_member_int(out, "cursor_start", (int64_t)cursor);
    jwrite_member_int(out, "cursor_end", (int64_t)cursor);
    jwrite_member_raw(out, "metadata", SLICE_LIT("{}"));
    jwrite_object_end(out);
}

void content_inspect_none(struct buf *out)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    jwrite_member_bool(out, "found", false);
    jwrite_member_raw(out, "data", SLICE_LIT("{}"));
    jwrite_member_raw(out, "metadata", SLICE_LIT("{}"));
    jwrite_object_end(out);
}

void content_ok(struct buf *out)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "ok");
    jwrite_object_end(out);
}
