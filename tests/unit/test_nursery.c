/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/log.h"
#include "base/proc.h"
#include "contexts/pool/nursery.h"
#include "tests/unit/unit.h"

enum { DEADLINE_MS = 20000, PRELOAD_TEST_MS = 1500 };

/* A nursery with one language, the mock, whose modules are named after what loading them does. */
struct fixture {
    struct loop *loop;
    struct loop_timer *deadline;
    struct nursery *nursery;
    struct pool_language language;
    int lifeline[2];
    int log;
    int gone;
    bool late;
};

static void on_forked(void *arg, uint64_t ticket, pid_t pid, int pidfd)
{
    (void)arg;
    (void)ticket;
    (void)pid;
    close(pidfd);
}

static void on_failed(void *arg, uint64_t ticket, const char *why)
{
    (void)arg;
    (void)ticket;
    (void)why;
}

static void on_exited(void *arg, uint64_t ticket, const struct wire_exited *exited)
{
    (void)arg;
    (void)ticket;
    (void)exited;
}

static void on_gone(void *arg, struct zygote *zygote, const char *why)
{
    struct fixture *f = arg;
    (void)zygote;
    (void)why;
    f->gone++;
}

static const struct nursery_sink sink = {
    .forked = on_forked, .failed = on_failed, .exited = on_exited, .gone = on_gone};

static void on_signal(void *arg, int signo)
{
    struct fixture *f = arg;
    int status = 0;
    pid_t pid = 0;
    (void)signo;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct zygote *zygote = nursery_by_pid(f->nursery, pid);
        assert_non_null(zygote);
        zygote_reaped(zygote, status);
    }
}

static void on_late(void *arg)
{
    struct fixture *f = arg;
    f->late = true;
    loop_stop(f->loop);
}

static void stop_loop(void *arg)
{
    loop_stop(arg);
}

/* Nothing tells us that a zygote has said hello: the loop is left now and then, to look. */
static void wait_for(struct fixture *f, bool (*until)(struct fixture *f))
{
    enum { LOOK_MS = 5 };

    struct err e = ERR_NONE;
    struct loop_timer *next_look = loop_add_timer(f->loop, stop_loop, f->loop);
    loop_timer_set(f->deadline, DEADLINE_MS);
    while (!until(f) && !f->late) {
        loop_timer_set(next_look, LOOK_MS);
        assert_ok(loop_run(f->loop, &e));
    }
    loop_timer_free(next_look);
    loop_timer_cancel(f->deadline);
    assert_false(f->late);
}

static struct zygote *pick(struct fixture *f)
{
    struct err e = ERR_NONE;
    struct zygote *zygote = NULL;
    assert_ok(nursery_pick(f->nursery, "mock", &zygote, &e));
    return zygote;
}

static size_t processes(void)
{
    pid_t children[8];
    return proc_children(children, ARRAY_LEN(children));
}

static const char *log_text(const struct fixture *f)
{
    static char text[8192];
    ssize_t n = pread(f->log, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

/* How often it stands in the log. */
static int logged(const struct fixture *f, const char *part)
{
    int count = 0;
    for (const char *at = log_text(f); (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

static bool is_warm(struct fixture *f)
{
    return logged(f, "kind=warm") == 1;
}

static bool is_warm_again(struct fixture *f)
{
    return logged(f, "kind=warm") == 2;
}

static bool has_given_up(struct fixture *f)
{
    return logged(f, "preloading given up") == 1;
}

static bool is_bare(struct fixture *f)
{
    return logged(f, "kind=bare") == 1;
}

static bool is_empty(struct fixture *f)
{
    return nursery_is_empty(f->nursery);
}

static int set_up(void **state)
{
    static const int signals[] = {SIGCHLD, 0};
    struct err e = ERR_NONE;
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL || loop_new(&f->loop, &e) < 0 || pipe(f->lifeline) < 0 ||
        loop_add_signals(f->loop, signals, on_signal, f, &e) < 0) {
        return -1;
    }
    f->deadline = loop_add_timer(f->loop, on_late, f);
    f->log = memfd_create("log", 0);
    log_set_fd(f->log);
    log_set_level(LOG_LEVEL_INFO);
    *state = f;
    return 0;
}

/* Begins with these modules: the bare zygote is started. */
static void begin(struct fixture *f, const char *const *modules, size_t count)
{
    static const char *const argv[] = {"pandia-mock", NULL};
    f->language = (struct pool_language){.name = "mock",
                                         .worker_path = PANDIA_LIBEXEC "/pandia-mock",
                                         .argv = argv,
                                         .preload = modules,
                                         .preload_count = count};
    struct nursery_options options = {.languages = &f->language,
                                      .language_count = 1,
                                      .lifeline_fd = f->lifeline[0],
                                      .preload_ms = PRELOAD_TEST_MS};
    f->nursery = nursery_new(f->loop, &options, &sink, f);
    (void)pick(f);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    nursery_stop(f->nursery);
    wait_for(f, is_empty);
    nursery_free(f->nursery);
    log_set_fd(STDERR_FILENO);
    close(f->log);
    close(f->lifeline[0]);
    close(f->lifeline[1]);
    loop_timer_free(f->deadline);
    loop_free(f->loop);
    free(f);
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

#define BEGIN(f, ...)                                                                              \
    const char *const modules_[] = {__VA_ARGS__};                                                  \
    begin(f, modules_, ARRAY_LEN(modules_))

static void test_nursery_without_modules_has_one_zygote(void **state)
{
    struct fixture *f = *state;

    begin(f, NULL, 0);
    wait_for(f, is_bare);

    assert_int_equal(processes(), 1);
}

static void test_nursery_bare_serves_until_the_warm_one_is_ready(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "a", "b");
    struct zygote *bare = pick(f);

    wait_for(f, is_warm);

    assert_ptr_not_equal(pick(f), bare);
    assert_non_null(nursery_hello(f->nursery, "mock"));
    assert_int_equal(processes(), 2);
}

static void test_nursery_module_that_fails_is_told_and_left_out(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "a", "fails", "prints");

    wait_for(f, is_warm);

    assert_int_equal(logged(f, "preload failed\" language=mock module=fails "
                               "why=\"it does not want to\""),
                     1);
    assert_int_equal(logged(f, "preload printed\" language=mock module=prints why=\"loud\""), 1);
    assert_int_equal(f->gone, 0);
}

/* Runs the list "a,MODULE"; the second attempt is warm. */
static void check_killer(struct fixture *f, const char *module, const char *why)
{
    char line[256];
    BEGIN(f, "a", module);
    struct zygote *bare = pick(f);

    wait_for(f, is_warm);

    (void)snprintf(line, sizeof line, "preload failed\" language=mock module=%s why=\"%s", module,
                   why);
    assert_int_equal(logged(f, line), 1);
    assert_int_equal(logged(f, "preload failed"), 1);
    assert_int_equal(f->gone, 1);
    assert_ptr_not_equal(pick(f), bare);
    assert_true(zygote_is_usable(bare));
}

static void test_nursery_module_that_crashes_costs_one_attempt(void **state)
{
    check_killer(*state, "crashes", "the mock worker was killed by SIGSEGV");
}

static void test_nursery_module_that_exits_costs_one_attempt(void **state)
{
    check_killer(*state, "exits", "the mock worker ended with exit status 3");
}

static void test_nursery_module_that_hangs_costs_one_attempt(void **state)
{
    check_killer(*state, "hangs", "it was not loaded within 1.5 s");
}

static void test_nursery_module_that_leaves_threads_costs_one_attempt(void **state)
{
    check_killer(*state, "threads",
                 "it leaves threads running (1), and a fork would not be safe: waiter");
}

static void test_nursery_too_many_killers_leave_the_bare_one(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "crashes", "exits", "hangs", "threads", "a");
    struct zygote *bare = pick(f);

    wait_for(f, has_given_up);

    assert_int_equal(f->gone, ZYGOTE_RETRY_MAX + 1);
    assert_ptr_equal(pick(f), bare);
    assert_int_equal(processes(), 1);
}

static void test_nursery_killed_warm_one_comes_back(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "a");
    wait_for(f, is_warm);

    kill(zygote_pid(pick(f)), SIGKILL);
    wait_for(f, is_warm_again);

    assert_int_equal(processes(), 2);
    assert_int_equal(f->gone, 1);
}

static void test_nursery_killed_bare_one_is_missed_by_nobody(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "a");
    pid_t bare = zygote_pid(pick(f));
    wait_for(f, is_warm);

    kill(bare, SIGKILL);
    assert_int_not_equal(zygote_pid(pick(f)), bare);

    assert_true(zygote_is_usable(pick(f)));
}

static void test_nursery_retired_warm_one_gets_no_requests(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "a");
    struct zygote *bare = pick(f);
    wait_for(f, is_warm);
    struct zygote *warm = pick(f);

    assert_true(nursery_retire(f->nursery, warm, "a thread"));

    assert_ptr_equal(pick(f), bare);
    assert_false(nursery_retire(f->nursery, bare, "a thread"));
    assert_true(zygote_is_usable(warm)); /* it still reaps */
    assert_int_equal(logged(f, "preloading given up"), 1);
}

static bool loads(struct fixture *f)
{
    (void)f;
    return processes() == 2;
}

static void test_nursery_stop_does_not_wait_for_a_module(void **state)
{
    struct fixture *f = *state;
    BEGIN(f, "hangs");
    wait_for(f, loads);

    nursery_end_preloading(f->nursery);
    nursery_stop(f->nursery);
    wait_for(f, is_empty);

    assert_int_equal(f->gone, 2);
    assert_int_equal(logged(f, "given up"), 0);
}

int main(void)
{
#define nursery_test(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        nursery_test(test_nursery_without_modules_has_one_zygote),
        nursery_test(test_nursery_bare_serves_until_the_warm_one_is_ready),
        nursery_test(test_nursery_module_that_fails_is_told_and_left_out),
        nursery_test(test_nursery_module_that_crashes_costs_one_attempt),
        nursery_test(test_nursery_module_that_exits_costs_one_attempt),
        nursery_test(test_nursery_module_that_hangs_costs_one_attempt),
        nursery_test(test_nursery_module_that_leaves_threads_costs_one_attempt),
        nursery_test(test_nursery_too_many_killers_leave_the_bare_one),
        nursery_test(test_nursery_killed_warm_one_comes_back),
        nursery_test(test_nursery_killed_bare_one_is_missed_by_nobody),
        nursery_test(test_nursery_retired_warm_one_gets_no_requests),
        nursery_test(test_nursery_stop_does_not_wait_for_a_module),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
