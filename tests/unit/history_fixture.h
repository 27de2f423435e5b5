/* SPDX-License-Identifier: MIT */
/* history_fixture.h - a loop, a side thread, a throw-away folder, and questions asked through
 * them until the answer is there. */
#pragma once

#include "base/bounds.h"
#include "base/loop.h"
#include "base/offload.h"
#include "kernel/core/history.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

enum { HISTORY_HANG_MS = 30000 };

struct history_fixture {
    struct tree *tree;
    struct loop *loop;
    struct loop_timer *watchdog;
    struct offload *offload;
    struct buf answer;
    struct err answer_err;
    int answers;
    int warnings;
    struct err warning;
};

static inline void fixture_on_hang(void *arg)
{
    (void)arg;
    fail_msg("no answer");
}

static inline void fixture_on_warning(void *arg, const struct err *why)
{
    struct history_fixture *f = arg;
    f->warnings++;
    f->warning = *why;
}

/* The parts that belong to a process: a child makes its own. */
static inline void fixture_start(struct history_fixture *f, size_t queue_max)
{
    struct err e = ERR_NONE;
    assert_ok(loop_new(&f->loop, &e));
    f->watchdog = loop_add_timer(f->loop, fixture_on_hang, f);
    loop_timer_set(f->watchdog, HISTORY_HANG_MS);
    assert_ok(offload_new(f->loop, queue_max, &f->offload, &e));
}

static inline void fixture_stop(struct history_fixture *f)
{
    offload_free(take(f->offload), HISTORY_HANG_MS);
    loop_timer_free(take(f->watchdog));
    loop_free(take(f->loop));
    buf_done(&f->answer);
}

static inline int fixture_set_up(void **state)
{
    struct history_fixture *f = xcalloc(1, sizeof *f);
    f->tree = tree_new();
    f->answer = BUF_INIT(64 * MIB);
    fixture_start(f, OFFLOAD_QUEUE_MAX);
    *state = f;
    return 0;
}

static inline int fixture_tear_down(void **state)
{
    struct history_fixture *f = *state;
    fixture_stop(f);
    tree_free(f->tree);
    free(f);
    return 0;
}

static inline struct history *fixture_open(struct history_fixture *f, const char *path)
{
    struct history_options options = {.path = path, .warn = fixture_on_warning, .arg = f};
    return history_new(f->offload, &options);
}

static inline void fixture_close(struct history *h)
{
    struct err e = ERR_NONE;
    assert_ok(history_close(h, HISTORY_HANG_MS, &e));
}

static inline void fixture_on_answer(void *arg, struct slice history, const struct err *err)
{
    struct history_fixture *f = arg;
    f->answers++;
    f->answer_err = *err;
    buf_clear(&f->answer);
    buf_add_slice(&f->answer, history);
    loop_stop(f->loop);
}

/* Lends the answer until the next question. */
static inline const char *fixture_ask(struct history_fixture *f, struct history_session *s,
                                      const struct history_query *query)
{
    struct err e = ERR_NONE;
    int before = f->answers;
    assert_ok(history_query(s, query, fixture_on_answer, f, &e));
    assert_ok(loop_run(f->loop, &e));
    assert_int_equal(f->answers, before + 1);
    if (f->answer_err.code != ERR_OK) {
        fail_msg("%s", f->answer_err.text);
    }
    return buf_text(&f->answer);
}

static inline const char *fixture_tail(struct history_fixture *f, struct history_session *s,
                                       int64_t n)
{
    return fixture_ask(f, s, &(struct history_query){.access = HISTORY_TAIL, .n = n});
}

static inline void fixture_add(struct history_session *s, int64_t line, const char *source)
{
    history_add(s, line, slice_of(source));
}

/* The number of rows in an answer whose sources have no brackets. */
static inline size_t fixture_rows(const char *answer)
{
    size_t opened = 0;
    for (const char *at = answer; *at != '\0'; at++) {
        opened += *at == '[';
    }
    return opened - 1;
}
