/* SPDX-License-Identifier: MIT */
#include <sys/ioctl.h>

#include "base/mem.h"
#include "contexts/worker/output.h"
#include "tests/unit/peer.h"

struct fixture {
    struct output output;
    struct peer peer;
    int writers[2]; /* what descriptors 1 and 2 of a context would be */
};

static int set_up(void **state)
{
    static struct fixture f;
    int fds[FORK_FDS];
    peer_init(&f.peer, fds);
    /* The pipes' read ends belong to the output; the peer keeps copies, as the broker does. */
    struct worker_fds own = {.wire = fds[FORK_FD_WIRE],
                             .out_read = dup(fds[FORK_FD_OUT_R]),
                             .err_read = dup(fds[FORK_FD_ERR_R])};
    f.writers[0] = fds[FORK_FD_OUT_W];
    f.writers[1] = fds[FORK_FD_ERR_W];
    output_init(&f.output, own);
    output_begin(&f.output, 7, OUTPUT_HEARD);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    output_close(&f->output);
    drop_fd(&f->writers[0]);
    drop_fd(&f->writers[1]);
    peer_done(&f->peer);
    return 0;
}

static void say(struct fixture *f, enum stream_kind kind, const char *text)
{
    output_text(&f->output, LATEST_EXEC, kind, slice_of(text));
}

static void write_pipe(struct fixture *f, enum stream_kind kind, const char *text)
{
    assert_int_equal(write(f->writers[kind], text, strlen(text)), strlen(text));
}

static int bytes_at_peer(const struct fixture *f)
{
    int count = -1;
    assert_int_equal(ioctl(f->peer.wire, FIONREAD, &count), 0);
    return count;
}

#define OUT(text)  "{\"name\": \"stdout\", \"text\": \"" text "\"}"
#define FAIL(text) "{\"name\": \"stderr\", \"text\": \"" text "\"}"

static void test_output_text_waits_and_leaves_as_one(void **state)
{
    struct fixture *f = *state;
    say(f, STREAM_STDOUT, "a");
    say(f, STREAM_STDOUT, "b\n");
    assert_int_equal(bytes_at_peer(f), 0);

    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("ab\\n"));
    assert_int_equal(f->peer.frame.exec, 7);
}

static void test_output_text_kinds_keep_their_order(void **state)
{
    struct fixture *f = *state;
    say(f, STREAM_STDOUT, "1");
    say(f, STREAM_STDERR, "2");
    say(f, STREAM_STDOUT, "3");

    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("1"));
    peer_expect(&f->peer, WIRE_STREAM, FAIL("2"));
    peer_expect(&f->peer, WIRE_STREAM, OUT("3"));
}

static void test_output_text_foreign_output_comes_before_later_text(void **state)
{
    struct fixture *f = *state;
    say(f, STREAM_STDOUT, "before ");
    output_expect(&f->output, OTHERS_FOR_NOW);
    write_pipe(f, STREAM_STDOUT, "child ");

    say(f, STREAM_STDOUT, "after");
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("before child after"));
}

static void test_output_try_text_foreign_output_waiting_is_refused(void **state)
{
    struct fixture *f = *state;
    assert_true(output_try_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("a")));
    output_expect(&f->output, OTHERS_FOR_NOW);
    write_pipe(f, STREAM_STDOUT, "b");

    assert_false(output_try_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("c")));
}

static void test_output_try_text_full_is_refused_and_nothing_lost(void **state)
{
    struct fixture *f = *state;
    char line[1024];
    memset(line, 'x', sizeof line);
    struct slice text = {.data = line, .len = sizeof line};
    size_t taken = 0;

    while (output_try_text(&f->output, LATEST_EXEC, STREAM_STDOUT, text)) {
        taken += text.len;
        assert_true(taken <= STREAM_CHUNK_MAX);
    }

    assert_int_equal(bytes_at_peer(f), 0);
    output_flush(&f->output);
    assert_true(peer_read(&f->peer));
    assert_int_equal(f->peer.frame.content.len, taken + strlen(OUT("")));
}

static void test_output_text_split_code_point_stays_whole(void **state)
{
    struct fixture *f = *state;
    say(f, STREAM_STDOUT, "\xe2\x82");
    output_flush(&f->output);
    assert_int_equal(bytes_at_peer(f), 0);

    say(f, STREAM_STDERR, "!");
    say(f, STREAM_STDOUT, "\xac");
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, FAIL("!"));
    peer_expect(&f->peer, WIRE_STREAM, OUT("\xe2\x82\xac"));
}

static void test_output_settle_unfinished_code_point_is_replaced(void **state)
{
    struct fixture *f = *state;
    write_pipe(f, STREAM_STDERR, "x\xe2\x82");

    output_settle(&f->output, OUTPUT_LOOK);
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, FAIL("x\xef\xbf\xbd"));
}

static void test_output_text_large_is_cut_into_bounded_messages(void **state)
{
    struct fixture *f = *state;
    size_t len = 3UL * MIB;
    _cleanup_(drop_free) char *text = xcalloc(len, 1);
    memset(text, 'y', len);

    pid_t pid = fork();
    if (pid == 0) {
        output_text(&f->output, LATEST_EXEC, STREAM_STDOUT,
                    (struct slice){.data = text, .len = len});
        output_flush(&f->output);
        _exit(0);
    }
    size_t seen = 0;
    while (seen < len) {
        assert_true(peer_read(&f->peer));
        size_t part = f->peer.frame.content.len - strlen(OUT(""));
        assert_true(part <= STREAM_CHUNK_MAX);
        seen += part;
    }

    assert_int_equal(seen, len);
    f->peer.pid = pid;
    assert_int_equal(peer_wait(&f->peer), 0);
}

static void test_output_hint_sends_at_once_but_not_every_time(void **state)
{
    struct fixture *f = *state;
    say(f, STREAM_STDOUT, "first");
    output_hint(&f->output);
    peer_expect(&f->peer, WIRE_STREAM, OUT("first"));

    f->output.pace.sent_us = INT64_MAX / 2; /* as if it had been sent this very moment */
    say(f, STREAM_STDOUT, "second");
    output_hint(&f->output);
    assert_int_equal(bytes_at_peer(f), 0);

    f->output.pace.sent_us = 0;
    output_hint(&f->output);
    peer_expect(&f->peer, WIRE_STREAM, OUT("second"));
}

static void test_output_frame_comes_after_text_and_pipes(void **state)
{
    struct fixture *f = *state;
    struct wire_frame display = {.type = WIRE_DISPLAY_DATA, .content = SLICE_LIT("{}")};
    say(f, STREAM_STDOUT, "text ");
    write_pipe(f, STREAM_STDOUT, "pipe");

    output_frame(&f->output, &display, OUTPUT_NOW);

    peer_expect(&f->peer, WIRE_STREAM, OUT("text pipe"));
    peer_expect(&f->peer, WIRE_DISPLAY_DATA, "{}");
    assert_int_equal(f->peer.frame.exec, 7);
}

static void test_output_muted_execution_sends_nothing_but_its_reply(void **state)
{
    struct fixture *f = *state;
    struct wire_frame display = {.type = WIRE_DISPLAY_DATA, .content = SLICE_LIT("{}")};
    struct wire_frame done = {.type = WIRE_DONE, .exec = 8, .content = SLICE_LIT("{}")};

    output_begin(&f->output, 8, OUTPUT_MUTED);
    say(f, STREAM_STDOUT, "text");
    write_pipe(f, STREAM_STDOUT, "pipe");
    output_frame(&f->output, &display, OUTPUT_NOW);
    output_settle(&f->output, OUTPUT_LOOK);
    output_send(&f->output, &done);

    peer_expect(&f->peer, WIRE_DONE, "{}");
    assert_int_equal(bytes_at_peer(f), 0);
}

static void test_output_settle_seen_looks_at_pipes_only_when_others_write(void **state)
{
    struct fixture *f = *state;
    struct wire_frame done = {.type = WIRE_DONE, .exec = 7, .content = SLICE_LIT("{}")};

    write_pipe(f, STREAM_STDOUT, "a");
    output_settle(&f->output, OUTPUT_SEEN);
    output_send(&f->output, &done);
    peer_expect(&f->peer, WIRE_DONE, "{}");

    output_expect(&f->output, OTHERS_FOR_NOW);
    write_pipe(f, STREAM_STDOUT, "b");
    output_settle(&f->output, OUTPUT_SEEN);
    output_send(&f->output, &done);
    peer_expect(&f->peer, WIRE_STREAM, OUT("ab"));
    peer_expect(&f->peer, WIRE_DONE, "{}");
}

static void test_output_late_text_belongs_to_last_heard_execution(void **state)
{
    struct fixture *f = *state;
    output_settle(&f->output, OUTPUT_LOOK);
    output_begin(&f->output, 8, OUTPUT_MUTED);
    output_settle(&f->output, OUTPUT_LOOK);

    say(f, STREAM_STDOUT, "late");
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("late"));
    assert_int_equal(f->peer.frame.exec, 7);
}

static void test_output_begin_sends_older_text_under_its_own_name(void **state)
{
    struct fixture *f = *state;
    output_settle(&f->output, OUTPUT_LOOK);
    say(f, STREAM_STDOUT, "old");

    output_begin(&f->output, 9, OUTPUT_HEARD);
    say(f, STREAM_STDOUT, "new");
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("old"));
    assert_int_equal(f->peer.frame.exec, 7);
    peer_expect(&f->peer, WIRE_STREAM, OUT("new"));
    assert_int_equal(f->peer.frame.exec, 9);
}

static void test_output_text_of_another_execution_keeps_its_name(void **state)
{
    struct fixture *f = *state;
    output_begin(&f->output, 9, OUTPUT_HEARD);
    say(f, STREAM_STDOUT, "cell ");
    output_text(&f->output, 7, STREAM_STDOUT, SLICE_LIT("task"));
    say(f, STREAM_STDOUT, "cell");

    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("cell "));
    assert_int_equal(f->peer.frame.exec, 9);
    peer_expect(&f->peer, WIRE_STREAM, OUT("task"));
    assert_int_equal(f->peer.frame.exec, 7);
    peer_expect(&f->peer, WIRE_STREAM, OUT("cell"));
    assert_int_equal(f->peer.frame.exec, 9);
}

static void test_output_muted_execution_does_not_mute_tasks_of_others(void **state)
{
    struct fixture *f = *state;
    output_begin(&f->output, 9, OUTPUT_MUTED);

    output_text(&f->output, 7, STREAM_STDERR, SLICE_LIT("task"));
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, FAIL("task"));
    assert_int_equal(f->peer.frame.exec, 7);
}

static void test_output_become_copy_forgets_text_and_writes_descriptors(void **state)
{
    struct fixture *f = *state;
    say(f, STREAM_STDOUT, "of the parent");

    pid_t pid = fork();
    if (pid == 0) {
        dup2(f->writers[0], STDOUT_FILENO);
        output_become_copy(&f->output);
        output_text(&f->output, LATEST_EXEC, STREAM_STDOUT, SLICE_LIT("of the copy\n"));
        output_flush(&f->output);
        _exit(0);
    }
    f->peer.pid = pid;
    assert_int_equal(peer_wait(&f->peer), 0);
    output_flush(&f->output);

    peer_expect(&f->peer, WIRE_STREAM, OUT("of the parentof the copy\\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_output_text_waits_and_leaves_as_one),
        TEST(test_output_text_kinds_keep_their_order),
        TEST(test_output_text_foreign_output_comes_before_later_text),
        TEST(test_output_try_text_foreign_output_waiting_is_refused),
        TEST(test_output_try_text_full_is_refused_and_nothing_lost),
        TEST(test_output_text_split_code_point_stays_whole),
        TEST(test_output_settle_unfinished_code_point_is_replaced),
        TEST(test_output_settle_seen_looks_at_pipes_only_when_others_write),
        TEST(test_output_text_large_is_cut_into_bounded_messages),
        TEST(test_output_hint_sends_at_once_but_not_every_time),
        TEST(test_output_frame_comes_after_text_and_pipes),
        TEST(test_output_muted_execution_sends_nothing_but_its_reply),
        TEST(test_output_late_text_belongs_to_last_heard_execution),
        TEST(test_output_begin_sends_older_text_under_its_own_name),
        TEST(test_output_text_of_another_execution_keeps_its_name),
        TEST(test_output_muted_execution_does_not_mute_tasks_of_others),
        TEST(test_output_become_copy_forgets_text_and_writes_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
