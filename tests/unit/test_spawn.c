/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "contexts/pool/spawn.h"
#include "tests/unit/unit.h"

/* Runs `script` in a shell started by spawn_program; gives what it wrote and its exit status. */
static void run_shell(const char *script, struct buf *out, int *status)
{
    struct err e = ERR_NONE;
    int words[2];
    int control[2];
    int lifeline[2];
    pid_t pid = 0;
    assert_ok(fd_pipe(words, &e));
    assert_ok(fd_pipe(lifeline, &e));
    assert_ok(fd_socketpair(SOCK_SEQPACKET, control, &e));
    const char *argv[] = {"sh", "-c", script, NULL};
    struct spawn_request request = {.path = "/bin/sh",
                                    .argv = argv,
                                    .control_fd = control[1],
                                    .lifeline_fd = lifeline[0],
                                    .output_fd = words[1]};

    assert_ok(spawn_program(&request, &pid, &e));

    close(words[1]);
    char chunk[512];
    ssize_t n = 0;
    while ((n = read(words[0], chunk, sizeof chunk)) > 0) {
        buf_add(out, chunk, (size_t)n);
    }
    assert_int_equal(waitpid(pid, status, 0), pid);
    const int fds[] = {words[0], control[0], control[1], lifeline[0], lifeline[1]};
    for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
        close(fds[i]);
    }
}

static void test_spawn_program_child_has_just_its_descriptors(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    int status = 0;

    run_shell("exec ls /proc/self/fd", &out, &status); /* 5 is its own, for the folder */

    assert_string_equal(buf_text(&out), "0\n1\n2\n3\n4\n5\n");
    assert_int_equal(status, 0);
}

static void test_spawn_program_child_leads_a_session_of_its_own(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    int status = 0;

    run_shell("read -r pid comm st ppid pgrp session rest < /proc/$$/stat;"
              "test $pid = $session && echo leader",
              &out, &status);

    assert_string_equal(buf_text(&out), "leader\n");
}

static void test_spawn_program_environment_is_allow_listed(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4096);
    int status = 0;
    setenv("LC_TEST", "kept", 1);
    setenv("SECRET_TOKEN", "leaked", 1);

    run_shell("echo $LC_TEST-$SECRET_TOKEN", &out, &status);

    assert_string_equal(buf_text(&out), "kept-\n");
}

static void test_spawn_program_missing_file_is_named(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    pid_t pid = -5;
    assert_ok(fd_pipe(pair, &e));
    const char *argv[] = {"x", NULL};
    struct spawn_request request = {.path = "/no/such/worker",
                                    .argv = argv,
                                    .control_fd = pair[0],
                                    .lifeline_fd = pair[0],
                                    .output_fd = pair[1]};

    assert_err(spawn_program(&request, &pid, &e), ERR_SYS);

    assert_non_null(strstr(e.text, "/no/such/worker"));
    assert_int_equal(pid, -5);
    close(pair[0]);
    close(pair[1]);
}

static void test_spawn_env_allowed_table(void **state)
{
    (void)state;

    static const struct {
        const char *entry;
        bool allowed;
    } cases[] = {
        {"PATH=/bin", true},
        {"PATHS=x", false},
        {"PAT=x", false},
        {"PYTHONPATH=x", true},
        {"LC_ALL=C", true},
        {"LC=C", false},
        {"JPY_PARENT_PID=1", false},
        {"AWS_SECRET_ACCESS_KEY=x", false},
        {"=odd", false},
        {"", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_int_equal(spawn_env_allowed(cases[i].entry), cases[i].allowed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spawn_program_child_has_just_its_descriptors),
        cmocka_unit_test(test_spawn_program_child_leads_a_session_of_its_own),
        cmocka_unit_test(test_spawn_program_environment_is_allow_listed),
        cmocka_unit_test(test_spawn_program_missing_file_is_named),
        cmocka_unit_test(test_spawn_env_allowed_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
