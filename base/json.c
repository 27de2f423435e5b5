/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/bounds.h"
#include "base/jscan.h"

int json_parse(struct slice text, json_t **out, struct err *e)
{
    if (text.len > MSG_JSON_MAX) {
        return err_set(e, ERR_LIMIT, "JSON of %zu bytes, limit %lu", text.len, MSG_JSON_MAX);
    }
    /* jansson's own bound on nesting is fixed when it is built, and it recurses. */
    struct err scanned = ERR_NONE;
    int refused = jscan_check(text, JSCAN_STRICT, JSON_DEPTH_MAX, &scanned);
    if (refused < 0 && scanned.code == ERR_LIMIT) {
        *e = scanned;
        return -1;
    }
    json_error_t at = {0};
    json_t *value = json_loadb(text.data ? text.data : "", text.len, JSON_DECODE_ANY, &at);
    if (value == NULL) {
        return err_set(e, ERR_PROTO, "line %d column %d: %s", at.line, at.column, at.text);
    }
    if (refused < 0) { /* what we pass on must satisfy stricter readers than jansson */
        json_decref(value);
        *e = scanned;
        return -1;
    }
    *out = value;
    return 0;
}

/* Finds a member of one of the wanted types. 1: `*out` lends it; 0: absent. */
static int find(const json_t *object, const char *key, const char *type, const json_t **out,
                struct err *e)
{
    if (!json_is_object(object)) {
        return err_set(e, ERR_INPUT, "an object is wanted where '%s' should be", key);
    }
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return 0;
    }

    const struct {
        const char *name;
        bool matches;
    } types[] = {
        {"a string", json_is_string(value)},
        {"an integer", json_is_integer(value)},
        {"true or false", json_is_boolean(value)},
    };

    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (types[i].matches && strcmp(types[i].name, type) == 0) {
            *out = value;
            return 1;
        }
    }
    return err_set(e, ERR_INPUT, "'%s' must be %s", key, type);
}

int json_get_text(const json_t *object, const char *key, const char **out, struct err *e)
{
    const json_t *value = NULL;
    int found = find(object, key, "a string", &value, e);
    if (found == 1) {
        *out = json_string_value(value);
    }
    return found < 0 ? -1 : 0;
}

int json_get_int(const json_t *object, const char *key, int64_t *out, struct err *e)
{
    const json_t *value = NULL;
    int found = find(object, key, "an integer", &value, e);
    if (found == 1) {
        *out = json_integer_value(value);
    }
    return found < 0 ? -1 : 0;
}

int json_get_bool(const json_t *object, const char *key, bool *out, struct err *e)
{
    const json_t *value = NULL;
    int found = find(object, key, "true or false", &value, e);
    if (found == 1) {
        *out = json_is_true(value);
    }
    return found < 0 ? -1 : 0;
}

static int add_piece(const char *text, size_t len, void *arg)
{
    struct buf *out = arg;
    return buf_add(out, text, len);
}

int json_add(struct buf *out, const json_t *value, struct err *e)
{
    size_t start = out->len;
    if (json_dump_callback(value, add_piece, out, JSON_COMPACT | JSON_ENCODE_ANY) == 0) {
        return 0;
    }
    buf_truncate(out, start);
    return out->full ? err_set(e, ERR_LIMIT, "JSON of more than %zu bytes", out->limit)
                     : err_set(e, ERR_PROTO, "a value that cannot be written as JSON");
}
