/* SPDX-License-Identifier: MIT */
#include "kernel/core/contexts.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/id.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "kernel/core/environment.h"
#include "kernel/core/run_options.h"
#include "kernel/core/start_options.h"

/* What a new context is to be; texts are borrowed. */
struct wish {
    const char *id;
    const char *language;
    const char *cwd;   /* NULL: where the broker runs */
    struct slice env;  /* raw JSON object beyond the launcher's; may be empty */
    struct slice more; /* members of START's options for the language, each with a comma */
    bool is_common;
};

/* START's options of a context that has the launcher's own rights: its environment, its place. */
static int add_context(struct pool *pool, const struct wish *wish, struct context **out,
                       struct err *e)
{
    _cleanup_(drop_buf) struct buf start = BUF_INIT(START_OPTIONS_MAX);
    buf_addf(&start, "{\"context\": \"%s\", ", wish->id);
    if (wish->cwd != NULL) {
        buf_add_text(&start, "\"cwd\": ");
        jwrite_string(&start, slice_of(wish->cwd));
        buf_add_text(&start, ", ");
    }
    buf_add_slice(&start, wish->more);
    buf_add_text(&start, "\"env\": ");
    environment_write(&start, environ, wish->env);
    buf_add_text(&start, "}");
    if (buf_check(&start, e) < 0) {
        return err_wrap(e, "environment of context '%s'", wish->id);
    }
    struct context_options options = {.id = wish->id,
                                      .language = wish->language,
                                      .start = buf_slice(&start),
                                      .is_common = wish->is_common};
    return pool_add_context(pool, &options, out, e);
}

int contexts_add_default(struct pool *pool, const struct contexts_options *options,
                         struct context **out, struct err *e)
{
    struct wish wish = {.id = DEFAULT_CONTEXT,
                        .language = options->language,
                        .cwd = options->cwd,
                        .is_common = true};
    return add_context(pool, &wish, out, e);
}

static int find_or_add(struct pool *pool, const struct wish *wish, struct context **out,
                       struct err *e)
{
    struct context *found = pool_find(pool, wish->id);
    if (found != NULL) {
        *out = found;
        return 0;
    }
    return add_context(pool, wish, out, e);
}

int contexts_select(struct pool *pool, const struct contexts_options *options,
                    const struct selection *selection, struct context **out, struct err *e)
{
    const char *id = selection->by == SELECT_DEFAULT ? DEFAULT_CONTEXT : selection->name;
    struct wish wish = {
        .id = id, .language = options->language, .cwd = options->cwd, .is_common = true};
    if (selection->by == SELECT_LANGUAGE) {
        /* The default context, or the one that was made for this language before. */
        wish.language = selection->name;
        wish.id = strcmp(id, options->language) == 0 ? DEFAULT_CONTEXT : id;
    }
    /* A line in a notebook is all that its author can send; programs can ask for what they want. */
    if (selection->line_len > 0) {
        return find_or_add(pool, &wish, out, e);
    }
    struct context *found = pool_find(pool, id);
    if (found == NULL) {
        return err_set(e, ERR_INPUT,
                       "there is no context '%s'; make it with a create_context_request, or with "
                       "a first line '%%%%context %s'",
                       id, id);
    }
    *out = found;
    return 0;
}

/* Decodes a text member into `out`; an absent one leaves it empty. */
static int read_text(struct slice content, const char *key, struct buf *out, struct err *e)
{
    struct slice value = jscan_get(content, key);
    if (jscan_kind(value) == JSCAN_NONE || jscan_kind(value) == JSCAN_NULL) {
        return 0;
    }
    if (jscan_string(value, out) < 0 || strlen(buf_text(out)) != out->len) {
        return err_set(e, ERR_INPUT, "%s must be a text of at most %zu bytes, without NUL", key,
                       out->limit);
    }
    return 0;
}

static int check_folder(const char *path, struct err *e)
{
    struct stat st;
    bool is_there = stat(path, &st) == 0 && access(path, X_OK) == 0;
    int why = is_there ? ENOTDIR : errno;
    if (is_there && S_ISDIR(st.st_mode)) {
        return 0;
    }
    return err_set(e, ERR_INPUT, "cwd '%.100s': %s", path, strerror(why));
}

int contexts_create(struct pool *pool, const struct contexts_options *options, struct slice content,
                    struct context **out, struct err *e)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(CONTEXT_ID_MAX);
    _cleanup_(drop_buf) struct buf language = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf cwd = BUF_INIT(MSG_FIELD_MAX * 4);
    _cleanup_(drop_buf) struct buf more = BUF_INIT(START_OPTIONS_MAX);
    char drawn[ID_SIZE];
    if (read_text(content, "context_id", &id, e) < 0 ||
        read_text(content, "language", &language, e) < 0 ||
        read_text(content, "cwd", &cwd, e) < 0) {
        return -1;
    }
    if (id.len == 0) {
        id_new(drawn);
        buf_add_text(&id, drawn);
    }
    if (!selector_id_is_valid(buf_slice(&id))) {
        return err_set(e, ERR_INPUT,
                       "context_id '%.60s': use letters, digits, '.', '_', '-', at most %lu",
                       buf_text(&id), CONTEXT_ID_MAX);
    }
    if (cwd.len > 0 && check_folder(buf_text(&cwd), e) < 0) {
        return -1;
    }
    struct wish wish = {.id = buf_text(&id),
                        .language = language.len > 0 ? buf_text(&language) : options->language,
                        .cwd = cwd.len > 0 ? buf_text(&cwd) : options->cwd,
                        .env = jscan_get(content, "env")};
    if (jscan_kind(wish.env) == JSCAN_NULL) {
        wish.env = SLICE_NONE;
    }
    if (wish.env.len > 0 && run_options_check_env(wish.env, e) < 0) {
        return -1;
    }
    if (start_options_write(content, wish.language, &more, e) < 0) {
        return -1;
    }
    wish.more = buf_slice(&more);
    return add_context(pool, &wish, out, e);
}

int contexts_named(struct pool *pool, struct slice content, struct context **out, struct err *e)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(CONTEXT_ID_MAX);
    if (read_text(content, "context_id", &id, e) < 0) {
        return -1;
    }
    const char *name = id.len > 0 ? buf_text(&id) : DEFAULT_CONTEXT;
    struct context *found = pool_find(pool, name);
    if (found == NULL) {
        return err_set(e, ERR_INPUT, "there is no context '%s'", name);
    }
    *out = found;
    return 0;
}

static const char *state_name(enum ctx_state state)
{
    switch (state) {
    case CTX_NONE:
        return "stopped";
    case CTX_FORKING:
    case CTX_STARTING:
        return "starting";
    case CTX_IDLE:
        return "idle";
    case CTX_BUSY:
        return "busy";
    case CTX_DYING:
        return "dying";
    }
    return "unknown";
}

void contexts_describe(const struct context *c, struct buf *out)
{
    char created[CLOCK_ISO_SIZE];
    char last_used[CLOCK_ISO_SIZE];
    char here[4096];
    struct slice cwd = jscan_get(context_start_options(c), "cwd");
    clock_iso_of(context_created_ms(c), created);
    clock_iso_of(context_last_used_ms(c), last_used);
    buf_addf(out, "{\"id\": \"%s\", \"language\": \"%s\", \"cwd\": ", context_id(c),
             context_language(c));
    if (cwd.len > 0) {
        buf_add_slice(out, cwd);
    } else {
        jwrite_string(out, slice_of(getcwd(here, sizeof here) ? here : ""));
    }
    buf_addf(out,
             ", \"state\": \"%s\", \"pid\": %d, \"execution_count\": %" PRId64
             ", \"created\": \"%s\", \"last_used\": \"%s\"}",
             state_name(context_state(c)), (int)context_pid(c), context_execution_count(c), created,
             last_used);
}

void contexts_describe_all(const struct pool *pool, struct buf *out)
{
    const char *separator = "";
    buf_add_text(out, "[");
    for (const struct context *c = pool_next(pool, NULL); c != NULL; c = pool_next(pool, c)) {
        buf_add_text(out, separator);
        contexts_describe(c, out);
        separator = ", ";
    }
    buf_add_text(out, "]");
}
