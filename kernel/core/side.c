/* SPDX-License-Identifier: MIT */
#include "kernel/core/side.h"

#include <unistd.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/offload.h"
#include "kernel/core/usage.h"

struct side {
    struct loop *loop;
    char *history_path;
    struct offload *offload; /* NULL until something is to be done */
    struct history *history; /* likewise */
    struct map *sessions;    /* context id -> struct history_session */
    struct usage usage;      /* the side thread's, while a reading is under way */
    size_t readings;         /* under way */
};

static void free_session(void *session)
{
    history_session_free(session);
}

struct side *side_new(struct loop *loop, const char *history_path)
{
    struct side *s = xcalloc(1, sizeof *s);
    s->loop = loop;
    s->history_path = history_path ? xstrdup(history_path) : NULL;
    s->sessions = map_new(free_session);
    return s;
}

static int need_offload(struct side *s, struct err *e)
{
    return s->offload != NULL ? 0 : offload_new(s->loop, OFFLOAD_QUEUE_MAX, &s->offload, e);
}

static void on_history_trouble(void *arg, const struct err *why)
{
    const struct side *s = arg;
    log_warn("core", "history is kept in memory only", "file=\"%s\" why=\"%s\"",
             s->history_path ? s->history_path : "", why->text);
}

static int need_history(struct side *s, struct err *e)
{
    if (s->history != NULL) {
        return 0;
    }
    if (need_offload(s, e) < 0) {
        return -1;
    }
    struct history_options options = {
        .path = s->history_path, .warn = on_history_trouble, .arg = s};
    s->history = history_new(s->offload, &options);
    return 0;
}

/* Lends the session of the context, opened on first need; NULL when there can be none. */
static struct history_session *session_of(struct side *s, const struct context *c, struct err *e)
{
    struct history_session *session = map_get(s->sessions, context_id(c));
    if (session != NULL) {
        return session;
    }
    if (need_history(s, e) < 0) {
        return NULL;
    }
    session = history_session_new(s->history, context_id(c), context_language(c));
    map_put(s->sessions, context_id(c), session);
    return session;
}

/* Decodes into `text` and lends the session; NULL when there is nothing to note. */
static struct history_session *prepare_note(struct side *s, const struct context *c,
                                            struct slice raw, struct buf *text)
{
    struct err e = ERR_NONE;
    struct history_session *session = session_of(s, c, &e);
    return session != NULL && jscan_string(raw, text) == 0 ? session : NULL;
}

void side_note_input(struct side *s, const struct context *c, int64_t line, struct slice raw_code)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MSG_JSON_MAX);
    struct history_session *session = prepare_note(s, c, raw_code, &text);
    if (session != NULL) {
        history_add(session, line, buf_slice(&text));
    }
}

void side_note_output(struct side *s, const struct context *c, int64_t line, struct slice raw_text)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(FRAME_CONTENT_MAX);
    struct history_session *session = prepare_note(s, c, raw_text, &text);
    if (session != NULL) {
        history_set_output(session, line, buf_slice(&text));
    }
}

void side_forget(struct side *s, const char *context_id)
{
    history_session_free(map_remove(s->sessions, context_id));
}

static int read_access(struct slice content, enum history_access *out, struct err *e)
{
    static const struct {
        const char *name;
        enum history_access access;
    } names[] = {{"tail", HISTORY_TAIL}, {"range", HISTORY_RANGE}, {"search", HISTORY_SEARCH}};
    struct slice value = jscan_get(content, "hist_access_type");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (jscan_string_is(value, names[i].name)) {
            *out = names[i].access;
            return 0;
        }
    }
    return err_set(e, ERR_INPUT, "hist_access_type must be tail, range or search");
}

int side_history(struct side *s, const struct context *c, struct slice content, history_fn fn,
                 void *arg, struct err *e)
{
    struct history_query query = {.n = -1, .start = 1};
    _cleanup_(drop_buf) struct buf pattern = BUF_INIT(MSG_JSON_MAX);
    if (read_access(content, &query.access, e) < 0) {
        return -1;
    }
    /* Absent ones keep their defaults; the schema has checked the rest. */
    (void)jscan_bool(jscan_get(content, "output"), &query.output);
    (void)jscan_bool(jscan_get(content, "unique"), &query.unique);
    (void)jscan_int(jscan_get(content, "n"), &query.n);
    (void)jscan_int(jscan_get(content, "session"), &query.session);
    (void)jscan_int(jscan_get(content, "start"), &query.start);
    (void)jscan_int(jscan_get(content, "stop"), &query.stop);
    if (jscan_string(jscan_get(content, "pattern"), &pattern) < 0) {
        buf_add_text(&pattern, "*");
    }
    query.pattern = buf_slice(&pattern);
    struct history_session *session = session_of(s, c, e);
    return session == NULL ? -1 : history_query(session, &query, fn, arg, e);
}

/* One reading on its way. */
struct reading {
    struct side *side;
    struct buf content;
    side_usage_fn fn;
    void *arg;
};

static void read_usage(void *arg)
{
    struct reading *r = arg;
    if (usage_read(&r->side->usage, &r->content, NULL, 0, getpid()) < 0) {
        buf_clear(&r->content);
    }
}

static void usage_was_read(void *arg)
{
    struct reading *r = arg;
    r->side->readings--;
    r->fn(r->arg, buf_slice(&r->content));
    buf_done(&r->content);
    free(r);
}

int side_usage(struct side *s, side_usage_fn fn, void *arg, struct err *e)
{
    if (need_offload(s, e) < 0) {
        return -1;
    }
    struct reading *r = xcalloc(1, sizeof *r);
    *r = (struct reading){.side = s, .content = BUF_INIT(CONTROL_REPLY_MAX), .fn = fn, .arg = arg};
    struct offload_task task = {.work = read_usage, .done = usage_was_read, .arg = r};
    if (offload_submit(s->offload, &task, e) < 0) {
        free(r);
        return -1;
    }
    s->readings++;
    return 0;
}

void side_free(struct side *s)
{
    struct err e = ERR_NONE;
    if (s == NULL) {
        return;
    }
    map_free(s->sessions);
    if (s->history != NULL && history_close(s->history, HISTORY_FLUSH_MS, &e) < 0) {
        log_warn("core", "history not written to its end", "why=\"%s\"", e.text);
    }
    if (s->offload != NULL) {
        offload_free(s->offload, HISTORY_FLUSH_MS);
    }
    if (s->readings > 0) {
        return; /* the thread was given up and still reads into it; the process is ending */
    }
    usage_done(&s->usage);
    free(s->history_path);
    free(s);
}
