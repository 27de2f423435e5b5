/* SPDX-License-Identifier: MIT */
#include "base/proc.h"
#include "contexts/worker/flusher.h"
#include "contexts/worker/output.h"
#include "tests/unit/peer.h"

struct fixture {
    struct output output;
    struct flusher flusher;
    struct peer peer;
    int writers[2];
};

static int set_up(void **state)
{
    static struct fixture f;
    int fds[FORK_FDS];
    peer_init(&f.peer, fds);
    struct worker_fds own = {.wire = fds[FORK_FD_WIRE],
                             .out_read = dup(fds[FORK_FD_OUT_R]),
                             .err_read = dup(fds[FORK_FD_ERR_R])};
    f.writers[0] = fds[FORK_FD_OUT_W];
    f.writers[1] = fds[FORK_FD_ERR_W];
    output_init(&f.output, own);
    flusher_init(&f.flusher, &f.output);
    output_begin(&f.output, 7, OUTPUT_HEARD);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    flusher_hold(&f->flusher);
    flusher_release(&f->flusher);
    output_close(&f->output);
    drop_fd(&f->writers[0]);
    drop_fd(&f->writers[1]);
    peer_done(&f->peer);
    return 0;
}

static void test_flusher_sends_text_that_nobody_flushes(void **state)
{
    struct fixture *f = *state;
    flusher_ensure(&f->flusher);

    output_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("first"));
    peer_expect_part(&f->peer, WIRE_STREAM, "first");

    output_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("second"));
    peer_expect_part(&f->peer, WIRE_STREAM, "second");
}

static void test_flusher_sends_text_that_was_there_before_it(void **state)
{
    struct fixture *f = *state;
    output_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("early"));

    flusher_ensure(&f->flusher);

    peer_expect_part(&f->peer, WIRE_STREAM, "early");
}

static void test_flusher_drains_a_pipe_that_nobody_reads(void **state)
{
    struct fixture *f = *state;

    enum { TOTAL = 1024 * 1024 };

    static char chunk[16 * 1024];
    memset(chunk, 'z', sizeof chunk);
    flusher_ensure(&f->flusher);

    pid_t pid = fork(); /* this test has no handlers: the copy only writes */
    if (pid == 0) {
        for (size_t sent = 0; sent < TOTAL; sent += sizeof chunk) {
            if (write(f->writers[0], chunk, sizeof chunk) != sizeof chunk) {
                _exit(1);
            }
        }
        _exit(0);
    }
    size_t seen = 0;
    while (seen < TOTAL) {
        assert_true(peer_read(&f->peer));
        for (size_t i = 0; i < f->peer.frame.content.len; i++) {
            seen += f->peer.frame.content.data[i] == 'z';
        }
    }

    assert_int_equal(seen, TOTAL);
    f->peer.pid = pid;
    assert_int_equal(peer_wait(&f->peer), 0);
}

static void test_flusher_hold_leaves_no_thread_and_release_allows_one(void **state)
{
    struct fixture *f = *state;
    size_t before = proc_thread_count();
    flusher_ensure(&f->flusher);
    assert_int_equal(proc_thread_count(), before + 1);

    flusher_hold(&f->flusher);
    assert_int_equal(proc_thread_count(), before);
    flusher_ensure(&f->flusher);
    assert_int_equal(proc_thread_count(), before);
    flusher_release(&f->flusher);
    flusher_ensure(&f->flusher);

    assert_int_equal(proc_thread_count(), before + 1);
    output_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("again"));
    peer_expect_part(&f->peer, WIRE_STREAM, "again");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_flusher_sends_text_that_nobody_flushes),
        TEST(test_flusher_sends_text_that_was_there_before_it),
        TEST(test_flusher_drains_a_pipe_that_nobody_reads),
        TEST(test_flusher_hold_leaves_no_thread_and_release_allows_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
