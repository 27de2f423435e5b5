/* SPDX-License-Identifier: MIT */
#include <sys/ioctl.h>

#include "base/mem.h"
#include "contexts/worker/channel.h"
#include "tests/unit/peer.h"

struct fixture {
    struct channel channel;
    struct peer peer;
};

static int set_up(void **state)
{
    static struct fixture f;
    int fds[FORK_FDS];
    peer_init(&f.peer, fds);
    channel_init(&f.channel, fds[FORK_FD_WIRE], NULL);
    close(fds[FORK_FD_OUT_W]);
    close(fds[FORK_FD_ERR_W]);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    channel_close(&f->channel);
    peer_done(&f->peer);
    return 0;
}

static void add(struct fixture *f, uint64_t exec, struct slice content)
{
    struct wire_frame frame = {.type = WIRE_STREAM, .exec = exec, .content = content};
    channel_add(&f->channel, &frame);
}

static int bytes_at_peer(const struct fixture *f)
{
    int count = -1;
    assert_int_equal(ioctl(f->peer.wire, FIONREAD, &count), 0);
    return count;
}

static void test_channel_add_small_frames_wait_for_push(void **state)
{
    struct fixture *f = *state;
    add(f, 1, SLICE_LIT("{}"));
    add(f, 2, SLICE_LIT("{}"));
    assert_int_equal(bytes_at_peer(f), 0);

    channel_push(&f->channel);

    peer_expect(&f->peer, WIRE_STREAM, "{}");
    assert_int_equal(f->peer.frame.exec, 1);
    peer_expect(&f->peer, WIRE_STREAM, "{}");
    assert_int_equal(f->peer.frame.exec, 2);
}

static void test_channel_add_large_frame_goes_at_once_and_last(void **state)
{
    struct fixture *f = *state;
    size_t len = 120UL * KIB; /* too large to wait, small enough for the socket's buffer */
    _cleanup_(drop_free) char *large = xcalloc(len, 1);
    memset(large, 'x', len);
    add(f, 1, SLICE_LIT("{}"));

    add(f, 2, (struct slice){.data = large, .len = len});

    peer_expect(&f->peer, WIRE_STREAM, "{}");
    assert_true(peer_read(&f->peer));
    assert_int_equal(f->peer.frame.exec, 2);
    assert_int_equal(f->peer.frame.content.len, len);
}

static void test_channel_push_nonblocking_full_socket_waits_until_all_is_out(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    enum { FRAMES = 20, LEN = 64 * 1024 };

    _cleanup_(drop_free) char *text = xcalloc(LEN, 1);
    assert_ok(fd_set_nonblocking(f->channel.fd, &e));

    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < FRAMES; i++) {
            add(f, (uint64_t)i, (struct slice){.data = text, .len = LEN});
            channel_push(&f->channel);
        }
        _exit(f->channel.broken ? 1 : 0);
    }
    for (int i = 0; i < FRAMES; i++) {
        assert_true(peer_read(&f->peer));
        assert_int_equal(f->peer.frame.exec, i);
    }

    f->peer.pid = pid;
    assert_int_equal(peer_wait(&f->peer), 0);
}

static void test_channel_push_peer_gone_drops_everything(void **state)
{
    struct fixture *f = *state;
    close(take_fd(&f->peer.wire));
    add(f, 1, SLICE_LIT("{}"));

    channel_push(&f->channel);

    assert_true(f->channel.broken);
    assert_int_equal(f->channel.waiting.len, 0);
    add(f, 2, SLICE_LIT("{}"));
    assert_int_equal(f->channel.waiting.len, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_channel_add_small_frames_wait_for_push),
        TEST(test_channel_add_large_frame_goes_at_once_and_last),
        TEST(test_channel_push_nonblocking_full_socket_waits_until_all_is_out),
        TEST(test_channel_push_peer_gone_drops_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
