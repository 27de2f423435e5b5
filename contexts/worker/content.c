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
static void add_string(struct buf *out, const char *key, struct slice text)
{
    jwrite_key(out, key);
    jwrite_string(out, text);
}

static void add_raw(struct buf *out, const char *key, const struct buf *raw, const char *empty)
{
    jwrite_key(out, key);
    buf_add_slice(out, raw->len > 0 ? buf_slice(raw) : slice_of(empty));
}

static void add_error_members(struct buf *out, const struct exec_outcome *outcome)
{
    add_string(out, "ename", buf_slice(&outcome->ename));
    buf_add_text(out, ", ");
    add_string(out, "evalue", buf_slice(&outcome->evalue));
    buf_add_text(out, ", ");
    add_raw(out, "traceback", &outcome->traceback, "[]");
}

void content_error(struct buf *out, const struct exec_outcome *outcome)
{
    buf_add_byte(out, '{');
    add_error_members(out, outcome);
    buf_add_byte(out, '}');
}

void content_execute_reply(struct buf *out, const struct exec_outcome *outcome,
                           int64_t execution_count)
{
    buf_add_text(out, outcome->failed ? "{\"status\": \"error\", " : "{\"status\": \"ok\", ");
    if (outcome->failed) {
        add_error_members(out, outcome);
        buf_add_text(out, ", ");
    }
    jwrite_key(out, "execution_count");
    jwrite_int(out, execution_count);
    buf_add_text(out, ", ");
    add_raw(out, "payload", &outcome->payload, "[]");
    buf_add_text(out, ", ");
    add_raw(out, "user_expressions", &outcome->user_expressions, "{}");
    buf_add_byte(out, '}');
}

void content_failed_reply(struct buf *out, const struct err *why)
{
    buf_add_text(out, "{\"status\": \"error\", \"ename\": \"BadRequest\", ");
    add_string(out, "evalue", slice_of(why->text));
    buf_add_text(out, ", \"traceback\": []}");
}

void content_result(struct buf *out, const struct bundle *bundle, int64_t execution_count)
{
    buf_add_byte(out, '{');
    jwrite_key(out, "execution_count");
    jwrite_int(out, execution_count);
    buf_add_text(out, ", ");
    bundle_write(bundle, out);
    buf_add_byte(out, '}');
}

void content_display(struct buf *out, const struct bundle *bundle, struct slice transient)
{
    buf_add_byte(out, '{');
    bundle_write(bundle, out);
    buf_add_text(out, ", ");
    jwrite_key(out, "transient");
    buf_add_slice(out, transient.len > 0 ? transient : SLICE_LIT("{}"));
    buf_add_byte(out, '}');
}

void content_is_complete_unknown(struct buf *out)
{
    buf_add_text(out, "{\"status\": \"unknown\"}");
}

void content_complete_none(struct buf *out, size_t cursor)
{
    buf_addf(out,
             "{\"status\": \"ok\", \"matches\": [], \"cursor_start\": %zu, \"cursor_end\": %zu, "
             "\"metadata\": {}}",
             cursor, cursor);
}

void content_inspect_none(struct buf *out)
{
    buf_add_text(out, "{\"status\": \"ok\", \"found\": false, \"data\": {}, \"metadata\": {}}");
}
