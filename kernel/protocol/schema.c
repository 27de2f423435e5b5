/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/schema.h"

#include <assert.h>
#include <string.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/protocol/field.h"

/* The fields of each request, after Jupyter's messaging page: name, kind, need. Fields that the
 * page demands but every kernel copes without (cursor_pos: the end of the code; restart: false) are
 * optional here. `data` of a comm belongs to the two ends of it and may be anything. Those of a new
 * context are the table of kernel/core/options.c, which checks them all. */
#define KERNEL_INFO_REQUEST_FIELDS(F)
#define CONNECT_REQUEST_FIELDS(F)
#define USAGE_REQUEST_FIELDS(F)
#define CREATE_CONTEXT_REQUEST_FIELDS(F)
#define LIST_CONTEXT_REQUEST_FIELDS(F)
#define DELETE_CONTEXT_REQUEST_FIELDS(F)  F(context_id, TEXT, REQUIRED)
#define RESTART_CONTEXT_REQUEST_FIELDS(F) F(context_id, TEXT, REQUIRED)
#define CANCEL_REQUEST_FIELDS(F)          F(msg_id, TEXT, REQUIRED)
#define INTERRUPT_REQUEST_FIELDS(F)       F(context_id, TEXT, OPTIONAL)
#define SHUTDOWN_REQUEST_FIELDS(F)        F(restart, BOOL, OPTIONAL)
#define COMM_INFO_REQUEST_FIELDS(F)       F(target_name, TEXT, OPTIONAL)
#define COMM_MSG_FIELDS(F)                F(comm_id, TEXT, REQUIRED)
#define COMM_CLOSE_FIELDS(F)              F(comm_id, TEXT, REQUIRED)
#define INPUT_REPLY_FIELDS(F)             F(value, TEXT, REQUIRED)
#define IS_COMPLETE_REQUEST_FIELDS(F)     F(code, TEXT, REQUIRED)
#define COMPLETE_REQUEST_FIELDS(F)                                                                 \
    F(code, TEXT, REQUIRED)                                                                        \
    F(cursor_pos, INT, OPTIONAL)
#define INSPECT_REQUEST_FIELDS(F)                                                                  \
    F(code, TEXT, REQUIRED)                                                                        \
    F(cursor_pos, INT, OPTIONAL)                                                                   \
    F(detail_level, INT, OPTIONAL)                                                                 \
    F(omit_sections, LIST, OPTIONAL)
#define COMM_OPEN_FIELDS(F)                                                                        \
    F(comm_id, TEXT, REQUIRED)                                                                     \
    F(target_name, TEXT, REQUIRED)                                                                 \
    F(target_module, TEXT, OPTIONAL)
#define EXECUTE_REQUEST_FIELDS(F)                                                                  \
    F(code, TEXT, REQUIRED)                                                                        \
    F(silent, BOOL, OPTIONAL)                                                                      \
    F(store_history, BOOL, OPTIONAL)                                                               \
    F(user_expressions, OBJECT, OPTIONAL)                                                          \
    F(allow_stdin, BOOL, OPTIONAL)                                                                 \
    F(stop_on_error, BOOL, OPTIONAL)
#define HISTORY_REQUEST_FIELDS(F)                                                                  \
    F(hist_access_type, TEXT, REQUIRED)                                                            \
    F(output, BOOL, OPTIONAL)                                                                      \
    F(raw, BOOL, OPTIONAL)                                                                         \
    F(session, INT, OPTIONAL)                                                                      \
    F(start, INT, OPTIONAL)                                                                        \
    F(stop, INT, OPTIONAL)                                                                         \
    F(n, INT, OPTIONAL)                                                                            \
    F(pattern, TEXT, OPTIONAL)                                                                     \
    F(unique, BOOL, OPTIONAL)

enum { FIELDS_MAX = 12 };

struct field {
    const char *name; /* NULL behind the last one */
    enum field_kind kind;
    enum field_need need;
};

static const struct field fields_of[MSG_TYPES][FIELDS_MAX] = {

#define FIELD(name, kind, need)    {#name, FIELD_##kind, FIELD_##need},
#define X(upper, lower, reply, on) [MSG_##upper] = {upper##_FIELDS(FIELD){.name = NULL}},
    MSG_REQUEST_MAP(X)
#undef X
};

static int refuse_unknown(struct slice key, struct err *e)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    bool is_short = jscan_string(key, &name) == 0;
    return err_set(e, ERR_INPUT, "there is no field \"%.60s\"",
                   is_short ? buf_text(&name) : "(of a very long name)");
}

/* Finds all fields in one walk, because `code` may be megabytes and each lookup would pass over
 * it again. Of equal keys the last counts. */
static int collect(enum msg_type type, struct slice content, struct slice values[FIELDS_MAX],
                   struct err *e)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    const struct field *fields = fields_of[type];
    jscan_iter_init(&it, content);
    while (jscan_next(&it, &key, &value)) {
        size_t i = 0;
        while (fields[i].name != NULL && !jscan_string_is(key, fields[i].name)) {
            i++;
        }
        if (fields[i].name != NULL) {
            values[i] = value;
        } else if (msg_type_is_exact(type)) {
            return refuse_unknown(key, e);
        }
    }
    return 0;
}

int schema_check(enum msg_type type, struct slice content, struct err *e)
{
    if (jscan_kind(content) != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "%s: content is %s, must be an object", msg_type_name(type),
                       field_found(jscan_kind(content)));
    }
    struct slice values[FIELDS_MAX] = {0};
    if (collect(type, content, values, e) < 0) {
        return err_wrap(e, "%s", msg_type_name(type));
    }
    const struct field *fields = fields_of[type];
    for (size_t i = 0; fields[i].name != NULL; i++) {
        if (field_check(fields[i].name, values[i], fields[i].kind, fields[i].need, e) < 0) {
            return err_wrap(e, "%s", msg_type_name(type));
        }
    }
    return 0;
}

/* Lends the collected value of `name`, which must be in the table. */
static struct slice value_of(enum msg_type type, const struct slice values[FIELDS_MAX],
                             const char *name)
{
    size_t i = 0;
    while (strcmp(fields_of[type][i].name, name) != 0) {
        i++;
        assert(fields_of[type][i].name != NULL);
    }
    return values[i];
}

void schema_execute_fields(struct slice content, struct execute_fields *out)
{
    enum msg_type type = MSG_EXECUTE_REQUEST;
    struct slice values[FIELDS_MAX] = {0};
    struct err e = ERR_NONE;
    (void)collect(type, content, values, &e); /* schema_check has seen it */

    /* Absent and null leave the default. allow_stdin is taken for false, as ipykernel does: who
     * does not say that it can answer a prompt would leave the cell waiting for ever. */
    *out = (struct execute_fields){
        .code = value_of(type, values, "code"),
        .stop_on_error = true,
    };
    (void)jscan_bool(value_of(type, values, "silent"), &out->silent);
    (void)jscan_bool(value_of(type, values, "allow_stdin"), &out->allow_stdin);
    (void)jscan_bool(value_of(type, values, "stop_on_error"), &out->stop_on_error);
    out->store_history = !out->silent;
    if (!out->silent) {
        (void)jscan_bool(value_of(type, values, "store_history"), &out->store_history);
    }
}
