/* SPDX-License-Identifier: MIT */
/* broker_fixture.h - a broker of the mock language with mock doors on a loop: requests and their
 * ends without a socket. Everything waits on events, with a deadline. */
#pragma once

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/loop.h"
#include "kernel/core/broker.h"
#include "kernel/core/door.h"
#include "kernel/core/manage.h"
#include "kernel/core/run.h"
#include "tests/unit/unit.h"

enum { DEADLINE_MS = 20000, HEARD_MAX = 64, MOCK_DOORS = 3 };

struct fixture;

/* One request of a test, and what was heard of it. */
struct heard {
    struct fixture *fixture;
    struct run *run; /* while it lives */
    int started;
    int ended;
    int released;
    int asked;
    int order; /* position among all ends */
    enum run_status status;
    int64_t execution_count;
    int exit_code;
    char ename[64];
    char reason[512];
    char context_id[CONTEXT_ID_MAX + 1]; /* "" for the default one */
    struct buf shown;                    /* code that `started` gave */
    struct buf output;                   /* contents, one line each */
    size_t output_count;
    enum output_kind last_output;
    struct buf content; /* of the reply */
    int refuse_asks;    /* how often nobody is connected */
};

/* A door that only counts. */
struct mock_door {
    struct fixture *fixture;
    struct door *door;
    int drains;
    int closed_comms;
    int default_deaths;
    int stops;
    int closes;
};

struct fixture {
    struct loop *loop;
    struct broker *broker;
    struct broker_options options;
    struct mock_door doors[MOCK_DOORS];
    struct heard heard[HEARD_MAX];
    size_t heard_count;
    struct loop_timer *deadline;
    int ends;
    bool late;
    bool (*until)(struct fixture *);
};

static inline void fixture_look(struct fixture *f)
{
    if (f->until != NULL && f->until(f)) {
        loop_stop(f->loop);
    }
}

static inline void heard_started(void *arg, const struct run_start *start)
{
    struct heard *h = arg;
    h->started++;
    h->execution_count = start->execution_count;
    (void)buf_add_slice(&h->shown, start->code);
    fixture_look(h->fixture);
}

static inline void heard_output(void *arg, const struct run_output *output)
{
    struct heard *h = arg;
    h->last_output = output->kind;
    h->output_count++;
    (void)buf_add_slice(&h->output, output->content);
    (void)buf_add_text(&h->output, "\n");
    fixture_look(h->fixture);
}

static inline int heard_ask(void *arg, struct slice content, struct err *e)
{
    struct heard *h = arg;
    (void)content;
    h->asked++;
    if (h->asked <= h->refuse_asks) {
        return err_set(e, ERR_GONE, "nobody is connected");
    }
    fixture_look(h->fixture);
    return 0;
}

static inline void heard_ended(void *arg, const struct run_end *end)
{
    struct heard *h = arg;
    h->ended++;
    h->order = h->fixture->ends++;
    h->status = end->status;
    h->execution_count = end->execution_count;
    h->exit_code = end->exit_code;
    (void)snprintf(h->ename, sizeof h->ename, "%s", end->ename ? end->ename : "");
    (void)snprintf(h->reason, sizeof h->reason, "%s", end->reason ? end->reason : "");
    (void)snprintf(h->context_id, sizeof h->context_id, "%s",
                   end->context_id ? end->context_id : "");
    (void)buf_add_slice(&h->content, end->content);
    fixture_look(h->fixture);
}

static inline void heard_release(void *arg)
{
    struct heard *h = arg;
    h->released++;
}

static const struct run_listener heard_events = {.started = heard_started,
                                                 .output = heard_output,
                                                 .ask = heard_ask,
                                                 .ended = heard_ended,
                                                 .release = heard_release};

static inline void mock_drain(void *arg)
{
    struct mock_door *m = arg;
    m->drains++;
}

static inline void mock_comm_closed(void *arg, const char *context_id, struct slice comm_id)
{
    struct mock_door *m = arg;
    (void)context_id;
    (void)comm_id;
    m->closed_comms++;
}

static inline void mock_default_died(void *arg)
{
    struct mock_door *m = arg;
    m->default_deaths++;
    fixture_look(m->fixture);
}

static inline void mock_stopped(void *arg)
{
    struct mock_door *m = arg;
    m->stops++;
}

static inline void mock_close(void *arg)
{
    struct mock_door *m = arg;
    m->closes++;
}

static const struct door_events mock_events = {.drain = mock_drain,
                                               .comm_closed = mock_comm_closed,
                                               .default_died = mock_default_died,
                                               .stopped = mock_stopped,
                                               .close = mock_close};

static inline void fixture_on_late(void *arg)
{
    struct fixture *f = arg;
    f->late = true;
    loop_stop(f->loop);
}

static inline int fixture_setup(void **state)
{
    static const char *const argv[] = {"pandia-mock", NULL};
    static const struct broker_worker workers[] = {
        {.language = "mock", .path = PANDIA_LIBEXEC "/pandia-mock", .argv = argv},
        {.language = "broken", .path = "/bin/false", .argv = argv},
    };
    struct err e = ERR_NONE;
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL || loop_new(&f->loop, &e) < 0) {
        return -1;
    }
    f->options = (struct broker_options){.workers = workers,
                                         .worker_count = ARRAY_LEN(workers),
                                         .language = "mock",
                                         .history_path = ":memory:"};
    if (broker_new(f->loop, &f->options, &f->broker, &e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < MOCK_DOORS; i++) {
        f->doors[i].fixture = f;
        if (door_open(f->broker, &mock_events, &f->doors[i], &f->doors[i].door, &e) < 0) {
            return -1;
        }
    }
    f->deadline = loop_add_timer(f->loop, fixture_on_late, f);
    *state = f;
    return broker_start(f->broker, &e);
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
    for (size_t i = 0; i < f->heard_count; i++) {
        if (f->heard[i].ended == 0) {
            return false;
        }
    }
    return true;
}

static inline bool fixture_has_stopped(struct fixture *f)
{
    return f->doors[0].stops > 0;
}

static inline struct heard *fixture_heard(struct fixture *f)
{
    assert_true(f->heard_count < HEARD_MAX);
    struct heard *h = &f->heard[f->heard_count++];
    h->fixture = f;
    h->shown = BUF_INIT(MIB);
    h->output = BUF_INIT(64 * MIB);
    h->content = BUF_INIT(MIB);
    return h;
}

/* Submits `request`, whose listener is filled in, through a door. */
static inline struct heard *fixture_submit(struct fixture *f, size_t door, struct request request)
{
    struct heard *h = fixture_heard(f);
    request.listener = &heard_events;
    request.arg = h;
    request.handle = &h->run;
    run_submit(f->doors[door].door, &request);
    return h;
}

/* Submits mock commands. `metadata` may select a context. */
static inline struct heard *fixture_execute(struct fixture *f, size_t door, const char *code,
                                            const char *metadata)
{
    return fixture_submit(
        f, door,
        (struct request){.kind = REQUEST_EXECUTE,
                         .code = slice_of(code),
                         .metadata = slice_of(metadata),
                         .options = {.store_history = true, .stop_on_error = true}});
}

/* Gives an order about contexts; its answer is heard like the end of a run. */
static inline struct heard *fixture_order(struct fixture *f, size_t door, manage_fn manage,
                                          const char *content)
{
    struct heard *h = fixture_heard(f);
    h->released = 1; /* nobody releases it */
    manage(f->doors[door].door, slice_of(content), heard_ended, h);
    return h;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    if (f->broker != NULL) {
        broker_shutdown(f->broker);
        fixture_wait(f, fixture_has_stopped);
        broker_free(f->broker);
    }
    int bad = 0;
    for (size_t i = 0; i < f->heard_count; i++) {
        struct heard *h = &f->heard[i];
        bad |= h->released != 1 || h->ended != 1; /* each once, whatever happened */
        buf_done(&h->shown);
        buf_done(&h->output);
        buf_done(&h->content);
    }
    for (size_t i = 0; i < MOCK_DOORS; i++) {
        bad |= f->doors[i].closes != 1;
    }
    loop_timer_free(f->deadline);
    loop_free(f->loop);
    free(f);
    return bad;
}

#define broker_test(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)
