/* SPDX-License-Identifier: MIT */
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "base/proc.h"
#include "contexts/worker/children.h"
#include "tests/unit/unit.h"

/* The kernel counts pages in batches per processor: a child that touches few may have used none. */
static pid_t child_that_exits(int status)
{
    enum { TOUCHED = 8 * 1024 * 1024 };

    pid_t pid = fork();
    if (pid == 0) {
        char *memory = mmap(NULL, TOUCHED, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        _exit(memory == MAP_FAILED ? -1 : status);
    }
    return pid;
}

static pid_t child_that_stays(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        for (;;) {
            pause();
        }
    }
    return pid;
}

/* Waits until the child has ended, without reaping it. */
static void wait_ended(pid_t pid)
{
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

static void test_children_reap_context_says_how_it_ended(void **state)
{
    struct children c = {0};
    struct wire_exited exited;
    uint64_t ticket = 0;
    (void)state;
    pid_t pid = child_that_exits(3);
    children_add(&c, pid, 9);
    wait_ended(pid);

    assert_int_equal(children_reap(&c, &ticket, &exited), 1);

    assert_int_equal(exited.pid, pid);
    assert_int_equal(WEXITSTATUS(exited.status), 3);
    assert_true(exited.max_rss_kib > 0);
    assert_int_equal(ticket, 9);
    assert_int_equal(children_count(&c), 0);
    assert_int_equal(children_reap(&c, &ticket, &exited), -1);
    children_done(&c);
}

static void test_children_reap_stray_is_silent(void **state)
{
    struct children c = {0};
    struct wire_exited exited;
    uint64_t ticket = 0;
    (void)state;
    wait_ended(child_that_exits(0));

    assert_int_equal(children_reap(&c, &ticket, &exited), 0);
    assert_int_equal(children_reap(&c, &ticket, &exited), -1);
}

static void test_children_kill_strays_spares_contexts(void **state)
{
    struct children c = {0};
    struct wire_exited exited;
    uint64_t ticket = 0;
    (void)state;
    pid_t context = child_that_stays();
    pid_t stray = child_that_stays();
    children_add(&c, context, 9);

    assert_int_equal(children_kill_strays(&c), 1);

    wait_ended(stray);
    assert_int_equal(children_reap(&c, &ticket, &exited), 0);
    assert_int_equal(children_reap(&c, &ticket, &exited), -1);
    assert_int_equal(kill(context, 0), 0);

    children_kill_contexts(&c);
    wait_ended(context);
    assert_int_equal(children_reap(&c, &ticket, &exited), 1);
    assert_int_equal(WTERMSIG(exited.status), SIGKILL);
    children_done(&c);
}

static void test_children_kill_strays_finds_orphans_of_a_dead_context(void **state)
{
    struct children c = {0};
    struct wire_exited exited;
    uint64_t ticket = 0;
    struct err e = ERR_NONE;
    int ends[2];
    pid_t orphan = 0;
    (void)state;
    assert_ok(fd_pipe(ends, &e));
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    pid_t context = fork();
    if (context == 0) {
        pid_t left_behind = child_that_stays();
        _exit(write(ends[1], &left_behind, sizeof left_behind) == sizeof left_behind ? 0 : 1);
    }
    children_add(&c, context, 9);
    assert_int_equal(read(ends[0], &orphan, sizeof orphan), sizeof orphan);
    wait_ended(context);
    assert_int_equal(children_reap(&c, &ticket, &exited), 1);

    assert_int_equal(children_kill_strays(&c), 1);

    wait_ended(orphan);
    assert_int_equal(children_reap(&c, &ticket, &exited), 0);
    children_done(&c);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children_reap_context_says_how_it_ended),
        cmocka_unit_test(test_children_reap_stray_is_silent),
        cmocka_unit_test(test_children_kill_strays_spares_contexts),
        cmocka_unit_test(test_children_kill_strays_finds_orphans_of_a_dead_context),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
