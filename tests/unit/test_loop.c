/* SPDX-License-Identifier: MIT */
/* No test sleeps: each waits through the loop itself, and a watchdog timer ends what hangs. */
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/loop.h"
#include "tests/unit/unit.h"

enum { HANG_MS = 5000, TRACE_MAX = 256 };

struct fixture {
    struct loop *loop;
    struct loop_timer *watchdog;
    bool hung;
    char trace[TRACE_MAX]; /* one letter per callback */
    size_t traced;
    size_t stop_after; /* so many callbacks; 0: never */
};

/* A callback's argument: which letter it leaves, and what else it does. */
struct actor {
    struct fixture *f;
    char letter;
    int fd;
    struct loop_fd *source;
    struct loop_timer *timer;
    struct loop_check *check;
    struct actor *victim; /* whose sources it frees */
    int rounds;           /* left before it stops the loop; 0: it does not */
    int64_t again_ms;     /* delay with which its timer is set again, -1: not */
};

static void on_hang(void *arg)
{
    struct fixture *f = arg;
    f->hung = true;
    loop_stop(f->loop);
}

static int set_up(void **state)
{
    static struct fixture f;
    struct err e = ERR_NONE;
    f = (struct fixture){0};
    if (loop_new(&f.loop, &e) < 0) {
        return -1;
    }
    f.watchdog = loop_add_timer(f.loop, on_hang, &f);
    loop_timer_set(f.watchdog, HANG_MS);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    loop_timer_free(f->watchdog);
    loop_free(f->loop);
    return 0;
}

static struct actor actor(struct fixture *f, char letter)
{
    return (struct actor){.f = f, .letter = letter, .fd = -1, .again_ms = -1};
}

/* Frees all that the actor has, as often as one likes. */
static void retire(struct actor *a)
{
    loop_fd_free(take(a->source));
    loop_timer_free(take(a->timer));
    loop_check_free(take(a->check));
    drop_fd(&a->fd);
    a->fd = -1;
}

static void act(struct actor *a)
{
    struct fixture *f = a->f;
    if (f->traced < TRACE_MAX - 1) {
        f->trace[f->traced++] = a->letter;
    }
    if (a->victim != NULL) {
        retire(a->victim);
    }
    bool enough = f->stop_after > 0 && f->traced == f->stop_after;
    if ((a->rounds > 0 && --a->rounds == 0) || enough) {
        loop_stop(f->loop);
    }
}

static void on_event(void *arg, uint32_t events)
{
    struct actor *a = arg;
    uint64_t count = 0;
    if ((events & EPOLLIN) != 0) {
        assert_true(read(a->fd, &count, sizeof count) >= 0);
    }
    act(a);
}

static void on_timer(void *arg)
{
    struct actor *a = arg;
    if (a->again_ms >= 0) {
        loop_timer_set(a->timer, a->again_ms);
    }
    act(a);
}

static enum loop_more on_check(void *arg)
{
    struct actor *a = arg;
    act(a);
    return LOOP_MORE;
}

/* Gives the actor an event descriptor that is ready to be read. */
static void make_ready(struct actor *a)
{
    struct err e = ERR_NONE;
    a->fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    assert_true(a->fd >= 0);
    assert_ok(loop_add_fd(a->f->loop, a->fd, EPOLLIN, on_event, a, &a->source, &e));
}

static void make_timer(struct actor *a, int64_t delay_ms)
{
    a->timer = loop_add_timer(a->f->loop, on_timer, a);
    loop_timer_set(a->timer, delay_ms);
}

static void run(struct fixture *f)
{
    struct err e = ERR_NONE;
    assert_ok(loop_run(f->loop, &e));
    assert_false(f->hung);
}

static void test_loop_fd_readable_calls_back(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    a.rounds = 1;
    make_ready(&a);

    run(f);

    assert_string_equal(f->trace, "a");
    retire(&a);
}

static void test_loop_add_fd_bad_descriptor_is_sys_error(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct loop_fd *source = NULL;

    assert_err(loop_add_fd(f->loop, -1, EPOLLIN, on_event, NULL, &source, &e), ERR_SYS);
    assert_null(source);
}

static void test_loop_fd_free_inside_own_callback_is_called_once(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    struct actor end = actor(f, 'z');
    a.victim = &a;
    end.rounds = 1;
    make_ready(&a);
    make_timer(&end, 1);

    run(f);

    assert_string_equal(f->trace, "az");
    retire(&end);
}

/* Both events are fetched at once; the first callback frees the other source. */
static void test_loop_fd_free_of_another_fetched_source_is_never_called(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'x');
    struct actor b = actor(f, 'x');
    struct actor end = actor(f, 'z');
    a.victim = &b;
    b.victim = &a;
    end.rounds = 1;
    make_ready(&a);
    make_ready(&b);
    make_timer(&end, 1);

    run(f);

    assert_string_equal(f->trace, "xz");
    retire(&a);
    retire(&b);
    retire(&end);
}

static void test_loop_fd_set_events_switches_between_read_and_write(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    struct actor a = actor(f, 'a');
    struct actor end = actor(f, 'z');
    a.fd = pair[0];
    a.rounds = 1;
    end.rounds = 1;
    assert_ok(loop_add_fd(f->loop, a.fd, EPOLLIN, on_event, &a, &a.source, &e));
    make_timer(&end, 1);
    run(f); /* nothing to read */
    assert_string_equal(f->trace, "z");

    loop_fd_set_events(a.source, EPOLLIN | EPOLLOUT);
    run(f);

    assert_string_equal(f->trace, "za");
    retire(&a);
    retire(&end);
    close(pair[1]);
}

/* Counts the rounds of the loop. */
static enum loop_more counting_check(void *arg)
{
    int *rounds = arg;
    *rounds += 1;
    return LOOP_IDLE;
}

/* epoll tells about a hangup unasked; a paused source must not make the loop spin. */
static void test_loop_fd_paused_source_is_quiet_even_after_hangup(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    struct actor a = actor(f, 'a');
    struct actor end = actor(f, 'z');
    a.fd = pair[0];
    a.rounds = 1;
    end.rounds = 1;
    assert_ok(loop_add_fd(f->loop, a.fd, EPOLLIN, on_event, &a, &a.source, &e));

    loop_fd_set_events(a.source, 0);
    close(pair[1]);
    make_timer(&end, 2);
    int rounds = 0;
    struct loop_check *check = loop_add_check(f->loop, counting_check, &rounds);
    run(f);
    assert_string_equal(f->trace, "z");
    assert_in_range(rounds, 1, 5);
    loop_check_free(check);

    loop_fd_set_events(a.source, EPOLLIN);
    run(f);
    assert_string_equal(f->trace, "za");

    loop_fd_set_events(a.source, 0);
    retire(&a);
    retire(&end);
}

static void test_loop_timers_fire_in_order_of_their_deadlines(void **state)
{
    struct fixture *f = *state;
    struct actor c = actor(f, 'c');
    struct actor a = actor(f, 'a');
    struct actor b = actor(f, 'b');
    struct actor same = actor(f, 's');
    c.rounds = 1;
    int64_t before = 0;
    do { /* on a busy machine setting them may take longer than they wait */
        retire(&a);
        retire(&b);
        retire(&c);
        retire(&same);
        before = clock_ms();
        make_timer(&c, 9);
        make_timer(&a, 2);
        make_timer(&b, 5);
        make_timer(&same, 5);
    } while (clock_ms() - before > 1);

    run(f);

    assert_string_equal(f->trace, "absc");
    retire(&a);
    retire(&b);
    retire(&c);
    retire(&same);
}

static enum loop_more busy_check(void *arg)
{
    (void)arg;
    return LOOP_MORE;
}

/* Set late in a millisecond, and looked at all the time. */
static void test_loop_timer_is_never_early(void **state)
{
    struct fixture *f = *state;
    struct loop_check *check = loop_add_check(f->loop, busy_check, NULL);
    for (int i = 0; i < 5; i++) {
        struct actor a = actor(f, 'a');
        a.rounds = 1;
        while (clock_us() % 1000 < 800) {
        }
        int64_t before = clock_us();
        make_timer(&a, 2);

        run(f);

        assert_true(clock_us() - before >= 2000);
        retire(&a);
    }
    loop_check_free(check);
}

static void test_loop_timer_set_again_moves_it(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    struct actor b = actor(f, 'b');
    a.rounds = 1;
    make_timer(&a, 0);
    make_timer(&b, 2);

    loop_timer_set(a.timer, 4);
    run(f);

    assert_string_equal(f->trace, "ba");
    retire(&a);
    retire(&b);
}

static void test_loop_timer_cancelled_or_unarmed_never_fires(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    struct actor b = actor(f, 'b');
    struct actor end = actor(f, 'z');
    end.rounds = 1;
    make_timer(&a, 1);
    b.timer = loop_add_timer(f->loop, on_timer, &b);
    make_timer(&end, 2);

    loop_timer_cancel(a.timer);
    loop_timer_cancel(b.timer);
    run(f);

    assert_string_equal(f->trace, "z");
    retire(&a);
    retire(&b);
    retire(&end);
}

/* Both are due in the same round; whichever comes first frees the other. */
static void test_loop_timer_free_of_another_due_timer_is_never_called(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    struct actor b = actor(f, 'b');
    struct actor end = actor(f, 'z');
    a.victim = &b;
    end.rounds = 1;
    make_timer(&a, 0);
    make_timer(&b, 0);
    make_timer(&end, 1);

    run(f);

    assert_string_equal(f->trace, "az");
    retire(&a);
    retire(&end);
}

static void test_loop_timer_free_inside_own_callback_is_safe(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    struct actor end = actor(f, 'z');
    a.victim = &a;
    end.rounds = 1;
    make_timer(&a, 0);
    make_timer(&end, 1);

    run(f);

    assert_string_equal(f->trace, "az");
    retire(&end);
}

/* A timer that sets itself again with no delay must not keep descriptors from being served. */
static void test_loop_timer_rearmed_at_once_lets_descriptors_in(void **state)
{
    struct fixture *f = *state;
    struct actor spin = actor(f, 's');
    struct actor a = actor(f, 'a');
    spin.again_ms = 0;
    a.rounds = 1;
    make_timer(&spin, 0);
    make_ready(&a);

    run(f);

    assert_true(f->traced <= 3);
    retire(&spin);
    retire(&a);
}

static void test_loop_check_is_called_before_each_sleep_in_order(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    struct actor b = actor(f, 'b');
    b.rounds = 3;
    a.check = loop_add_check(f->loop, on_check, &a);
    b.check = loop_add_check(f->loop, on_check, &b);

    run(f);

    assert_string_equal(f->trace, "ababab");
    retire(&a);
    retire(&b);
}

static void test_loop_check_free_inside_checks_is_safe(void **state)
{
    struct fixture *f = *state;
    struct actor self = actor(f, 's');
    struct actor killer = actor(f, 'k');
    struct actor victim = actor(f, 'v');
    struct actor end = actor(f, 'z');
    self.victim = &self;
    killer.victim = &victim;
    end.rounds = 2;
    self.check = loop_add_check(f->loop, on_check, &self);
    killer.check = loop_add_check(f->loop, on_check, &killer);
    victim.check = loop_add_check(f->loop, on_check, &victim);
    end.check = loop_add_check(f->loop, on_check, &end);

    run(f);

    assert_string_equal(f->trace, "skzkz");
    retire(&killer);
    retire(&end);
}

/* Adds the check of another actor, once. */
static enum loop_more on_adding_check(void *arg)
{
    struct actor *a = arg;
    struct actor *added = take(a->victim);
    if (added != NULL) {
        added->check = loop_add_check(a->f->loop, on_check, added);
    }
    act(a);
    return LOOP_IDLE;
}

/* Otherwise the loop would sleep without having asked it. */
static void test_loop_check_added_by_a_check_runs_before_the_sleep(void **state)
{
    struct fixture *f = *state;
    struct actor adder = actor(f, 'a');
    struct actor added = actor(f, 'b');
    adder.victim = &added;
    added.rounds = 1;
    adder.check = loop_add_check(f->loop, on_adding_check, &adder);

    run(f);

    assert_string_equal(f->trace, "ab");
    retire(&adder);
    retire(&added);
}

static void test_loop_idle_check_lets_the_loop_sleep(void **state)
{
    struct fixture *f = *state;
    int rounds = 0;
    struct loop_check *check = loop_add_check(f->loop, counting_check, &rounds);
    struct actor end = actor(f, 'z');
    end.rounds = 1;
    make_timer(&end, 2);

    run(f);

    assert_string_equal(f->trace, "z");
    assert_in_range(rounds, 1, 5);
    retire(&end);
    loop_check_free(check);
}

static void test_loop_stop_before_run_is_not_lost(void **state)
{
    struct fixture *f = *state;
    struct actor a = actor(f, 'a');
    a.rounds = 1;
    make_ready(&a);

    loop_stop(f->loop);
    run(f);
    assert_string_equal(f->trace, "");

    run(f);
    assert_string_equal(f->trace, "a");
    retire(&a);
}

struct signals {
    struct fixture *f;
    int seen[2];
    int count;
};

static void on_signal(void *arg, int signo)
{
    struct signals *s = arg;
    if (s->count < 2) {
        s->seen[s->count] = signo;
    }
    s->count++;
    if (s->count == 2) {
        loop_stop(s->f->loop);
    }
}

static void test_loop_signals_arrive_as_callbacks(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct signals s = {.f = f};
    sigset_t before;
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);

    assert_ok(loop_add_signals(f->loop, (const int[]){SIGUSR1, SIGUSR2, 0}, on_signal, &s, &e));
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(raise(SIGUSR2), 0);
    run(f);

    assert_int_equal(s.count, 2);
    assert_int_equal(s.seen[0] + s.seen[1], SIGUSR1 + SIGUSR2);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

/* More events than one epoll_wait fetches. */
static void test_loop_many_descriptors_are_all_served(void **state)
{
    struct fixture *f = *state;

    enum { COUNT = 200 };
    static struct actor actors[COUNT];
    for (int i = 0; i < COUNT; i++) {
        actors[i] = actor(f, 'x');
        actors[i].rounds = COUNT + 1;
        make_ready(&actors[i]);
    }
    f->stop_after = COUNT;

    run(f);

    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(actors[i].rounds, COUNT);
        retire(&actors[i]);
    }
}

static void test_loop_free_null_parts_are_accepted(void **state)
{
    (void)state;

    loop_free(NULL);
    loop_fd_free(NULL);
    loop_timer_free(NULL);
    loop_check_free(NULL);
}

int main(void)
{
#define LOOPED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        LOOPED(test_loop_fd_readable_calls_back),
        LOOPED(test_loop_add_fd_bad_descriptor_is_sys_error),
        LOOPED(test_loop_fd_free_inside_own_callback_is_called_once),
        LOOPED(test_loop_fd_free_of_another_fetched_source_is_never_called),
        LOOPED(test_loop_fd_set_events_switches_between_read_and_write),
        LOOPED(test_loop_fd_paused_source_is_quiet_even_after_hangup),
        LOOPED(test_loop_timers_fire_in_order_of_their_deadlines),
        LOOPED(test_loop_timer_is_never_early),
        LOOPED(test_loop_timer_set_again_moves_it),
        LOOPED(test_loop_timer_cancelled_or_unarmed_never_fires),
        LOOPED(test_loop_timer_free_of_another_due_timer_is_never_called),
        LOOPED(test_loop_timer_free_inside_own_callback_is_safe),
        LOOPED(test_loop_timer_rearmed_at_once_lets_descriptors_in),
        LOOPED(test_loop_check_is_called_before_each_sleep_in_order),
        LOOPED(test_loop_check_free_inside_checks_is_safe),
        LOOPED(test_loop_check_added_by_a_check_runs_before_the_sleep),
        LOOPED(test_loop_idle_check_lets_the_loop_sleep),
        LOOPED(test_loop_stop_before_run_is_not_lost),
        LOOPED(test_loop_signals_arrive_as_callbacks),
        LOOPED(test_loop_many_descriptors_are_all_served),
        cmocka_unit_test(test_loop_free_null_parts_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
