/* SPDX-License-Identifier: MIT */
#include <poll.h>
#include <sys/wait.h>

#include "base/proc.h"
#include "tests/unit/unit.h"

static void test_proc_children_lists_a_new_child(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int gate[2];
    assert_int_equal(pipe(gate), 0);
    pid_t child = fork();
    if (child == 0) {
        char byte = 0;
        close(gate[1]);
        _exit(read(gate[0], &byte, 1) == 0 ? 0 : 1); /* until the parent closes */
    }
    close(gate[0]);

    pid_t seen[16];
    size_t count = proc_children(seen, ARRAY_LEN(seen));
    int pidfd = proc_pidfd_open(child, &e);

    assert_int_equal(count, 1);
    assert_int_equal(seen[0], child);
    assert_true(pidfd >= 0);
    close(gate[1]);
    struct pollfd end = {.fd = pidfd, .events = POLLIN};
    assert_int_equal(poll(&end, 1, 5000), 1);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(proc_children(seen, ARRAY_LEN(seen)), 0);
    close(pidfd);
}

static void test_proc_pidfd_open_nobody_is_an_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    assert_err(proc_pidfd_open(0x3fffffff, &e), ERR_SYS);
}

static void test_proc_thread_count_counts_this_one(void **state)
{
    (void)state;
    assert_int_equal(proc_thread_count(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proc_children_lists_a_new_child),
        cmocka_unit_test(test_proc_pidfd_open_nobody_is_an_error),
        cmocka_unit_test(test_proc_thread_count_counts_this_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
