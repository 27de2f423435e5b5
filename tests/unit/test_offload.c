/* SPDX-License-Identifier: MIT */
/* No test sleeps: work that has to wait waits at a gate, the test through the loop. */
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/mem.h"
#include "base/offload.h"
#include "tests/unit/unit.h"

enum { HANG_MS = 20000, QUEUE_MAX = 8, MANY = 10000 };

/* A counter that one thread raises and another waits for. */
static int gate_open(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
}

static void gate_post(int g)
{
    uint64_t one = 1;
    assert_int_equal(write(g, &one, sizeof one), sizeof one);
}

static void gate_wait(int g)
{
    uint64_t one = 0;
    assert_int_equal(read(g, &one, sizeof one), sizeof one);
}

struct fixture {
    struct loop *loop;
    struct loop_timer *watchdog;
    struct offload *o;
    bool hung;
    int gate;         /* work that blocks waits here */
    size_t worked;    /* by the side thread; read after its `done` */
    size_t done;      /* calls */
    size_t stop_at;   /* so many calls stop the loop */
    pthread_t worker; /* who ran the last work */
    sigset_t mask;    /* that it saw */
    int order[MANY];
};

struct job {
    struct fixture *f;
    int number;
    int again; /* how often `done` submits it again */
    bool worked;
    bool accepted;
    struct err refused; /* of the last submission from `done` */
};

static void on_hang(void *arg)
{
    struct fixture *f = arg;
    f->hung = true;
    loop_stop(f->loop);
}

static void make(struct fixture *f, size_t queue_max)
{
    struct err e = ERR_NONE;
    assert_ok(offload_new(f->loop, queue_max, &f->o, &e));
}

static int set_up(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    struct err e = ERR_NONE;
    assert_ok(loop_new(&f->loop, &e));
    f->watchdog = loop_add_timer(f->loop, on_hang, f);
    loop_timer_set(f->watchdog, HANG_MS);
    f->gate = gate_open();
    make(f, QUEUE_MAX);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    offload_free(f->o, HANG_MS);
    loop_timer_free(f->watchdog);
    loop_free(f->loop);
    drop_fd(&f->gate);
    free(f);
    return 0;
}

static void count_work(void *arg)
{
    struct job *job = arg;
    struct fixture *f = job->f;
    job->worked = true;
    f->order[f->worked++] = job->number;
    f->worker = pthread_self();
    pthread_sigmask(SIG_SETMASK, NULL, &f->mask);
}

static void block_work(void *arg)
{
    struct job *job = arg;
    gate_wait(job->f->gate);
    count_work(arg);
}

/* Outlives its test: nothing of the fixture is touched. */
struct stuck {
    int entered;
    int gate;
    int over;
};

static void stuck_work(void *arg)
{
    struct stuck *stuck = arg;
    gate_post(stuck->entered);
    gate_wait(stuck->gate);
    gate_post(stuck->over);
}

static void never_done(void *arg)
{
    (void)arg;
    fail_msg("done of a task that was given up");
}

static void count_done(void *arg)
{
    struct job *job = arg;
    struct fixture *f = job->f;
    if (++f->done == f->stop_at) {
        loop_stop(f->loop);
    }
    if (job->again-- > 0) {
        struct offload_task task = {.work = count_work, .done = count_done, .arg = job};
        job->accepted = offload_submit(f->o, &task, &job->refused) == 0;
    }
}

static int submit(struct job *job, void (*work)(void *), struct err *e)
{
    struct offload_task task = {.work = work, .done = count_done, .arg = job};
    return offload_submit(job->f->o, &task, e);
}

static void run_until(struct fixture *f, size_t done)
{
    struct err e = ERR_NONE;
    f->stop_at = done;
    assert_ok(loop_run(f->loop, &e));
    assert_false(f->hung);
}

static void test_submit_work_runs_aside_and_done_on_the_loop(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job job = {.f = f, .number = 7};

    assert_ok(submit(&job, count_work, &e));
    run_until(f, 1);

    assert_int_equal(f->worked, 1);
    assert_int_equal(f->order[0], 7);
    assert_false(pthread_equal(f->worker, pthread_self()));
    assert_int_equal(sigismember(&f->mask, SIGINT), 1);
    assert_int_equal(sigismember(&f->mask, SIGTERM), 1);
    assert_int_equal(sigismember(&f->mask, SIGCHLD), 1);
}

static void test_new_leaves_the_signal_mask_of_the_caller(void **state)
{
    (void)state; /* the fixture has started a thread already */
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);

    assert_int_equal(sigismember(&mask, SIGINT), 0);
}

static void test_submit_many_keeps_the_order(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    offload_free(f->o, 0);
    make(f, MANY);
    struct job *jobs = xcalloc(MANY, sizeof *jobs);

    for (int i = 0; i < MANY; i++) {
        jobs[i] = (struct job){.f = f, .number = i};
        assert_ok(submit(&jobs[i], count_work, &e));
    }
    run_until(f, MANY);

    assert_int_equal(f->worked, MANY);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(f->order[i], i);
    }
    assert_int_equal(offload_dropped(f->o), 0);
    free(jobs);
}

static void test_submit_full_queue_is_refused_and_counted(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job jobs[QUEUE_MAX + 2];
    for (int i = 0; i < QUEUE_MAX + 2; i++) {
        jobs[i] = (struct job){.f = f, .number = i};
    }

    for (int i = 0; i < QUEUE_MAX; i++) {
        assert_ok(submit(&jobs[i], i == 0 ? block_work : count_work, &e));
    }
    assert_err(submit(&jobs[QUEUE_MAX], count_work, &e), ERR_LIMIT);
    assert_err(submit(&jobs[QUEUE_MAX + 1], count_work, &e), ERR_LIMIT);
    gate_post(f->gate);
    run_until(f, QUEUE_MAX);

    assert_int_equal(offload_dropped(f->o), 2);
    assert_int_equal(f->worked, QUEUE_MAX);
    assert_false(jobs[QUEUE_MAX].worked);

    e = ERR_NONE;
    assert_ok(submit(&jobs[QUEUE_MAX], count_work, &e));
    run_until(f, QUEUE_MAX + 1);
    assert_true(jobs[QUEUE_MAX].worked);
}

static void test_submit_from_done_runs_again(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job job = {.f = f, .again = 5};

    assert_ok(submit(&job, count_work, &e));
    run_until(f, 6);

    assert_int_equal(f->worked, 6);
}

static bool say_quiet(void *arg)
{
    (void)arg;
    return true;
}

static void submit_quiet(struct job *job)
{
    struct err e = ERR_NONE;
    struct offload_task task = {
        .work = count_work, .done = count_done, .is_quiet = say_quiet, .arg = job};
    assert_ok(offload_submit(job->f->o, &task, &e));
}

static void test_quiet_tasks_are_done_in_order_with_one_that_is_not(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job jobs[] = {{.f = f, .number = 1}, {.f = f, .number = 2}, {.f = f, .number = 3}};

    submit_quiet(&jobs[0]);
    submit_quiet(&jobs[1]);
    assert_ok(submit(&jobs[2], count_work, &e));
    run_until(f, 3);

    assert_int_equal(f->worked, 3);
    assert_int_equal(f->order[2], 3);
}

struct ticker {
    struct loop_timer *timer;
    size_t ticks;
};

static void on_tick(void *arg)
{
    struct ticker *t = arg;
    t->ticks++;
    loop_timer_set(t->timer, 1);
}

static void test_quiet_task_alone_is_done_when_the_loop_is_awake_anyhow(void **state)
{
    struct fixture *f = *state;
    struct job job = {.f = f, .number = 1};
    struct ticker ticker = {0};
    ticker.timer = loop_add_timer(f->loop, on_tick, &ticker);
    loop_timer_set(ticker.timer, 1);

    submit_quiet(&job);
    run_until(f, 1);

    assert_int_equal(f->done, 1);
    loop_timer_free(ticker.timer);
}

static void test_drain_calls_done_of_quiet_tasks(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job job = {.f = f, .number = 1};

    submit_quiet(&job);
    assert_ok(offload_drain(f->o, HANG_MS, &e));

    assert_int_equal(f->done, 1);
}

static void test_drain_finishes_what_done_submits_too(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job job = {.f = f, .again = 3};

    assert_ok(submit(&job, count_work, &e));
    assert_ok(offload_drain(f->o, HANG_MS, &e));

    assert_int_equal(f->worked, 4);
    assert_int_equal(f->done, 4);
}

static void test_drain_blocked_work_times_out_and_may_go_on(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job job = {.f = f};

    assert_ok(submit(&job, block_work, &e));
    assert_err(offload_drain(f->o, 20, &e), ERR_TIMEOUT);
    assert_int_equal(f->done, 0);

    gate_post(f->gate);
    assert_ok(offload_drain(f->o, HANG_MS, &e));
    assert_int_equal(f->done, 1);
}

static void test_free_finishes_what_is_queued(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job jobs[QUEUE_MAX];
    for (int i = 0; i < QUEUE_MAX; i++) {
        jobs[i] = (struct job){.f = f, .number = i};
        assert_ok(submit(&jobs[i], count_work, &e));
    }

    offload_free(take(f->o), HANG_MS);

    assert_int_equal(f->worked, QUEUE_MAX);
    assert_int_equal(f->done, QUEUE_MAX);
}

static void test_free_idle_ends_at_once(void **state)
{
    struct fixture *f = *state;
    int64_t before = clock_ms();

    offload_free(take(f->o), HANG_MS);

    assert_true(clock_ms() - before < HANG_MS / 2);
}

static void test_free_stuck_work_returns_at_the_deadline(void **state)
{
    static struct stuck stuck;
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct job waiting = {.f = f, .again = 1};
    struct offload_task task = {.work = stuck_work, .done = never_done, .arg = &stuck};
    stuck.entered = gate_open();
    stuck.gate = gate_open();
    stuck.over = gate_open();
    assert_ok(offload_submit(f->o, &task, &e));
    assert_ok(submit(&waiting, count_work, &e));
    gate_wait(stuck.entered);

    int64_t before = clock_ms();
    offload_free(f->o, 30);
    int64_t took = clock_ms() - before;
    f->o = NULL;

    assert_true(took >= 30 && took < HANG_MS / 2);
    assert_int_equal(f->done, 1); /* the waiting one, which never ran */
    assert_false(waiting.worked);
    assert_false(waiting.accepted);
    assert_int_equal(waiting.refused.code, ERR_LIMIT);
    gate_post(stuck.gate); /* the thread goes on, and frees what it was left */
    gate_wait(stuck.over);
}

static void test_free_null_is_allowed(void **state)
{
    (void)state;
    offload_free(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_submit_work_runs_aside_and_done_on_the_loop, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_new_leaves_the_signal_mask_of_the_caller, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_submit_many_keeps_the_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_submit_full_queue_is_refused_and_counted, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_submit_from_done_runs_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quiet_tasks_are_done_in_order_with_one_that_is_not,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quiet_task_alone_is_done_when_the_loop_is_awake_anyhow,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_drain_calls_done_of_quiet_tasks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_drain_finishes_what_done_submits_too, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_drain_blocked_work_times_out_and_may_go_on, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_free_finishes_what_is_queued, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_free_idle_ends_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_free_stuck_work_returns_at_the_deadline, set_up,
                                        tear_down),
        cmocka_unit_test(test_free_null_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
