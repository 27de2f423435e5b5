/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "base/mem.h"
#include "tests/unit/unit.h"

static void test_xcalloc_zero_count_gives_memory(void **state)
{
    (void)state;
    _cleanup_(drop_free) void *p = xcalloc(0, 0);

    assert_non_null(p);
}

static void test_xstrndup_embedded_nul_copies_all_bytes(void **state)
{
    (void)state;
    _cleanup_(drop_free) char *copy = xstrndup("a\0bc", 3);

    assert_memory_equal(copy, "a\0b", 4);
}

static void test_xasprintf_long_text_is_whole(void **state)
{
    (void)state;
    _cleanup_(drop_free) char *text = xasprintf("%0500d%s", 7, "!");

    assert_int_equal(strlen(text), 501);
    assert_string_equal(text + 499, "7!");
}

/* In a child of its own, because it has to abort. */
static void overflow_in_child(int err_fd)
{
    signal(SIGABRT, SIG_DFL);
    dup2(err_fd, STDERR_FILENO);
    volatile size_t huge = SIZE_MAX;
    void *p = xrealloc(NULL, huge, 2);
    _exit(p != NULL ? 0 : 1);
}

static void test_xrealloc_overflow_aborts_with_a_line(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int ends[2];
    assert_ok(fd_pipe(ends, &e));
    _cleanup_(drop_fd) int reading = ends[0];

    pid_t child = fork();
    if (child == 0) {
        overflow_in_child(ends[1]);
    }
    close(ends[1]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);

    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    char line[64] = {0};
    assert_true(read(reading, line, sizeof line - 1) > 0);
    assert_string_equal(line, "pandia: out of memory\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xcalloc_zero_count_gives_memory),
        cmocka_unit_test(test_xstrndup_embedded_nul_copies_all_bytes),
        cmocka_unit_test(test_xasprintf_long_text_is_whole),
        cmocka_unit_test(test_xrealloc_overflow_aborts_with_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
