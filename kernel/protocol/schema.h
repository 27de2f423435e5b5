/* SPDX-License-Identifier: MIT */
/* schema.h - checks the content of requests field by field, from a table, and reads the fields
 * the broker itself acts on. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "kernel/protocol/types.h"

/* Checks that the fields of a request of `type` have the right JSON types and that required ones
 * are there. ERR_INPUT names the field. Unknown fields are fine. */
MUST_CHECK int schema_check(enum msg_type type, struct slice content, struct err *e);

/* The fields of execute_request that concern the broker, with the protocol's defaults. */
struct execute_fields {
    struct slice code; /* raw JSON string */
    bool silent;
    bool store_history; /* false when silent */
    bool allow_stdin;
    bool stop_on_error;
};

/* Expects content that schema_check accepted. */
void schema_execute_fields(struct slice content, struct execute_fields *out);
