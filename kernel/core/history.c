/* SPDX-License-Identifier: MIT */
#include "kernel/core/history.h"

#include "base/bounds.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/offload.h"
#include "base/text.h"
#include "kernel/core/history_db.h"

enum { GIVE_UP_MS = 100 }; /* from losing patience to the end of what waits for a lock */

struct history {
    struct offload *offload;
    char *path;
    void (*warn)(void *arg, const struct err *why);
    void *arg;
    uint64_t lost;
    size_t pending_bytes;
    bool closed;    /* its closing has been answered */
    bool is_shut;   /* the file is closed */
    bool abandoned; /* whoever closes the file frees this too */

    struct history_db_options options; /* the side thread reads */
    struct history_db *db;             /* the side thread's; NULL before its first use */
    bool told;                         /* the side thread's: of the trouble there is */
};

struct history_session {
    struct history *h;
    size_t refs; /* the owner and every open operation */
    char *context;
    char *language;
    struct history_place place; /* the side thread's */
};

struct question {
    struct history_query query; /* its pattern lies in the text of the operation */
    history_fn fn;
    void *arg;
    struct buf answer;
    struct err err;
};

/* One step on the side thread. */
struct operation {
    struct history *h;
    struct history_session *session; /* NULL: closing */
    void (*run)(struct operation *op);
    int64_t line;
    struct question *question; /* NULL: nothing is asked */
    struct err *trouble;       /* to be told by `done` */
    bool failed;
    struct slice text;
    char bytes[]; /* of the text */
};

char *history_default_path(void)
{
    const char *data = getenv("XDG_DATA_HOME");
    if (data != NULL && data[0] == '/') { /* a relative one is to be ignored, says its standard */
        return xasprintf("%s/pandia/history.sqlite", data);
    }
    const char *home = getenv("HOME");
    if (home == NULL || home[0] != '/') {
        return NULL;
    }
    return xasprintf("%s/.local/share/pandia/history.sqlite", home);
}

struct history *history_new(struct offload *offload, const struct history_options *options)
{
    struct history *h = xcalloc(1, sizeof *h);
    *h = (struct history){
        .offload = offload,
        .path = options->path ? xstrdup(options->path) : NULL,
        .warn = options->warn,
        .arg = options->arg,
    };
    h->options.path = h->path;
    h->options.entries_max = options->entries_max ? options->entries_max : HISTORY_ENTRIES_MAX;
    h->options.bytes_max = options->bytes_max ? options->bytes_max : HISTORY_FILE_MAX;
    atomic_init(&h->options.patience, SQL_PATIENT);
    return h;
}

static void history_free(struct history *h)
{
    free(h->path);
    free(h);
}

uint64_t history_lost(const struct history *h)
{
    return h->lost;
}

struct history_session *history_session_new(struct history *h, const char *context,
                                            const char *language)
{
    struct history_session *s = xcalloc(1, sizeof *s);
    s->h = h;
    s->refs = 1;
    s->context = xstrdup(context);
    s->language = xstrdup(language);
    s->place = (struct history_place){.context = s->context, .language = s->language};
    return s;
}

void history_session_free(struct history_session *s)
{
    if (s == NULL || --s->refs > 0) {
        return;
    }
    free(s->context);
    free(s->language);
    free(s);
}

static struct operation *operation_new(struct history_session *s, int64_t line, struct slice text)
{
    struct operation *op = xmalloc(sizeof *op + text.len);
    *op = (struct operation){.h = s->h, .session = s, .line = line};
    if (text.len > 0) {
        memcpy(op->bytes, text.data, text.len);
    }
    op->text = (struct slice){.data = op->bytes, .len = text.len};
    s->refs++;
    return op;
}

static void operation_free(struct operation *op)
{
    if (op->question != NULL) {
        buf_done(&op->question->answer);
        free(op->question);
    }
    history_session_free(op->session);
    free(op->trouble);
    free(op);
}

/* On the side thread. */
static void work(void *arg)
{
    struct operation *op = arg;
    struct history *h = op->h;
    if (h->db == NULL) {
        h->db = history_db_new(&h->options);
    }
    op->run(op);
    const struct err *trouble = history_db_trouble(h->db);
    if (trouble != NULL && !h->told) {
        h->told = true;
        op->trouble = xmalloc(sizeof *op->trouble);
        *op->trouble = *trouble;
    }
}

/* On the side thread: a line that was written, as nearly all are, is of no interest to the loop. */
static bool is_quiet(void *arg)
{
    const struct operation *op = arg;
    return op->question == NULL && op->trouble == NULL && !op->failed;
}

static void done(void *arg)
{
    struct operation *op = arg;
    struct history *h = op->h;
    h->lost += op->failed;
    h->pending_bytes -= op->text.len;
    if (op->trouble != NULL && h->warn != NULL) {
        h->warn(h->arg, op->trouble);
    }
    if (op->question != NULL) {
        const struct question *q = op->question;
        bool answered = q->err.code == ERR_OK;
        q->fn(q->arg, answered ? buf_slice(&q->answer) : SLICE_NONE, &q->err);
    }
    operation_free(op);
}

/* Takes `op`. */
static int submit(struct history *h, struct operation *op, struct err *e)
{
    struct offload_task task = {.work = work, .done = done, .is_quiet = is_quiet, .arg = op};
    if (h->pending_bytes + op->text.len > HISTORY_PENDING_MAX) {
        operation_free(op);
        return err_set(e, ERR_LIMIT, "too much waits for the history");
    }
    if (offload_submit(h->offload, &task, e) < 0) {
        operation_free(op);
        return -1;
    }
    h->pending_bytes += op->text.len;
    return 0;
}

static void run_add(struct operation *op)
{
    struct err e = ERR_NONE;
    op->failed = history_db_add(op->h->db, &op->session->place, op->line, op->text, &e) < 0;
}

static void run_set_output(struct operation *op)
{
    struct err e = ERR_NONE;
    op->failed = history_db_set_output(op->h->db, &op->session->place, op->line, op->text, &e) < 0;
}

/* A line or its result. What does not fit any more is lost, and counted. */
static void submit_line(struct operation *op, void (*run)(struct operation *op))
{
    struct history *h = op->h;
    struct err e = ERR_NONE;
    op->run = run;
    op->failed = true; /* until it has run */
    if (submit(h, op, &e) < 0) {
        h->lost++;
    }
}

static struct slice without_newlines(struct slice source)
{
    while (source.len > 0 && source.data[source.len - 1] == '\n') {
        source.len--;
    }
    return source;
}

static bool is_blank(struct slice source)
{
    for (size_t i = 0; i < source.len; i++) {
        if (strchr(" \t\r\n\f\v", source.data[i]) == NULL || source.data[i] == '\0') {
            return false;
        }
    }
    return true;
}

void history_add(struct history_session *s, int64_t line, struct slice source)
{
    struct slice text = without_newlines(source);
    if (text.len > HISTORY_SOURCE_MAX) {
        s->h->lost++;
    } else if (!is_blank(text)) {
        submit_line(operation_new(s, line, text), run_add);
    }
}

void history_set_output(struct history_session *s, int64_t line, struct slice text)
{
    submit_line(operation_new(s, line, text_cut(text, HISTORY_OUTPUT_MAX)), run_set_output);
}

static void run_question(struct operation *op)
{
    struct question *q = op->question;
    _cleanup_(drop_history_rows) struct history_rows rows;
    history_rows_init(&rows, &q->query);
    q->err = ERR_NONE;
    if (history_db_read(op->h->db, &op->session->place, &q->query, &rows, &q->err) == 0) {
        history_rows_write(&rows, &q->answer);
    }
}

int history_query(struct history_session *s, const struct history_query *query, history_fn fn,
                  void *arg, struct err *e)
{
    if (query->pattern.len > HISTORY_PATTERN_MAX) {
        return err_set(e, ERR_LIMIT, "pattern of %zu bytes, limit %lu", query->pattern.len,
                       HISTORY_PATTERN_MAX);
    }
    struct operation *op = operation_new(s, 0, query->pattern);
    struct question *q = xcalloc(1, sizeof *q);
    *q = (struct question){.query = *query, .fn = fn, .arg = arg};
    if (query->pattern.data != NULL) {
        q->query.pattern = op->text;
    }
    q->answer = BUF_INIT(HISTORY_REPLY_MAX + 2 * HISTORY_ROWS_MAX + 2); /* commas and brackets */
    (void)err_set(&q->err, ERR_GONE, "the history is closed");          /* until it has run */
    op->question = q;
    op->run = run_question;
    return submit(s->h, op, e);
}

static void close_work(void *arg)
{
    struct history *h = arg;
    history_db_free(take(h->db));
    h->is_shut = true;
}

static void close_done(void *arg)
{
    struct history *h = arg;
    h->closed = true;
    /* A task that was dropped without having run: the side thread is stuck in an earlier one of
     * ours, and keeps `h` until the process ends. */
    if (h->abandoned && h->is_shut) {
        history_free(h);
    }
}

/* Behind all that is queued; when the queue is full, that goes first. */
static int submit_close(struct history *h, int64_t deadline_ms, struct err *e)
{
    struct offload_task task = {.work = close_work, .done = close_done, .arg = h};
    if (offload_submit(h->offload, &task, e) == 0) {
        return 0;
    }
    return offload_drain(h->offload, deadline_ms, e) == 0 ? offload_submit(h->offload, &task, e)
                                                          : -1;
}

/* The side thread may be late with work of others: only our own end counts. */
static int wait_closed(struct history *h, int64_t deadline_ms, struct err *e)
{
    int drained = offload_drain(h->offload, deadline_ms, e);
    return drained == 0 || h->closed ? 0 : -1;
}

int history_close(struct history *h, int64_t deadline_ms, struct err *e)
{
    if (h == NULL) {
        return 0;
    }
    int64_t until_ms = clock_ms() + deadline_ms;
    uint64_t lost = h->lost;
    atomic_store(&h->options.patience, SQL_HURRIED);
    int failed = submit_close(h, deadline_ms, e);
    if (failed == 0 && wait_closed(h, until_ms - clock_ms(), e) < 0) {
        atomic_store(&h->options.patience, SQL_IMPATIENT);
        failed = wait_closed(h, GIVE_UP_MS, e);
    }
    if (failed < 0) {
        h->abandoned = true; /* the side thread still has it */
        return err_wrap(e, "history not written to its end");
    }
    lost = h->lost - lost;
    history_free(h);
    return lost == 0 ? 0
                     : err_set(e, ERR_TIMEOUT, "%llu lines of history not written",
                               (unsigned long long)lost);
}
