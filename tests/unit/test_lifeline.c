/* SPDX-License-Identifier: MIT */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "contexts/worker/birth.h"
#include "tests/unit/unit.h"

static void test_lifeline_is_cut_tells_when_the_writer_is_gone(void **state)
{
    struct err e = ERR_NONE;
    int ends[2];
    (void)state;
    assert_ok(fd_pipe(ends, &e));
    assert_false(lifeline_is_cut(ends[0]));

    close(ends[1]);

    assert_true(lifeline_is_cut(ends[0]));
    close(ends[0]);
}

/* A member of the context's group that ignores all it can; says when it is ready. */
static _Noreturn void be_stubborn(int ready_fd)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    if (write(ready_fd, "r", 1) != 1) {
        _exit(1);
    }
    for (;;) {
    }
}

static _Noreturn void be_context(const int lifeline[2], int ready_fd)
{
    struct err e = ERR_NONE;
    close(lifeline[1]);
    setsid();
    if (lifeline_tie(lifeline[0], &e) < 0) {
        _exit(1);
    }
    if (fork() == 0) {
        be_stubborn(ready_fd);
    }
    be_stubborn(ready_fd);
}

static void test_lifeline_tie_kills_the_whole_group_when_cut(void **state)
{
    struct err e = ERR_NONE;
    int lifeline[2];
    int ready[2];
    int status = 0;
    char byte = 0;
    (void)state;
    assert_ok(fd_pipe(lifeline, &e));
    assert_ok(fd_pipe(ready, &e));
    pid_t pid = fork();
    if (pid == 0) {
        close(ready[0]);
        be_context(lifeline, ready[1]);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(read(ready[0], &byte, 1), 1);

    close(lifeline[1]);

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    /* The other member held the last write end of `ready`. */
    struct pollfd end = {.fd = ready[0], .events = POLLIN};
    assert_int_equal(poll(&end, 1, 10000), 1);
    assert_int_equal(read(ready[0], &byte, 1), 0);
    close(ready[0]);
    close(lifeline[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lifeline_is_cut_tells_when_the_writer_is_gone),
        cmocka_unit_test(test_lifeline_tie_kills_the_whole_group_when_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
