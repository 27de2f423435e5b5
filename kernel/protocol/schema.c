/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/schema.h"

#include <assert.h>
#include <string.h>

#include "base/jscan.h"
#include "kernel/protocol/field.h"

/* The requests of the Jupyter protocol, after its messaging page: type, field, kind, need. Fields
 * that the page demands but every kernel copes without (cursor_pos: the end of the code; restart:
 * false) are optional here. `data` of a comm belongs to the two ends of it and may be anything. */
#define FIELD_MAP(X)                                                                               \
    X(EXECUTE_REQUEST, code, TEXT, REQUIRED)                                                       \
    X(EXECUTE_REQUEST, silent, BOOL, OPTIONAL)                                                     \
    X(EXECUTE_REQUEST, store_history, BOOL, OPTIONAL)                                              \
    X(EXECUTE_REQUEST, user_expressions, OBJECT, OPTIONAL)                                         \
    X(EXECUTE_REQUEST, allow_stdin, BOOL, OPTIONAL)                                                \
    X(EXECUTE_REQUEST, stop_on_error, BOOL, OPTIONAL)                                              \
    X(COMPLETE_REQUEST, code, TEXT, REQUIRED)                                                      \
    X(COMPLETE_REQUEST, cursor_pos, INT, OPTIONAL)                                                 \
    X(INSPECT_REQUEST, code, TEXT, REQUIRED)                                                       \
    X(INSPECT_REQUEST, cursor_pos, INT, OPTIONAL)                                                  \
    X(INSPECT_REQUEST, detail_level, INT, OPTIONAL)                                                \
    X(INSPECT_REQUEST, omit_sections, LIST, OPTIONAL)                                              \
    X(IS_COMPLETE_REQUEST, code, TEXT, REQUIRED)                                                   \
    X(HISTORY_REQUEST, hist_access_type, TEXT, REQUIRED)                                           \
    X(HISTORY_REQUEST, output, BOOL, OPTIONAL)                                                     \
    X(HISTORY_REQUEST, raw, BOOL, OPTIONAL)                                                        \
    X(HISTORY_REQUEST, session, INT, OPTIONAL)                                                     \
    X(HISTORY_REQUEST, start, INT, OPTIONAL)                                                       \
    X(HISTORY_REQUEST, stop, INT, OPTIONAL)                                                        \
    X(HISTORY_REQUEST, n, INT, OPTIONAL)                                                           \
    X(HISTORY_REQUEST, pattern, TEXT, OPTIONAL)                                                    \
    X(HISTORY_REQUEST, unique, BOOL, OPTIONAL)                                                     \
    X(COMM_INFO_REQUEST, target_name, TEXT, OPTIONAL)                                              \
    X(COMM_OPEN, comm_id, TEXT, REQUIRED)                                                          \
    X(COMM_OPEN, target_name, TEXT, REQUIRED)                                                      \
    X(COMM_OPEN, target_module, TEXT, OPTIONAL)                                                    \
    X(COMM_MSG, comm_id, TEXT, REQUIRED)                                                           \
    X(COMM_CLOSE, comm_id, TEXT, REQUIRED)                                                         \
    X(INTERRUPT_REQUEST, context_id, TEXT, OPTIONAL)                                               \
    X(SHUTDOWN_REQUEST, restart, BOOL, OPTIONAL)                                                   \
    X(CREATE_CONTEXT_REQUEST, context_id, TEXT, OPTIONAL)                                          \
    X(CREATE_CONTEXT_REQUEST, language, TEXT, OPTIONAL)                                            \
    X(CREATE_CONTEXT_REQUEST, cwd, TEXT, OPTIONAL)                                                 \
    X(CREATE_CONTEXT_REQUEST, env, OBJECT, OPTIONAL)                                               \
    X(CREATE_CONTEXT_REQUEST, rich, BOOL, OPTIONAL)                                                \
    X(CREATE_CONTEXT_REQUEST, codegen, TEXT, OPTIONAL)                                             \
    X(CREATE_CONTEXT_REQUEST, memory_bytes, INT, OPTIONAL)                                         \
    X(CREATE_CONTEXT_REQUEST, network, BOOL, OPTIONAL)                                             \
    X(CREATE_CONTEXT_REQUEST, processes, BOOL, OPTIONAL)                                           \
    X(DELETE_CONTEXT_REQUEST, context_id, TEXT, REQUIRED)                                          \
    X(RESTART_CONTEXT_REQUEST, context_id, TEXT, REQUIRED)                                         \
    X(CANCEL_REQUEST, msg_id, TEXT, REQUIRED)                                                      \
    X(INPUT_REPLY, value, TEXT, REQUIRED)

struct row {
    enum msg_type type;
    const char *name;
    enum field_kind kind;
    enum field_need need;
};

static const struct row rows[] = {

#define X(type, name, kind, need) {MSG_##type, #name, FIELD_##kind, FIELD_##need},
    FIELD_MAP(X)
#undef X
};

enum { ROWS = ARRAY_LEN(rows) };

/* The rows of one type; they lie together. */
struct span {
    size_t first;
    size_t end;
};

static struct span rows_of(enum msg_type type)
{
    struct span span = {0, 0};
    while (span.first < ROWS && rows[span.first].type != type) {
        span.first++;
    }
    span.end = span.first;
    while (span.end < ROWS && rows[span.end].type == type) {
        span.end++;
    }
    return span;
}

/* Finds all fields in one walk, because `code` may be megabytes and each lookup would pass over
 * it again. */
static void collect(struct span span, struct slice content, struct slice values[ROWS])
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    jscan_iter_init(&it, content);
    while (jscan_next(&it, &key, &value)) {
        for (size_t i = span.first; i < span.end; i++) {
            if (jscan_string_is(key, rows[i].name)) {
                values[i] = value; /* of equal keys the last counts */
                break;
            }
        }
    }
}

int schema_check(enum msg_type type, struct slice content, struct err *e)
{
    if (jscan_kind(content) != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "%s: content is %s, must be an object", msg_type_name(type),
                       field_found(jscan_kind(content)));
    }
    struct span span = rows_of(type);
    if (span.first == span.end) {
        return 0;
    }
    struct slice values[ROWS] = {0};
    collect(span, content, values);
    for (size_t i = span.first; i < span.end; i++) {
        if (field_check(rows[i].name, values[i], rows[i].kind, rows[i].need, e) < 0) {
            return err_wrap(e, "%s", msg_type_name(type));
        }
    }
    return 0;
}

/* Lends the collected value of `name`, which must be in the table. */
static struct slice field_of(struct span span, const struct slice values[ROWS], const char *name)
{
    size_t i = span.first;
    while (strcmp(rows[i].name, name) != 0) {
        i++;
        assert(i < span.end);
    }
    return values[i];
}

void schema_execute_fields(struct slice content, struct execute_fields *out)
{
    struct span span = rows_of(MSG_EXECUTE_REQUEST);
    struct slice values[ROWS] = {0};
    collect(span, content, values);

    /* Absent and null leave the default. allow_stdin is taken for false, as ipykernel does: who
     * does not say that it can answer a prompt would leave the cell waiting for ever. */
    *out = (struct execute_fields){
        .code = field_of(span, values, "code"),
        .stop_on_error = true,
    };
    (void)jscan_bool(field_of(span, values, "silent"), &out->silent);
    (void)jscan_bool(field_of(span, values, "allow_stdin"), &out->allow_stdin);
    (void)jscan_bool(field_of(span, values, "stop_on_error"), &out->stop_on_error);
    out->store_history = !out->silent;
    if (!out->silent) {
        (void)jscan_bool(field_of(span, values, "store_history"), &out->store_history);
    }
}
