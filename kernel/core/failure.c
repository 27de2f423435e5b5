/* SPDX-License-Identifier: MIT */
#include "kernel/core/failure.h"

#include "base/jwrite.h"

const char *failure_name(const struct err *reason)
{
    switch (reason->code) {
    case ERR_LIMIT:
        return "LimitExceeded";
    case ERR_TIMEOUT:
        return "TimeoutError";
    case ERR_STATE:
        return "ServiceUnavailable";
    case ERR_GONE:
    case ERR_ENGINE:
        return "ContextNotStarted";
    case ERR_INPUT:
    case ERR_PROTO:
        return "InvalidRequest";
    case ERR_OK:
    case ERR_SYS:
    case ERR_AUTH:
        return "KernelError";
    }
    return "KernelError";
}

/* The traceback has one line: consoles print nothing else. */
static void add_members(struct buf *out, const char *ename, const char *evalue)
{
    _cleanup_(drop_buf) struct buf line = BUF_INIT(out->limit);
    buf_addf(&line, "%s%s%s", ename, evalue[0] != '\0' ? ": " : "", evalue);
    jwrite_member_text(out, "ename", ename);
    jwrite_member_text(out, "evalue", evalue);
    jwrite_key(out, "traceback");
    jwrite_list(out);
    jwrite_string(out, buf_slice(&line));
    jwrite_list_end(out);
}

void failure_write_output(struct buf *out, const char *ename, const char *evalue)
{
    jwrite_object(out);
    add_members(out, ename, evalue);
    jwrite_object_end(out);
}

void failure_write_reply(struct buf *out, const char *ename, const char *evalue)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "error");
    add_members(out, ename, evalue);
    jwrite_object_end(out);
}

void failure_write_execute_reply(struct buf *out, const char *ename, const char *evalue,
                                 int64_t execution_count)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "error");
    add_members(out, ename, evalue);
    jwrite_member_int(out, "execution_count", execution_count);
    jwrite_member_raw(out, "payload", SLICE_LIT("[]"));
    jwrite_member_raw(out, "user_expressions", SLICE_LIT("{}"));
    jwrite_object_end(out);
}
