/* SPDX-License-Identifier: MIT */
/* field.h - one member of a JSON object from outside: what it must be, and what to say when it is
 * something else. */
#pragma once

#include "base/buf.h"
#include "base/jscan.h"

enum field_kind { FIELD_TEXT, FIELD_INT, FIELD_BOOL, FIELD_OBJECT, FIELD_LIST };

enum field_need { FIELD_OPTIONAL, FIELD_REQUIRED };

/* "a string", "an object", "nothing" ... */
const char *field_found(enum jscan_kind kind);

/* Checks the raw `value` of member `name` (an empty slice: absent). null stands for absent. The
 * error is ERR_INPUT and names the member, what was found and what is wanted. */
MUST_CHECK int field_check(const char *name, struct slice value, enum field_kind kind,
                           enum field_need need, struct err *e);
