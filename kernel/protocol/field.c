/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/field.h"

#include <stdint.h>

static const char *wanted(enum field_kind kind)
{
    static const char *const names[] = {
        [FIELD_TEXT] = "a string",      [FIELD_INT] = "a whole number",
        [FIELD_BOOL] = "true or false", [FIELD_OBJECT] = "an object",
        [FIELD_LIST] = "a list",
    };
    return names[kind];
}

const char *field_found(enum jscan_kind kind)
{
    static const char *const names[] = {
        [JSCAN_NONE] = "nothing",    [JSCAN_OBJECT] = "an object", [JSCAN_ARRAY] = "a list",
        [JSCAN_STRING] = "a string", [JSCAN_NUMBER] = "a number",  [JSCAN_TRUE] = "true",
        [JSCAN_FALSE] = "false",     [JSCAN_NULL] = "null",
    };
    return names[kind];
}

static bool fits(struct slice value, enum field_kind kind)
{
    enum jscan_kind found = jscan_kind(value);
    int64_t number = 0;
    switch (kind) {
    case FIELD_TEXT:
        return found == JSCAN_STRING;
    case FIELD_INT:
        return jscan_int(value, &number);
    case FIELD_BOOL:
        return found == JSCAN_TRUE || found == JSCAN_FALSE;
    case FIELD_OBJECT:
        return found == JSCAN_OBJECT;
    case FIELD_LIST:
        return found == JSCAN_ARRAY;
    }
    return false;
}

int field_check(const char *name, struct slice value, enum field_kind kind, enum field_need need,
                struct err *e)
{
    enum jscan_kind found = jscan_kind(value);
    if (found == JSCAN_NONE || found == JSCAN_NULL) {
        if (need == FIELD_OPTIONAL) {
            return 0;
        }
        return err_set(e, ERR_INPUT, "field \"%s\" is %s, must be %s", name,
                       found == JSCAN_NONE ? "missing" : "null", wanted(kind));
    }
    if (fits(value, kind)) {
        return 0;
    }
    if (kind == FIELD_INT && found == JSCAN_NUMBER) {
        return err_set(e, ERR_INPUT, "field \"%s\" is a number that is not a whole one of 64 bits",
                       name);
    }
    return err_set(e, ERR_INPUT, "field \"%s\" is %s, must be %s", name, field_found(found),
                   wanted(kind));
}
