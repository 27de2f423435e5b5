/* SPDX-License-Identifier: MIT */
#include "kernel/core/options.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "kernel/core/languages.h"

enum option_kind {
    OPTION_FLAG,      /* true or false */
    OPTION_COUNT,     /* a whole number from `min` to `max` */
    OPTION_ID,        /* names a context; kept as a slice between its quotes */
    OPTION_TEXT,      /* without NUL, into a buf */
    OPTION_CHOICE,    /* one of two words */
    OPTION_VARIABLES, /* an environment, kept as raw JSON */
    OPTION_GROUP      /* an object of further options */
};

/* Who reads it: the broker keeps it in the struct that is filled, the engine gets it with START. */
enum option_reader { READ_BY_BROKER, READ_BY_ENGINE };

struct option {
    const char *name;
    enum option_kind kind;
    enum option_reader reader;
    size_t offset;  /* READ_BY_BROKER: of the field */
    unsigned needs; /* enum language_ability that the context's language must have */
    int64_t min;    /* OPTION_COUNT */
    int64_t max;
    const char *choices[2];       /* OPTION_CHOICE */
    const struct option *members; /* OPTION_GROUP; ended by a row without name */
};

/* Limits of a context; `memory_bytes` has an older place outside the group too. */
#define MEMORY_BYTES                                                                               \
    {                                                                                              \
        .name = "memory_bytes", .kind = OPTION_COUNT, .reader = READ_BY_ENGINE,                    \
        .needs = LANGUAGE_CAN_FORBID, .min = CONTEXT_MEMORY_MIN, .max = INT64_MAX                  \
    }

static const struct option limits[] = {MEMORY_BYTES, {.name = NULL}};

static const struct option context_options[] = {
    {.name = "context_id", .kind = OPTION_TEXT, .offset = offsetof(struct context_wish, id)},
    {.name = "language", .kind = OPTION_TEXT, .offset = offsetof(struct context_wish, language)},
    {.name = "cwd", .kind = OPTION_TEXT, .offset = offsetof(struct context_wish, cwd)},
    {.name = "env", .kind = OPTION_VARIABLES, .offset = offsetof(struct context_wish, env)},
    {.name = "rich", .kind = OPTION_FLAG, .reader = READ_BY_ENGINE},
    {.name = "codegen",
     .kind = OPTION_CHOICE,
     .reader = READ_BY_ENGINE,
     .needs = LANGUAGE_CAN_FORBID,
     .choices = {"allow", "deny"}},
    {.name = "network",
     .kind = OPTION_FLAG,
     .reader = READ_BY_ENGINE,
     .needs = LANGUAGE_CAN_FORBID},
    {.name = "processes",
     .kind = OPTION_FLAG,
     .reader = READ_BY_ENGINE,
     .needs = LANGUAGE_CAN_FORBID},
    MEMORY_BYTES,
    {.name = "limits", .kind = OPTION_GROUP, .members = limits},
    {.name = NULL},
};

static const struct option run_options[] = {
    {.name = "context", .kind = OPTION_ID, .offset = offsetof(struct run_options, context)},
    {.name = "timeout_ms",
     .kind = OPTION_COUNT,
     .offset = offsetof(struct run_options, timeout_ms),
     .min = 1,
     .max = TIMEOUT_MAX_MS},
    {.name = "queue_timeout_ms",
     .kind = OPTION_COUNT,
     .offset = offsetof(struct run_options, queue_timeout_ms),
     .min = 1,
     .max = TIMEOUT_MAX_MS},
    {.name = "output_bytes",
     .kind = OPTION_COUNT,
     .offset = offsetof(struct run_options, output_bytes),
     .min = 1,
     .max = INT64_MAX / 2},
    {.name = "env", .kind = OPTION_VARIABLES, .offset = offsetof(struct run_options, env)},
    {.name = NULL},
};

/* One object on its way into a struct. */
struct reading {
    const char *prefix;              /* of names in errors: "metadata.", "limits." */
    void *values;                    /* what the offsets are of */
    struct buf *engine;              /* members for START; NULL: the table has none */
    const struct language *language; /* of the context; NULL: the options are of a run */
    struct err *e;
};

bool options_is_id(struct slice id)
{
    if (id.len == 0 || id.len > CONTEXT_ID_MAX) {
        return false;
    }
    for (size_t i = 0; i < id.len; i++) {
        unsigned char c = (unsigned char)id.data[i];
        if (!isascii(c) || (!isalnum(c) && c != '.' && c != '_' && c != '-')) {
            return false;
        }
    }
    return true;
}

static bool is_absent(struct slice value)
{
    return jscan_kind(value) == JSCAN_NONE || jscan_kind(value) == JSCAN_NULL;
}

static int refuse(const struct reading *r, const struct option *o, const char *wanted)
{
    return err_set(r->e, ERR_INPUT, "%s%s must be %s", r->prefix, o->name, wanted);
}

static void *field_of(const struct reading *r, const struct option *o)
{
    return (char *)r->values + o->offset;
}

static int read_flag(const struct reading *r, const struct option *o, struct slice value)
{
    bool flag = false;
    return jscan_bool(value, &flag) ? 0 : refuse(r, o, "true or false");
}

static int read_count(const struct reading *r, const struct option *o, struct slice value)
{
    int64_t number = 0;
    if (!jscan_int(value, &number) || number < o->min || number > o->max) {
        char wanted[80];
        (void)snprintf(wanted, sizeof wanted,
                       o->max == INT64_MAX ? "a whole number of at least %" PRId64
                                           : "a whole number from %" PRId64 " to %" PRId64,
                       o->min, o->max);
        return refuse(r, o, wanted);
    }
    if (o->reader == READ_BY_BROKER) {
        *(int64_t *)field_of(r, o) = number;
    }
    return 0;
}

static int read_id(const struct reading *r, const struct option *o, struct slice value)
{
    bool is_text = jscan_kind(value) == JSCAN_STRING;
    struct slice id = {.data = value.data + 1, .len = is_text ? value.len - 2 : 0};
    if (!options_is_id(id)) { /* nor is an escape in it part of one */
        return refuse(r, o, "a context id: a text of letters, digits, '.', '_', '-', at most 128");
    }
    *(struct slice *)field_of(r, o) = id;
    return 0;
}

static int read_text(const struct reading *r, const struct option *o, struct slice value)
{
    struct buf *out = field_of(r, o);
    buf_clear(out); /* of equal keys the last counts */
    if (jscan_string(value, out) < 0 || strlen(buf_text(out)) != out->len) {
        char wanted[80];
        (void)snprintf(wanted, sizeof wanted, "a text of at most %zu bytes, without NUL",
                       out->limit);
        return refuse(r, o, wanted);
    }
    return 0;
}

static int read_choice(const struct reading *r, const struct option *o, struct slice value)
{
    char wanted[80];
    for (size_t i = 0; i < ARRAY_LEN(o->choices); i++) {
        if (jscan_string_is(value, o->choices[i])) {
            return 0;
        }
    }
    (void)snprintf(wanted, sizeof wanted, "\"%s\" or \"%s\"", o->choices[0], o->choices[1]);
    return refuse(r, o, wanted);
}

static int check_variable(struct slice key, struct slice value, struct err *e)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(START_OPTIONS_MAX);
    if (jscan_string(key, &name) < 0 || name.len == 0 || strlen(buf_text(&name)) != name.len ||
        strchr(buf_text(&name), '=') != NULL) {
        return err_set(e, ERR_INPUT, "env: '%.60s' is no name of a variable", buf_text(&name));
    }
    if (jscan_kind(value) == JSCAN_NULL) {
        return 0; /* unset */
    }
    if (jscan_string(value, &text) < 0 || strlen(buf_text(&text)) != text.len) {
        return err_set(e, ERR_INPUT, "env: the value of '%.60s' must be a text without NUL",
                       buf_text(&name));
    }
    return 0;
}

static int read_variables(const struct reading *r, const struct option *o, struct slice value)
{
    struct jscan_iter it;
    struct slice key;
    struct slice text;
    if (jscan_kind(value) != JSCAN_OBJECT) {
        return refuse(r, o, "an object of texts");
    }
    if (value.len > START_OPTIONS_MAX / 2) {
        return err_set(r->e, ERR_LIMIT, "%s%s of %zu bytes, limit %lu", r->prefix, o->name,
                       value.len, START_OPTIONS_MAX / 2);
    }
    jscan_iter_init(&it, value);
    while (jscan_next(&it, &key, &text)) {
        if (check_variable(key, text, r->e) < 0) {
            return -1;
        }
    }
    *(struct slice *)field_of(r, o) = value;
    return 0;
}

static int check_language(const struct reading *r, const struct option *o)
{
    if (r->language == NULL || (r->language->abilities & o->needs) == o->needs) {
        return 0; /* options of a run are the same for all */
    }
    _cleanup_(drop_buf) struct buf names = BUF_INIT(MSG_FIELD_MAX);
    language_names(o->needs, "and", &names);
    return err_set(r->e, ERR_INPUT, "%s%s is an option of %s contexts, not of %.40s", r->prefix,
                   o->name, buf_text(&names), r->language->name);
}

static int read_group(const struct reading *r, const struct option *o, struct slice value);

static int read_value(const struct reading *r, const struct option *o, struct slice value)
{
    switch (o->kind) {
    case OPTION_FLAG:
        return read_flag(r, o, value);
    case OPTION_COUNT:
        return read_count(r, o, value);
    case OPTION_ID:
        return read_id(r, o, value);
    case OPTION_TEXT:
        return read_text(r, o, value);
    case OPTION_CHOICE:
        return read_choice(r, o, value);
    case OPTION_VARIABLES:
        return read_variables(r, o, value);
    case OPTION_GROUP:
        return read_group(r, o, value);
    }
    return 0;
}

static int read_option(const struct reading *r, const struct option *o, struct slice value)
{
    if (is_absent(value)) {
        return 0;
    }
    if (check_language(r, o) < 0 || read_value(r, o, value) < 0) {
        return -1;
    }
    if (o->reader == READ_BY_ENGINE && r->engine != NULL) {
        (void)jwrite_member_raw(r->engine, o->name, value); /* asked at the end */
    }
    return 0;
}

static const struct option *find(const struct option *table, struct slice key)
{
    const struct option *o = table;
    while (o->name != NULL && !jscan_string_is(key, o->name)) {
        o++;
    }
    return o->name != NULL ? o : NULL;
}

static int refuse_unknown(const struct reading *r, const struct option *table, struct slice key)
{
    _cleanup_(drop_buf) struct buf known = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    for (const struct option *o = table; o->name != NULL; o++) {
        buf_addf(&known, "%s%s", known.len > 0 ? ", " : "", o->name);
    }
    bool is_short = jscan_string(key, &name) == 0;
    return err_set(r->e, ERR_INPUT, "'%s%.60s' is not an option of a context; there are %s",
                   r->prefix, is_short ? buf_text(&name) : "(a very long name)", buf_text(&known));
}

enum unknown { REFUSE_UNKNOWN, IGNORE_UNKNOWN };

/* One walk over the object. */
static int read_object(const struct reading *r, const struct option *table, struct slice object,
                       enum unknown unknown)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    if (jscan_kind(object) != JSCAN_OBJECT) {
        return err_set(r->e, ERR_INPUT, "the options must be an object");
    }
    jscan_iter_init(&it, object);
    while (jscan_next(&it, &key, &value)) {
        const struct option *o = find(table, key);
        if (o == NULL && unknown == REFUSE_UNKNOWN) {
            return refuse_unknown(r, table, key);
        }
        if (o != NULL && read_option(r, o, value) < 0) {
            return -1;
        }
    }
    return 0;
}

static int read_group(const struct reading *r, const struct option *o, struct slice value)
{
    struct reading inner = *r;
    char prefix[MSG_FIELD_MAX];
    if (jscan_kind(value) != JSCAN_OBJECT) {
        return refuse(r, o, "an object");
    }
    (void)snprintf(prefix, sizeof prefix, "%s%s.", r->prefix, o->name);
    inner.prefix = prefix;
    return read_object(&inner, o->members, value, REFUSE_UNKNOWN);
}

void context_wish_init(struct context_wish *wish)
{
    *wish = (struct context_wish){.id = BUF_INIT(CONTEXT_ID_MAX),
                                  .language = BUF_INIT(MSG_FIELD_MAX),
                                  .cwd = BUF_INIT(MSG_FIELD_MAX * 4),
                                  .engine = BUF_INIT(START_OPTIONS_MAX)};
}

void context_wish_done(struct context_wish *wish)
{
    buf_done(&wish->id);
    buf_done(&wish->language);
    buf_done(&wish->cwd);
    buf_done(&wish->engine);
}

int options_read_context(struct slice content, const char *language, struct context_wish *out,
                         struct err *e)
{
    /* Other options depend on the language, wherever it stands among them. */
    _cleanup_(drop_buf) struct buf named = BUF_INIT(MSG_FIELD_MAX);
    bool is_named = jscan_string(jscan_get(content, "language"), &named) == 0 && named.len > 0;
    struct language described = language_describe(is_named ? buf_text(&named) : language);
    struct reading r = {
        .prefix = "", .values = out, .engine = &out->engine, .language = &described, .e = e};
    if (read_object(&r, context_options, content, REFUSE_UNKNOWN) < 0) {
        return -1;
    }
    if (out->id.len > 0 && !options_is_id(buf_slice(&out->id))) {
        return err_set(e, ERR_INPUT,
                       "context_id '%.60s': use letters, digits, '.', '_', '-', at most %lu",
                       buf_text(&out->id), CONTEXT_ID_MAX);
    }
    return buf_check(&out->engine, e);
}

int options_read_run(struct slice metadata, struct run_options *out, struct err *e)
{
    struct reading r = {.prefix = "metadata.", .values = out, .e = e};
    return read_object(&r, run_options, metadata, IGNORE_UNKNOWN);
}
