/* SPDX-License-Identifier: MIT */
#include "base/fd.h"
#include "contexts/worker/capture.h"
#include "tests/unit/unit.h"

struct fixture {
    struct capture capture;
    int writers[2];
};

static int set_up(void **state)
{
    static struct fixture f;
    struct err e = ERR_NONE;
    int out[2];
    int error[2];
    assert_ok(fd_pipe(out, &e));
    assert_ok(fd_pipe(error, &e));
    f.writers[0] = out[1];
    f.writers[1] = error[1];
    capture_init(&f.capture, out[0], error[0]);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    drop_fd(&f->writers[0]);
    drop_fd(&f->writers[1]);
    capture_close(&f->capture);
    return 0;
}

static void test_capture_waiting_counts_each_pipe(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(write(f->writers[STREAM_STDERR], "12345", 5), 5);

    assert_int_equal(capture_waiting(&f->capture, STREAM_STDOUT), 0);
    assert_int_equal(capture_waiting(&f->capture, STREAM_STDERR), 5);
}

static void test_capture_is_ready_when_either_pipe_holds_something(void **state)
{
    struct fixture *f = *state;
    char room[16];

    assert_false(capture_is_ready(&f->capture));
    assert_int_equal(write(f->writers[STREAM_STDERR], "1", 1), 1);
    assert_true(capture_is_ready(&f->capture));
    assert_int_equal(capture_read(&f->capture, STREAM_STDERR, room, sizeof room), 1);
    drop_fd(&f->writers[STREAM_STDERR]);
    f->writers[STREAM_STDERR] = -1;
    assert_false(capture_is_ready(&f->capture)); /* the end of a pipe is nothing to read */
}

static void test_capture_read_empty_pipe_does_not_wait(void **state)
{
    struct fixture *f = *state;
    char room[16];

    assert_int_equal(capture_read(&f->capture, STREAM_STDOUT, room, sizeof room), 0);
}

static void test_capture_read_takes_no_more_than_asked(void **state)
{
    struct fixture *f = *state;
    char room[16];
    assert_int_equal(write(f->writers[STREAM_STDOUT], "abcdef", 6), 6);

    assert_int_equal(capture_read(&f->capture, STREAM_STDOUT, room, 4), 4);

    assert_memory_equal(room, "abcd", 4);
    assert_int_equal(capture_waiting(&f->capture, STREAM_STDOUT), 2);
}

static void test_capture_close_leaves_nothing_to_read(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(write(f->writers[STREAM_STDOUT], "abc", 3), 3);

    capture_close(&f->capture);

    assert_int_equal(capture_waiting(&f->capture, STREAM_STDOUT), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_capture_waiting_counts_each_pipe),
        TEST(test_capture_is_ready_when_either_pipe_holds_something),
        TEST(test_capture_read_empty_pipe_does_not_wait),
        TEST(test_capture_read_takes_no_more_than_asked),
        TEST(test_capture_close_leaves_nothing_to_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
