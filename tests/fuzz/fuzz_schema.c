/* SPDX-License-Identifier: MIT */
/* fuzz_schema.c - the input is the content of a request: checked as every type there is, and what
 * the broker reads out of an execute_request goes on to where it would go. */
#include <assert.h>
#include <stdbool.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/protocol/reply.h"
#include "kernel/protocol/schema.h"
#include "tests/fuzz/fuzz.h"

static bool lies_within(struct slice inner, struct slice outer)
{
    return inner.data >= outer.data && inner.data + inner.len <= outer.data + outer.len;
}

static void check_execute(struct slice content)
{
    struct execute_fields fields;
    schema_execute_fields(content, &fields);
    assert(jscan_kind(fields.code) == JSCAN_STRING);
    assert(lies_within(fields.code, content));
    assert(!fields.silent || !fields.store_history);

    _cleanup_(drop_buf) struct buf echo = BUF_INIT(3 * content.len + KIB);
    int failed = reply_execute_input(&echo, fields.code, 1);
    assert(!failed);
    assert(jscan_check(buf_slice(&echo), JSCAN_STRICT, 1, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice content = {(const char *)data, size};
    if (jscan_check(content, JSCAN_LENIENT, JSON_DEPTH_MAX, NULL) < 0) {
        return 0;
    }
    for (int type = MSG_UNKNOWN; type < MSG_TYPES; type++) {
        struct err e = ERR_NONE;
        int failed = schema_check((enum msg_type)type, content, &e);
        assert(!failed || (e.code == ERR_INPUT && e.text[0] != '\0'));
        if (!failed && type == MSG_EXECUTE_REQUEST) {
            check_execute(content);
        }
    }
    return 0;
}
