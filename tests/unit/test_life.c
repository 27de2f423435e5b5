/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"
#include "tests/unit/pool_fixture.h"

/* Above what Linux gives to any process: signals to them reach nobody. */
enum { FORGED_PID = 4 * 1024 * 1024 + 1 };

static void on_nothing(void *arg)
{
    (void)arg;
}

/* A life that lacks descriptors, because 4096 times five of them may be more than there are. */
static struct life *forge_life(struct fixture *f, struct context *c, int number)
{
    struct life *l = life_new(c);
    l->state_timer = loop_add_timer(f->loop, on_nothing, NULL);
    life_set_process(l, FORGED_PID + number, -1);
    l->state = CTX_IDLE;
    l->is_ready = true;
    return l;
}

static void id_of(size_t number, char id[32])
{
    (void)snprintf(id, 32, "context-%zu", number);
}

/* Makes contexts until there are `count`, each with a life. */
static void make_contexts(struct fixture *f, size_t count)
{
    char id[32];
    for (size_t i = map_len(f->pool->by_id); i < count; i++) {
        id_of(i, id);
        (void)forge_life(f, fixture_context(f, id, "mock"), (int)i);
    }
}

/* Looks every context up by id, pid and ticket; gives the entries it was compared with on the way,
 * for one of them. */
static size_t steps_of_lookups(const struct fixture *f)
{
    const struct pool *pool = f->pool;
    size_t steps = 0;
    size_t lookups = 0;
    for (struct context *c = pool_next(pool, NULL); c != NULL; c = pool_next(pool, c)) {
        const struct life *l = c->life;
        assert_ptr_equal(pool_find(pool, context_id(c)), c);
        assert_ptr_equal(nmap_get(pool->by_ticket, l->ticket), l);
        assert_ptr_equal(nmap_get(pool->by_pid, (uint64_t)l->pid), l);
        steps += map_steps(pool->by_id, context_id(c)) + nmap_steps(pool->by_ticket, l->ticket) +
                 nmap_steps(pool->by_pid, (uint64_t)l->pid);
        lookups += 3;
    }
    assert_true(lookups > 0);
    return lookups == 0 ? 0 : (steps + lookups - 1) / lookups;
}

static void end_lives(struct fixture *f)
{
    for (struct context *c = pool_next(f->pool, NULL); c != NULL; c = pool_next(f->pool, c)) {
        struct wire_exited exited = {.pid = c->life->pid};
        c->life->state = CTX_DYING; /* as if its pidfd had fired */
        pool_nursery_events.exited(f->pool, c->life->ticket, &exited);
        assert_null(c->life);
    }
}

static void test_lookups_cost_the_same_with_4096_live_contexts(void **state)
{
    enum { FEW = 16, STEPS_MAX = 4 }; /* 2.5 at the highest load of a map, by the theory */

    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct context *none = NULL;
    struct context_options one_more = {.id = "x", .language = "mock", .start = SLICE_LIT("{}")};
    log_set_level(LOG_LEVEL_ERROR); /* a line for each death */
    (void)forge_life(f, f->context, 0);

    make_contexts(f, FEW);
    assert_true(steps_of_lookups(f) <= STEPS_MAX);
    make_contexts(f, CONTEXTS_MAX);
    assert_true(steps_of_lookups(f) <= STEPS_MAX);
    assert_int_equal(nmap_len(f->pool->by_pid), CONTEXTS_MAX);
    assert_err(pool_add_context(f->pool, &one_more, &none, &e), ERR_LIMIT);

    end_lives(f);
    assert_int_equal(f->deaths, CONTEXTS_MAX);
    assert_int_equal(nmap_len(f->pool->by_ticket), 0);
    assert_int_equal(nmap_len(f->pool->by_pid), 0);
    log_set_level(LOG_LEVEL_INFO);
}

static void test_pool_stop_waits_for_the_last_of_many(void **state)
{
    struct fixture *f = *state;
    log_set_level(LOG_LEVEL_ERROR);
    (void)forge_life(f, f->context, 0);
    make_contexts(f, 100);

    f->pool->stopping = true; /* as pool_stop, which could not send them anything */
    pool_check_stopped(f->pool);
    assert_false(f->stopped);
    end_lives(f);

    assert_int_equal(f->deaths, 100);
    assert_true(f->stopped);
    log_set_level(LOG_LEVEL_INFO);
}

/* Who waits for a zygote may be restarted any number of times: only the last life serves. */
static void test_life_of_a_restarted_context_is_a_new_one(void **state)
{
    struct fixture *f = *state;
    struct job_request ready = {.is_turn = true, .needs_process = true};
    struct run *r = fixture_submit(f, f->context, &ready);
    uint64_t first = f->context->life->ticket;

    context_restart(f->context);
    context_restart(f->context);
    assert_int_equal(context_state(f->context), CTX_FORKING);
    assert_true(f->context->life->ticket != first);
    fixture_wait(f, fixture_all_ended);
    struct run *cell = fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_TURN);
    assert_int_equal(cell->end, JOB_REPLIED);
    assert_int_equal(f->deaths, 0); /* the others were never anybody's process */
}

static void test_life_is_not_touched_by_reports_of_an_old_one(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);
    uint64_t old = f->context->life->ticket;
    fixture_execute(f, f->context, "exit 3");
    fixture_wait(f, fixture_all_ended);
    fixture_execute(f, f->context, "count");
    fixture_wait(f, fixture_all_ended);
    const struct life *l = f->context->life;
    pid_t pid = l->pid;

    /* The system may give a pid again: the same number must not be taken for the same process. */
    pool_nursery_events.exited(f->pool, old, &(struct wire_exited){.pid = pid});
    pool_nursery_events.failed(f->pool, old, "too late");
    pool_nursery_events.forked(f->pool, old, pid, dup(STDIN_FILENO));

    assert_ptr_equal(f->context->life, l);
    assert_int_equal(l->status, -1);
    assert_int_equal(l->pid, pid);
    assert_int_equal(context_state(f->context), CTX_IDLE);
}

static void test_life_with_a_reused_pid_keeps_it(void **state)
{
    struct fixture *f = *state;
    struct context *other = fixture_context(f, "other", "mock");
    struct life *dead = forge_life(f, f->context, 1);
    struct life *young = forge_life(f, other, 1);

    life_free(dead);

    assert_ptr_equal(nmap_get(f->pool->by_pid, FORGED_PID + 1), young);
    life_free(young);
    assert_null(nmap_get(f->pool->by_pid, FORGED_PID + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_lookups_cost_the_same_with_4096_live_contexts),
        pool_test(test_pool_stop_waits_for_the_last_of_many),
        pool_test(test_life_of_a_restarted_context_is_a_new_one),
        pool_test(test_life_is_not_touched_by_reports_of_an_old_one),
        pool_test(test_life_with_a_reused_pid_keeps_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
