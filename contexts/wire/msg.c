/* SPDX-License-Identifier: MIT */
#include "contexts/wire/msg.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"

static const struct {
    const char *name;
    enum wire_route route;
} types[] = {

#define X(upper, lower, route) [WIRE_##upper] = {#lower, route},
    WIRE_MSG_MAP(X)
#undef X
};

const char *wire_type_name(enum wire_type type)
{
    return (size_t)type < ARRAY_LEN(types) ? types[type].name : "unknown";
}

enum wire_route wire_type_route(enum wire_type type)
{
    return types[type].route;
}

/* The contents below are objects of texts and integers; each is described by a table. */
enum field_kind { FIELD_END, FIELD_TEXT, FIELD_INT, FIELD_INT64 };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
    size_t size; /* of a text, its NUL included */
    int64_t least;
};

#define TEXT_OF(type, member)                                                                      \
    {                                                                                              \
#member, FIELD_TEXT, offsetof(type, member), sizeof(((type *)0)->member), 0                \
    }
#define INT_OF(type, member, least)                                                                \
    {                                                                                              \
#member, FIELD_INT, offsetof(type, member), sizeof(int), least                             \
    }
#define INT64_OF(type, member, least)                                                              \
    {                                                                                              \
#member, FIELD_INT64, offsetof(type, member), sizeof(int64_t), least                       \
    }

static int add_field(struct buf *out, const struct field *f, const char *at)
{
    int number = 0;
    int64_t wide = 0;
    switch (f->kind) {
    case FIELD_TEXT:
        return jwrite_string(out, (struct slice){.data = at, .len = strnlen(at, f->size)});
    case FIELD_INT:
        memcpy(&number, at, sizeof number);
        return jwrite_int(out, number);
    case FIELD_INT64:
        memcpy(&wide, at, sizeof wide);
        return jwrite_int(out, wide);
    case FIELD_END:
        break;
    }
    return 0;
}

static int add_object(struct buf *out, const struct field *fields, const void *object)
{
    size_t start = out->len;
    int failed = jwrite_object(out);
    for (const struct field *f = fields; f->kind != FIELD_END && failed == 0; f++) {
        failed = jwrite_key(out, f->key);
        failed |= add_field(out, f, (const char *)object + f->offset);
    }
    failed |= jwrite_object_end(out);
    if (failed) {
        buf_truncate(out, start);
        return -1;
    }
    return 0;
}

static int read_text(struct slice value, const struct field *f, char *at)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(f->size - 1);
    if (jscan_string(value, &text) < 0 || memchr(buf_text(&text), '\0', text.len) != NULL) {
        return -1;
    }
    memcpy(at, buf_text(&text), text.len + 1);
    return 0;
}

static int read_field(struct slice value, const struct field *f, char *at)
{
    if (f->kind == FIELD_TEXT) {
        return read_text(value, f, at);
    }
    int64_t wide = 0;
    if (!jscan_int(value, &wide) || wide < f->least || (f->kind == FIELD_INT && wide > INT_MAX)) {
        return -1;
    }
    int number = (int)wide;
    memcpy(at, f->kind == FIELD_INT ? (const void *)&number : (const void *)&wide, f->size);
    return 0;
}

/* Every field must be there: both ends are one build. `object` is written only where a field is
 * good; callers read into a local and copy it out on success. */
static int read_object(struct slice content, const struct field *fields, void *object,
                       struct err *e)
{
    if (jscan_check(content, JSCAN_STRICT, JSON_DEPTH_MAX, e) < 0) {
        return -1;
    }
    if (jscan_kind(content) != JSCAN_OBJECT) {
        return err_set(e, ERR_PROTO, "content is not an object");
    }
    for (const struct field *f = fields; f->kind != FIELD_END; f++) {
        struct slice value = jscan_get(content, f->key);
        if (read_field(value, f, (char *)object + f->offset) < 0) {
            return err_set(e, ERR_PROTO, "field '%s' is missing or malformed", f->key);
        }
    }
    return 0;
}

static const struct field hello_fields[] = {
    INT_OF(struct wire_hello, version, 0),
    TEXT_OF(struct wire_hello, language),
    TEXT_OF(struct wire_hello, language_version),
    TEXT_OF(struct wire_hello, interpreter),
    TEXT_OF(struct wire_hello, host),
    {0},
};

int wire_hello_add(struct buf *out, const struct wire_hello *hello)
{
    return add_object(out, hello_fields, hello);
}

int wire_hello_read(struct slice content, struct wire_hello *out, struct err *e)
{
    struct wire_hello hello = {0};
    if (read_object(content, hello_fields, &hello, e) < 0) {
        return err_wrap(e, "hello");
    }
    *out = hello;
    return 0;
}

static const struct field preload_fields[] = {
    INT_OF(struct wire_preload, stage, PRELOAD_BEGINS),
    TEXT_OF(struct wire_preload, module),
    TEXT_OF(struct wire_preload, text),
    {0},
};

int wire_preload_add(struct buf *out, const struct wire_preload *preload)
{
    return add_object(out, preload_fields, preload);
}

int wire_preload_read(struct slice content, struct wire_preload *out, struct err *e)
{
    struct wire_preload preload = {0};
    if (read_object(content, preload_fields, &preload, e) < 0) {
        return err_wrap(e, "preload");
    }
    if (preload.stage > PRELOAD_FAILED) {
        return err_set(e, ERR_PROTO, "preload: there is no stage %d", preload.stage);
    }
    *out = preload;
    return 0;
}

static const struct field exited_fields[] = {
    INT_OF(struct wire_exited, pid, 1),
    INT_OF(struct wire_exited, status, 0),
    INT64_OF(struct wire_exited, cpu_us, 0),
    INT64_OF(struct wire_exited, max_rss_kib, 0),
    {0},
};

int wire_exited_add(struct buf *out, const struct wire_exited *exited)
{
    return add_object(out, exited_fields, exited);
}

int wire_exited_read(struct slice content, struct wire_exited *out, struct err *e)
{
    struct wire_exited exited = {0};
    if (read_object(content, exited_fields, &exited, e) < 0) {
        return err_wrap(e, "exited");
    }
    *out = exited;
    return 0;
}

static const char *const fork_fd_names[] = {

#define X(upper, lower) [FORK_FD_##upper] = #lower,
    WIRE_FORK_FD_MAP(X)
#undef X
};

static_assert((int)FORK_FDS <= (int)FD_PASS_MAX, "one message carries all descriptors");

const char *wire_fork_fd_name(enum wire_fork_fd fd)
{
    return fork_fd_names[fd];
}

static const struct field fork_fields[] = {TEXT_OF(struct wire_fork, policy), {0}};

int wire_fork_add(struct buf *out, const struct wire_fork *fork)
{
    size_t start = out->len;
    int failed = jwrite_object(out);
    failed |= jwrite_member_text(out, "policy", fork->policy);
    failed |= jwrite_key(out, "descriptors");
    failed |= jwrite_list(out);
    for (size_t i = 0; i < fork->descriptor_count; i++) {
        failed |= jwrite_text(out, fork_fd_names[fork->descriptors[i]]);
    }
    failed |= jwrite_list_end(out);
    failed |= jwrite_object_end(out);
    if (failed) {
        buf_truncate(out, start);
        return -1;
    }
    return 0;
}

static int read_descriptor(struct slice name, enum wire_fork_fd *out, struct err *e)
{
    for (int i = 0; i < FORK_FDS; i++) {
        if (jscan_string_is(name, fork_fd_names[i])) {
            *out = (enum wire_fork_fd)i;
            return 0;
        }
    }
    return err_set(e, ERR_PROTO, "there is no descriptor %.*s",
                   (int)(name.len < 40 ? name.len : 40), name.data);
}

static int read_descriptors(struct slice list, struct wire_fork *out, struct err *e)
{
    struct jscan_iter it;
    struct slice key;
    struct slice name;
    if (jscan_kind(list) != JSCAN_ARRAY) {
        return err_set(e, ERR_PROTO, "field 'descriptors' is missing or malformed");
    }
    jscan_iter_init(&it, list);
    while (jscan_next(&it, &key, &name)) {
        if (out->descriptor_count == FD_PASS_MAX) {
            return err_set(e, ERR_PROTO, "more than %d descriptors", FD_PASS_MAX);
        }
        if (read_descriptor(name, &out->descriptors[out->descriptor_count], e) < 0) {
            return -1;
        }
        out->descriptor_count++;
    }
    return 0;
}

int wire_fork_read(struct slice content, struct wire_fork *out, struct err *e)
{
    struct wire_fork fork = {0};
    if (read_object(content, fork_fields, &fork, e) < 0 ||
        read_descriptors(jscan_get(content, "descriptors"), &fork, e) < 0) {
        return err_wrap(e, "fork");
    }
    *out = fork;
    return 0;
}

int wire_fork_place(const struct wire_fork *fork, const int *fds, size_t count,
                    int placed[FORK_FDS], struct err *e)
{
    int found[FORK_FDS];
    if (count != fork->descriptor_count) {
        return err_set(e, ERR_PROTO, "fork: %zu descriptors came, %zu are named", count,
                       fork->descriptor_count);
    }
    for (int i = 0; i < FORK_FDS; i++) {
        found[i] = -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (found[fork->descriptors[i]] >= 0) {
            return err_set(e, ERR_PROTO, "fork: descriptor '%s' is named twice",
                           fork_fd_names[fork->descriptors[i]]);
        }
        found[fork->descriptors[i]] = fds[i];
    }
    for (int i = 0; i < FORK_FDS; i++) {
        if (found[i] < 0) {
            return err_set(e, ERR_PROTO, "fork: descriptor '%s' is missing", fork_fd_names[i]);
        }
    }
    memcpy(placed, found, sizeof found);
    return 0;
}

struct forked {
    int pid;
};

static const struct field forked_fields[] = {INT_OF(struct forked, pid, 1), {0}};

int wire_forked_add(struct buf *out, int pid)
{
    return add_object(out, forked_fields, &(struct forked){.pid = pid});
}

int wire_forked_read(struct slice content, int *pid, struct err *e)
{
    struct forked forked = {0};
    if (read_object(content, forked_fields, &forked, e) < 0) {
        return err_wrap(e, "forked");
    }
    *pid = forked.pid;
    return 0;
}

static const struct field failed_fields[] = {TEXT_OF(struct wire_failed, error), {0}};

int wire_failed_add(struct buf *out, const struct wire_failed *failed)
{
    return add_object(out, failed_fields, failed);
}

int wire_failed_read(struct slice content, struct wire_failed *out, struct err *e)
{
    struct wire_failed failed = {0};
    if (read_object(content, failed_fields, &failed, e) < 0) {
        return err_wrap(e, "failed");
    }
    *out = failed;
    return 0;
}

static const struct field done_fields[] = {INT_OF(struct wire_done, exit_code, 0), {0}};

int wire_done_add(struct buf *out, const struct wire_done *done)
{
    return add_object(out, done_fields, done);
}

int wire_done_read(struct slice content, struct wire_done *out, struct err *e)
{
    enum { EXIT_CODE_MAX = 255 };

    struct wire_done done = {0};
    if (read_object(content, done_fields, &done, e) < 0) {
        return err_wrap(e, "done");
    }
    if (done.exit_code > EXIT_CODE_MAX) {
        return err_set(e, ERR_PROTO, "done: there is no exit code %d", done.exit_code);
    }
    *out = done;
    return 0;
}

int wire_execute_options_add(struct buf *out, const struct wire_execute_options *options)
{
    jwrite_object(out);
    jwrite_member_int(out, "execution_count", options->execution_count);
    if (options->env.len > 0) {
        jwrite_member_raw(out, "env", options->env);
    }
    if (options->header.len > 0) {
        jwrite_member_raw(out, "header", options->header);
    }
    if (options->runs_to_end) {
        jwrite_member_bool(out, "runs_to_end", true);
    }
    return jwrite_object_end(out);
}

static bool is_flag_or_absent(struct slice value, bool *out)
{
    return jscan_kind(value) == JSCAN_NONE || jscan_bool(value, out);
}

static bool is_object_or_absent(struct slice value)
{
    enum jscan_kind kind = jscan_kind(value);
    return kind == JSCAN_NONE || kind == JSCAN_OBJECT;
}

int wire_execute_options_read(struct slice content, struct wire_execute_options *out, struct err *e)
{
    enum { COUNT, ENV, HEADER, RUNS_TO_END, MEMBERS };

    static const char *const keys[MEMBERS] = {"execution_count", "env", "header", "runs_to_end"};
    struct slice values[MEMBERS];
    struct wire_execute_options read = {0};
    if (jscan_check(content, JSCAN_STRICT, JSON_DEPTH_MAX, e) < 0) {
        return err_wrap(e, "execute options");
    }
    jscan_pick(content, keys, values, MEMBERS);
    read.env = values[ENV];
    read.header = values[HEADER];
    if (!jscan_int(values[COUNT], &read.execution_count) || read.execution_count < 0 ||
        !is_object_or_absent(read.env) || !is_object_or_absent(read.header) ||
        !is_flag_or_absent(values[RUNS_TO_END], &read.runs_to_end)) {
        return err_set(e, ERR_PROTO, "execute options: a member is missing or of a wrong type");
    }
    *out = read;
    return 0;
}
