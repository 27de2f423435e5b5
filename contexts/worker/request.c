/* SPDX-License-Identifier: MIT */
#include "contexts/worker/request.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/text.h"

void request_room_init(struct request_room *room)
{
    *room = (struct request_room){.code = BUF_INIT(MSG_JSON_MAX),
                                  .expressions = BUF_INIT(MSG_JSON_MAX),
                                  .env = BUF_INIT(START_OPTIONS_MAX),
                                  .header = BUF_INIT(MSG_PARENT_MAX)};
}

void request_room_done(struct request_room *room)
{
    buf_done(&room->code);
    buf_done(&room->expressions);
    buf_done(&room->env);
    buf_done(&room->header);
}

static int check_object(struct slice content, struct err *e)
{
    if (jscan_check(content, JSCAN_LENIENT, JSON_DEPTH_MAX, e) < 0) {
        return err_wrap(e, "content");
    }
    if (jscan_kind(content) != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "content must be an object");
    }
    return 0;
}

static int read_code(struct slice value, struct buf *code, struct err *e)
{
    if (jscan_kind(value) != JSCAN_STRING) {
        return err_set(e, ERR_INPUT, "code must be a string");
    }
    if (jscan_string(value, code) < 0) {
        return err_set(e, ERR_LIMIT, "code of more than %zu bytes", code->limit);
    }
    return 0;
}

/* A flag that is absent or null leaves `*out` as it is. */
static int read_flag(struct slice value, const char *key, bool *out, struct err *e)
{
    bool is_given = jscan_kind(value) != JSCAN_NONE && jscan_kind(value) != JSCAN_NULL;
    if (is_given && !jscan_bool(value, out)) {
        return err_set(e, ERR_INPUT, "%s must be true or false", key);
    }
    return 0;
}

static int read_expressions(struct slice value, struct buf *out, struct err *e)
{
    enum jscan_kind kind = jscan_kind(value);
    if (kind == JSCAN_NONE || kind == JSCAN_NULL) {
        return 0;
    }
    if (kind != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "user_expressions must be an object");
    }
    if (value.len > sizeof "{}" - 1) {   /* what most clients send is as good as nothing */
        (void)buf_add_slice(out, value); /* a part of a message cannot pass the message's limit */
    }
    return 0;
}

/* The members of an execute_request that concern a worker. */
enum { FIELD_CODE, FIELD_EXPRESSIONS, FIELD_SILENT, FIELD_HISTORY, FIELD_STDIN, FIELDS };

static int read_execute(struct slice content, struct request_room *room, struct exec_request *out,
                        struct err *e)
{
    static const char *const keys[FIELDS] = {"code", "user_expressions", "silent", "store_history",
                                             "allow_stdin"};
    struct slice values[FIELDS];
    jscan_pick(content, keys, values, FIELDS);
    if (read_code(values[FIELD_CODE], &room->code, e) < 0 ||
        read_expressions(values[FIELD_EXPRESSIONS], &room->expressions, e) < 0 ||
        read_flag(values[FIELD_SILENT], keys[FIELD_SILENT], &out->silent, e) < 0) {
        return -1;
    }
    out->store_history = !out->silent;
    if (read_flag(values[FIELD_HISTORY], keys[FIELD_HISTORY], &out->store_history, e) < 0 ||
        read_flag(values[FIELD_STDIN], keys[FIELD_STDIN], &out->allow_stdin, e) < 0) {
        return -1;
    }
    out->store_history = out->store_history && !out->silent;
    return 0;
}

int request_execute(const struct wire_frame *frame, struct request_room *room,
                    struct exec_request *out, struct err *e)
{
    struct exec_request r = {0};
    struct wire_execute_options options = {0};
    if (frame->buffer_count < 1 || wire_execute_options_read(frame->buffers[0], &options, e) < 0) {
        return err_set(e, ERR_PROTO, "execute without its options");
    }
    r.execution_count = options.execution_count;
    r.runs_to_end = options.runs_to_end;
    /* Their sender has the same ceilings. */
    (void)buf_add_slice(&room->env, options.env);
    (void)buf_add_slice(&room->header, options.header);
    if (check_object(frame->content, e) < 0 || read_execute(frame->content, room, &r, e) < 0) {
        return -1;
    }
    r.code = buf_slice(&room->code);
    r.user_expressions = buf_slice(&room->expressions);
    r.env = buf_slice(&room->env);
    r.header = buf_slice(&room->header);
    *out = r;
    return 0;
}

int request_code(const struct wire_frame *frame, struct request_room *room,
                 struct code_request *out, struct err *e)
{
    int64_t cursor = 0;
    int64_t detail = 0;
    if (check_object(frame->content, e) < 0 ||
        read_code(jscan_get(frame->content, "code"), &room->code, e) < 0) {
        return -1;
    }
    size_t length = text_code_points(buf_slice(&room->code));
    if (!jscan_int(jscan_get(frame->content, "cursor_pos"), &cursor) || cursor < 0 ||
        (uint64_t)cursor > length) {
        cursor = (int64_t)length;
    }
    (void)jscan_int(jscan_get(frame->content, "detail_level"), &detail); /* absent: 0 */
    *out = (struct code_request){
        .code = buf_slice(&room->code), .cursor = (size_t)cursor, .detail = detail == 1};
    return 0;
}

int request_comm(const struct wire_frame *frame, struct comm_request *out, struct err *e)
{
    static const char *const types[] = {"comm_open", "comm_msg", "comm_close"};
    if (frame->buffer_count < 1 || check_object(frame->content, e) < 0 ||
        check_object(frame->buffers[0], e) < 0) {
        return err_set(e, ERR_PROTO, "comm message without its head");
    }
    struct slice head = frame->buffers[0];
    struct comm_request r = {.content = frame->content,
                             .metadata = jscan_get(head, "metadata"),
                             .buffers = frame->buffers + 1,
                             .buffer_count = frame->buffer_count - 1};
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (jscan_string_is(jscan_get(head, "msg_type"), types[i])) {
            r.msg_type = types[i];
        }
    }
    if (r.msg_type == NULL || jscan_kind(r.metadata) != JSCAN_OBJECT) {
        return err_set(e, ERR_PROTO, "comm message with a wrong head");
    }
    *out = r;
    return 0;
}
