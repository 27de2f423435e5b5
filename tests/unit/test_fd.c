/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/mem.h"
#include "tests/unit/unit.h"

static bool is_cloexec(int fd)
{
    return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void test_fd_socketpair_is_connected_and_cloexec(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int a = pair[0];
    _cleanup_(drop_fd) int b = pair[1];

    char got = 0;
    assert_int_equal(write(a, "x", 1), 1);
    assert_int_equal(read(b, &got, 1), 1);

    assert_int_equal(got, 'x');
    assert_true(is_cloexec(a) && is_cloexec(b));
}

static void test_fd_socketpair_bad_type_is_sys_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2] = {-7, -7};

    assert_err(fd_socketpair(12345, pair, &e), ERR_SYS);
    assert_int_not_equal(e.sys, 0);
}

static void test_fd_pipe_nonblocking_end_says_eagain(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int ends[2];
    assert_ok(fd_pipe(ends, &e));
    _cleanup_(drop_fd) int r = ends[0];
    _cleanup_(drop_fd) int w = ends[1];
    assert_true(is_cloexec(r) && is_cloexec(w));

    assert_ok(fd_set_nonblocking(r, &e));

    char got = 0;
    assert_int_equal(read(r, &got, 1), -1);
    assert_int_equal(errno, EAGAIN);
    assert_err(fd_set_nonblocking(-1, &e), ERR_SYS);
}

/* A folder of its own for tests that write files. */
static int make_folder(void **state)
{
    char *path = xstrdup("/tmp/pandia-test-fd.XXXXXX");
    *state = path;
    return mkdtemp(path) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
    char *path = *state;
    _cleanup_(drop_free) char *file = xasprintf("%s/file", path);
    (void)unlink(file);       /* not every test makes it */
    int failed = rmdir(path); /* fails when a temporary file was left behind */
    free(path);
    return failed;
}

static void test_fd_write_file_then_read_gives_the_same(void **state)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *path = xasprintf("%s/file", (char *)*state);
    _cleanup_(drop_buf) struct buf big = BUF_INIT(100000);
    memset(buf_reserve(&big, 50000), 'y', 50000);
    buf_commit(&big, 50000);

    assert_ok(fd_write_file(path, SLICE_LIT("old"), 0644, &e));
    assert_ok(fd_write_file(path, buf_slice(&big), 0600, &e));

    _cleanup_(drop_buf) struct buf got = BUF_INIT(50000);
    struct stat st;
    assert_ok(fd_read_file(path, &got, &e));
    assert_int_equal(got.len, 50000);
    assert_memory_equal(got.data, big.data, 50000);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
}

static void test_fd_read_file_too_large_is_limit_error(void **state)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *path = xasprintf("%s/file", (char *)*state);
    assert_ok(fd_write_file(path, SLICE_LIT("abcdef"), 0644, &e));

    _cleanup_(drop_buf) struct buf got = BUF_INIT(5);
    assert_err(fd_read_file(path, &got, &e), ERR_LIMIT);
    assert_non_null(strstr(e.text, path));
}

static void test_fd_read_file_missing_names_the_path(void **state)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *path = xasprintf("%s/none", (char *)*state);
    _cleanup_(drop_buf) struct buf got = BUF_INIT(5);

    assert_err(fd_read_file(path, &got, &e), ERR_SYS);

    assert_int_equal(e.sys, ENOENT);
    assert_non_null(strstr(e.text, path));
}

static void test_fd_write_file_failure_leaves_nothing_behind(void **state)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *path = xasprintf("%s/none/file", (char *)*state);

    assert_err(fd_write_file(path, SLICE_LIT("x"), 0644, &e), ERR_SYS);
    assert_int_equal(e.sys, ENOENT);

    /* A folder cannot be replaced by a file; the temporary one must go again. */
    _cleanup_(drop_free) char *folder = xasprintf("%s/file", (char *)*state);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_err(fd_write_file(folder, SLICE_LIT("x"), 0644, &e), ERR_SYS);
    assert_int_equal(e.sys, EISDIR);
    assert_int_equal(rmdir(folder), 0);
}

static void test_fd_write_all_closed_reader_is_sys_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_fd) int reading = open("/dev/null", O_RDONLY | O_CLOEXEC);

    assert_err(fd_write_all(reading, "x", 1, &e), ERR_SYS);
    assert_int_equal(e.sys, EBADF);
}

static void test_fd_send_descriptors_arrive_usable(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    int ends[2];
    assert_ok(fd_socketpair(SOCK_SEQPACKET, pair, &e));
    assert_ok(fd_pipe(ends, &e));
    _cleanup_(drop_fd) int a = pair[0];
    _cleanup_(drop_fd) int b = pair[1];
    _cleanup_(drop_fd) int r = ends[0];
    _cleanup_(drop_fd) int w = ends[1];

    assert_ok(fd_send(a, SLICE_LIT("hello"), &w, 1, &e));
    char data[16];
    int fds[FD_PASS_MAX];
    size_t count = 99;
    assert_int_equal(fd_receive(b, data, sizeof data, fds, &count, &e), 5);

    assert_int_equal(count, 1);
    _cleanup_(drop_fd) int got = fds[0];
    assert_true(is_cloexec(got));
    assert_ok(fd_write_all(got, "z", 1, &e));
    char byte = 0;
    assert_int_equal(read(r, &byte, 1), 1);
    assert_int_equal(byte, 'z');
}

static void test_fd_send_most_descriptors_but_not_more(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_SEQPACKET, pair, &e));
    _cleanup_(drop_fd) int a = pair[0];
    _cleanup_(drop_fd) int b = pair[1];
    int many[FD_PASS_MAX + 1];
    for (size_t i = 0; i < ARRAY_LEN(many); i++) {
        many[i] = a;
    }

    assert_err(fd_send(a, SLICE_LIT("x"), many, FD_PASS_MAX + 1, &e), ERR_LIMIT);
    assert_ok(fd_send(a, SLICE_LIT("x"), many, FD_PASS_MAX, &e));

    char data[16];
    int fds[FD_PASS_MAX];
    size_t count = 0;
    assert_int_equal(fd_receive(b, data, sizeof data, fds, &count, &e), 1);
    assert_int_equal(count, FD_PASS_MAX);
    for (size_t i = 0; i < count; i++) {
        close(fds[i]);
    }
}

static void test_fd_receive_message_larger_than_room_is_limit_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_SEQPACKET, pair, &e));
    _cleanup_(drop_fd) int a = pair[0];
    _cleanup_(drop_fd) int b = pair[1];
    assert_ok(fd_send(a, SLICE_LIT("too long"), &a, 1, &e));
    assert_ok(fd_send(a, SLICE_LIT("next"), NULL, 0, &e));
    int lowest = dup(a); /* the number that a passed descriptor would get */
    close(lowest);

    char data[4];
    int fds[FD_PASS_MAX];
    size_t count = 0;
    assert_err(fd_receive(b, data, sizeof data, fds, &count, &e), ERR_LIMIT);

    assert_false(is_open(lowest));
    assert_int_equal(fd_receive(b, data, sizeof data, fds, &count, &e), 4);
    assert_int_equal(count, 0);
}

static void test_fd_receive_end_and_nothing_are_told_apart(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_SEQPACKET, pair, &e));
    _cleanup_(drop_fd) int b = pair[1];
    assert_ok(fd_set_nonblocking(b, &e));
    char data[4];
    int fds[FD_PASS_MAX];
    size_t count = 0;

    assert_err(fd_receive(b, data, sizeof data, fds, &count, &e), ERR_SYS);
    assert_int_equal(e.sys, EAGAIN);

    close(pair[0]);
    assert_int_equal(fd_receive(b, data, sizeof data, fds, &count, &e), 0);
}

static void test_fd_send_closed_peer_is_error_without_sigpipe(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_SEQPACKET, pair, &e));
    _cleanup_(drop_fd) int a = pair[0];
    close(pair[1]);

    assert_err(fd_send(a, SLICE_LIT("x"), NULL, 0, &e), ERR_SYS);
    assert_int_equal(e.sys, EPIPE);
}

static void test_fd_raise_limit_reaches_the_hard_one(void **state)
{
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    struct rlimit low = {.rlim_cur = 64, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);

    assert_int_equal(fd_raise_limit(), low.rlim_cur);

    struct rlimit after;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &after), 0);
    assert_int_equal(after.rlim_cur, before.rlim_max);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fd_socketpair_is_connected_and_cloexec),
        cmocka_unit_test(test_fd_socketpair_bad_type_is_sys_error),
        cmocka_unit_test(test_fd_pipe_nonblocking_end_says_eagain),
        IN_FOLDER(test_fd_write_file_then_read_gives_the_same),
        IN_FOLDER(test_fd_read_file_too_large_is_limit_error),
        IN_FOLDER(test_fd_read_file_missing_names_the_path),
        IN_FOLDER(test_fd_write_file_failure_leaves_nothing_behind),
        cmocka_unit_test(test_fd_write_all_closed_reader_is_sys_error),
        cmocka_unit_test(test_fd_send_descriptors_arrive_usable),
        cmocka_unit_test(test_fd_send_most_descriptors_but_not_more),
        cmocka_unit_test(test_fd_receive_message_larger_than_room_is_limit_error),
        cmocka_unit_test(test_fd_receive_end_and_nothing_are_told_apart),
        cmocka_unit_test(test_fd_send_closed_peer_is_error_without_sigpipe),
        cmocka_unit_test(test_fd_raise_limit_reaches_the_hard_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
