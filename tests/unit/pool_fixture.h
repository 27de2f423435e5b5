/* SPDX-License-Identifier: MIT */
/* pool_fixture.h - a pool with the mock language on a loop, for tests of the broker's side without
 * an interpreter. Everything waits on events, with a deadline. */
#pragma once

#include <signal.h>

#include "base/loop.h"
#include "contexts/pool/pool.h"
#include "tests/unit/unit.h"

enum { DEADLINE_MS = 20000, RUNS_MAX = 64 };

/* One submitted request and what became of it. */
struct run {
    struct fixture *fixture;
    struct context *context;
    unsigned reader;
    bool pauses; /* its first output pauses the context for `reader` */
    int outputs;
    int started;
    int ended;
    int released;
    int order; /* position among all ends */
    enum job_end end;
    bool failed;
    int exit_code;
    int64_t execution_count;
    char ename[64];
    char text[512];
    struct buf output; /* contents, one line each */
};

struct fixture {
    struct loop *loop;
    struct pool *pool;
    struct context *context;
    struct loop_timer *deadline;
    struct run runs[RUNS_MAX];
    size_t run_count;
    int ends;
    int deaths;
    int drains;
    bool stopped;
    bool late;                       /* the deadline passed */
    bool (*until)(struct fixture *); /* when to stop the loop */
};

static inline void fixture_look(struct fixture *f)
{
    if (f->until != NULL && f->until(f)) {
        loop_stop(f->loop);
    }
}

static inline void fixture_on_started(void *arg, int64_t execution_count)
{
    struct run *r = arg;
    r->started++;
    r->execution_count = execution_count;
    fixture_look(r->fixture);
}

static inline void fixture_on_output(void *arg, enum wire_type type, struct slice content,
                                     const struct slice *buffers, size_t count)
{
    struct run *r = arg;
    (void)type;
    (void)buffers;
    (void)count;
    if (r->pauses && r->outputs == 0) {
        context_pause(r->context, r->reader);
    }
    r->outputs++;
    buf_add_slice(&r->output, content);
    buf_add_text(&r->output, "\n");
    fixture_look(r->fixture);
}

static inline void fixture_on_ended(void *arg, const struct job_result *result)
{
    struct run *r = arg;
    r->ended++;
    r->order = r->fixture->ends++;
    r->end = result->end;
    r->failed = result->failed;
    r->exit_code = result->exit_code;
    if (result->death != NULL) {
        (void)snprintf(r->ename, sizeof r->ename, "%s", result->death->ename);
        (void)snprintf(r->text, sizeof r->text, "%s", result->death->text);
    }
    if (result->reason != NULL) {
        (void)snprintf(r->text, sizeof r->text, "%s", result->reason->text);
    }
    fixture_look(r->fixture);
}

static inline void fixture_on_release(void *arg)
{
    struct run *r = arg;
    r->released++;
}

static inline void fixture_on_drain(void *arg)
{
    struct fixture *f = arg;
    f->drains++;
}

static inline void fixture_on_died(void *arg, struct context *context, const struct death *death)
{
    struct fixture *f = arg;
    (void)context;
    (void)death;
    f->deaths++;
    fixture_look(f);
}

static inline void fixture_on_stopped(void *arg)
{
    struct fixture *f = arg;
    f->stopped = true;
    fixture_look(f);
}

static inline void fixture_on_late(void *arg)
{
    struct fixture *f = arg;
    f->late = true;
    loop_stop(f->loop);
}

static inline void fixture_on_signal(void *arg, int signo)
{
    struct fixture *f = arg;
    (void)signo;
    pool_reap(f->pool);
    fixture_look(f);
}

static const struct job_sink fixture_job_sink = {.started = fixture_on_started,
                                                 .output = fixture_on_output,
                                                 .ended = fixture_on_ended,
                                                 .release = fixture_on_release};
static const struct pool_sink fixture_pool_sink = {
    .drain = fixture_on_drain, .died = fixture_on_died, .stopped = fixture_on_stopped};
static const char *const fixture_argv[] = {"pandia-mock", NULL};
static const struct pool_language fixture_languages[] = {
    {.name = "mock", .worker_path = PANDIA_LIBEXEC "/pandia-mock", .argv = fixture_argv},
    {.name = "broken", .worker_path = "/bin/false", .argv = fixture_argv},
    {.name = "absent", .worker_path = "/no/such/worker", .argv = fixture_argv},
};

static inline struct context *fixture_context(struct fixture *f, const char *id,
                                              const char *language)
{
    struct err e = ERR_NONE;
    struct context *c = NULL;
    struct context_options options = {.id = id, .language = language, .start = SLICE_LIT("{}")};
    assert_ok(pool_add_context(f->pool, &options, &c, &e));
    return c;
}

static inline int fixture_setup(void **state)
{
    static const int signals[] = {SIGCHLD, 0};
    struct err e = ERR_NONE;
    struct fixture *f = calloc(1, sizeof *f);
    struct pool_options options = {.languages = fixture_languages,
                                   .language_count = ARRAY_LEN(fixture_languages)};
    if (f == NULL || loop_new(&f->loop, &e) < 0 ||
        pool_new(f->loop, &options, &fixture_pool_sink, f, &f->pool, &e) < 0 ||
        loop_add_signals(f->loop, signals, fixture_on_signal, f, &e) < 0) {
        return -1;
    }
    f->deadline = loop_add_timer(f->loop, fixture_on_late, f);
    f->context = fixture_context(f, "default", "mock");
    *state = f;
    return 0;
}

/* Runs the loop until `until` holds; fails the test at the deadline. */
static inline void fixture_wait(struct fixture *f, bool (*until)(struct fixture *))
{
    struct err e = ERR_NONE;
    f->until = until;
    if (!until(f)) {
        loop_timer_set(f->deadline, DEADLINE_MS);
        assert_ok(loop_run(f->loop, &e));
        loop_timer_cancel(f->deadline);
    }
    f->until = NULL;
    assert_false(f->late);
}

static inline bool fixture_all_ended(struct fixture *f)
{
    for (size_t i = 0; i < f->run_count; i++) {
        if (f->runs[i].ended == 0) {
            return false;
        }
    }
    return true;
}

static inline bool fixture_is_stopped(struct fixture *f)
{
    return f->stopped;
}

static inline struct run *fixture_submit(struct fixture *f, struct context *c,
                                         const struct job_request *request)
{
    assert_true(f->run_count < RUNS_MAX);
    struct run *r = &f->runs[f->run_count++];
    r->fixture = f;
    r->context = c;
    r->reader = request->reader;
    r->output = BUF_INIT(64UL * 1024 * 1024);
    context_submit(c, job_new(request, &fixture_job_sink, r));
    return r;
}

/* Submits mock commands as an execute request. `code` needs no escapes but "\\n". */
static inline struct run *fixture_execute(struct fixture *f, struct context *c, const char *code)
{
    char content[512];
    (void)snprintf(content, sizeof content, "{\"code\": \"%s\", \"silent\": false}", code);
    struct job_request request = {.type = WIRE_EXECUTE,
                                  .content = slice_of(content),
                                  .store_history = true,
                                  .stop_on_error = true};
    return fixture_submit(f, c, &request);
}

static inline int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    if (!f->stopped) {
        pool_stop(f->pool);
        pool_kill_all(f->pool);
        fixture_wait(f, fixture_is_stopped);
    }
    pool_free(f->pool);
    int bad = 0;
    for (size_t i = 0; i < f->run_count; i++) {
        bad |= f->runs[i].released != 1; /* every owner gets its request back, once */
        buf_done(&f->runs[i].output);
    }
    loop_timer_free(f->deadline);
    loop_free(f->loop);
    free(f);
    return bad;
}

#define pool_test(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)
