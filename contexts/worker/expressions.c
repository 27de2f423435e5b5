/* SPDX-License-Identifier: MIT */
#include "contexts/worker/expressions.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"

/* Keys come from the client and may be anything a JSON string can be. */
static void add_key(struct slice key, struct buf *out)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_JSON_MAX);
    (void)!jscan_string(key, &name); /* a key is a string, or jscan would not have given it */
    jwrite_string(out, buf_slice(&name));
    buf_add_text(out, ": ");
}

void expressions_answer(struct slice questions, expressions_fn *answer, void *state,
                        struct buf *out)
{
    struct jscan_iter it;
    struct slice key;
    struct slice question;
    if (questions.len == 0) {
        return;
    }
    jwrite_object(out);
    jscan_iter_init(&it, questions);
    while (jscan_next(&it, &key, &question)) {
        size_t start = out->len;
        add_key(key, out);
        answer(state, question, out);
        if (out->full) {
            buf_truncate(out, start); /* the rest does not fit; what is there stays well-formed */
            out->full = false;
            break;
        }
    }
    jwrite_object_end(out);
}

void expressions_add_error(struct buf *out, struct slice name, struct slice message,
                           struct slice traceback)
{
    jwrite_object(out);
    jwrite_member_text(out, "status", "error");
    jwrite_member(out, "ename", name);
    jwrite_member(out, "evalue", message);
    jwrite_member_raw(out, "traceback", traceback);
    jwrite_object_end(out);
}
