/* SPDX-License-Identifier: MIT */
#include "kernel/core/contexts.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/id.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "kernel/core/environment.h"
#include "kernel/core/options.h"

/* What a new context is to be; texts are borrowed. */
struct birth {
    const char *id;
    const char *language;
    const char *cwd;     /* NULL: where the broker runs */
    struct slice env;    /* raw JSON object beyond the launcher's; may be empty */
    struct slice engine; /* members of START for the language's engine; may be empty */
    bool is_common;
};

/* START's options of a context that has the launcher's own rights: its environment, its place. */
static int add_context(struct pool *pool, const struct birth *birth, struct context **out,
                       struct err *e)
{
    _cleanup_(drop_buf) struct buf start = BUF_INIT(START_OPTIONS_MAX);
    jwrite_object(&start);
    jwrite_member_text(&start, "context", birth->id);
    if (birth->cwd != NULL) {
        jwrite_member_text(&start, "cwd", birth->cwd);
    }
    if (birth->engine.len > 0) {
        jwrite_raw(&start, birth->engine);
    }
    jwrite_key(&start, "env");
    environment_write(&start, environ, birth->env);
    jwrite_object_end(&start);
    if (buf_check(&start, e) < 0) {
        return err_wrap(e, "environment of context '%s'", birth->id);
    }
    struct context_options options = {.id = birth->id,
                                      .language = birth->language,
                                      .start = buf_slice(&start),
                                      .is_common = birth->is_common};
    return pool_add_context(pool, &options, out, e);
}

int contexts_add_default(struct pool *pool, const struct contexts_options *options,
                         struct context **out, struct err *e)
{
    struct birth birth = {.id = DEFAULT_CONTEXT,
                          .language = options->language,
                          .cwd = options->cwd,
                          .is_common = true};
    return add_context(pool, &birth, out, e);
}

static int find_or_add(struct pool *pool, const struct birth *birth, struct context **out,
                       struct err *e)
{
    struct context *found = pool_find(pool, birth->id);
    if (found != NULL) {
        *out = found;
        return 0;
    }
    return add_context(pool, birth, out, e);
}

int contexts_select(struct pool *pool, const struct contexts_options *options,
                    const struct selection *selection, struct context **out, struct err *e)
{
    const char *id = selection->by == SELECT_DEFAULT ? DEFAULT_CONTEXT : selection->name;
    struct birth birth = {
        .id = id, .language = options->language, .cwd = options->cwd, .is_common = true};
    if (selection->by == SELECT_LANGUAGE) {
        /* The default context, or the one that was made for this language before. */
        birth.language = selection->name;
        birth.id = strcmp(id, options->language) == 0 ? DEFAULT_CONTEXT : id;
    }
    /* A line in a notebook is all that its author can send; programs can ask for what they want. */
    if (selection->line_len > 0) {
        return find_or_add(pool, &birth, out, e);
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
    char drawn[ID_SIZE];
    _cleanup_(drop_context_wish) struct context_wish wish;
    context_wish_init(&wish);
    if (options_read_context(content, options->language, &wish, e) < 0 ||
        (wish.cwd.len > 0 && check_folder(buf_text(&wish.cwd), e) < 0)) {
        return -1;
    }
    if (wish.id.len == 0) {
        id_new(drawn);
        buf_add_text(&wish.id, drawn);
    }
    struct birth birth = {.id = buf_text(&wish.id),
                          .language =
                              wish.language.len > 0 ? buf_text(&wish.language) : options->language,
                          .cwd = wish.cwd.len > 0 ? buf_text(&wish.cwd) : options->cwd,
                          .env = wish.env,
                          .engine = buf_slice(&wish.engine)};
    return add_context(pool, &birth, out, e);
}

int contexts_named(struct pool *pool, struct slice content, struct context **out, struct err *e)
{
    _cleanup_(drop_buf) struct buf id = BUF_INIT(CONTEXT_ID_MAX);
    struct slice value = jscan_get(content, "context_id");
    bool is_given = jscan_kind(value) != JSCAN_NONE && jscan_kind(value) != JSCAN_NULL;
    if (is_given && (jscan_string(value, &id) < 0 || strlen(buf_text(&id)) != id.len)) {
        return err_set(e, ERR_INPUT, "context_id must be a text of at most %lu bytes, without NUL",
                       CONTEXT_ID_MAX);
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
    jwrite_object(out);
    jwrite_member_text(out, "id", context_id(c));
    jwrite_member_text(out, "language", context_language(c));
    if (cwd.len > 0) {
        jwrite_member_raw(out, "cwd", cwd);
    } else {
        jwrite_member_text(out, "cwd", getcwd(here, sizeof here) ? here : "");
    }
    jwrite_member_text(out, "state", state_name(context_state(c)));
    jwrite_member_int(out, "pid", context_pid(c));
    jwrite_member_int(out, "execution_count", context_execution_count(c));
    jwrite_member_text(out, "created", created);
    jwrite_member_text(out, "last_used", last_used);
    jwrite_object_end(out);
}

void contexts_describe_all(const struct pool *pool, struct buf *out)
{
    jwrite_list(out);
    for (const struct context *c = pool_next(pool, NULL); c != NULL; c = pool_next(pool, c)) {
        contexts_describe(c, out);
    }
    jwrite_list_end(out);
}
