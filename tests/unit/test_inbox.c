/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/mem.h"
#include "contexts/worker/inbox.h"
#include "tests/unit/unit.h"

enum { SOON_MS = 10, DEADLINE_MS = 20000 };

struct fixture {
    struct inbox in;
    int broker; /* the other end */
    int worker;
};

static int set_up(void **state)
{
    static struct fixture f;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    f = (struct fixture){.broker = pair[0], .worker = pair[1]};
    assert_ok(fd_set_nonblocking(f.worker, &e));
    inbox_init(&f.in, f.worker);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    inbox_done(&f->in);
    drop_fd(&f->broker);
    drop_fd(&f->worker);
    return 0;
}

static void post(struct fixture *f, enum wire_type type, uint64_t exec, const char *content)
{
    struct wire_frame frame = {.type = type, .exec = exec, .content = slice_of(content)};
    struct err e = ERR_NONE;
    assert_ok(wire_write(f->broker, &frame, &e));
}

/* Frames of one type; `arg` names it. Answers of executions other than 1 are for nobody. */
static enum inbox_verdict only(const void *arg, const struct wire_frame *frame)
{
    const enum wire_type *type = arg;
    if (frame->type == WIRE_INPUT_REPLY && frame->exec != 1) {
        return INBOX_DROP;
    }
    return frame->type == *type ? INBOX_TAKE : INBOX_HOLD;
}

static enum inbox_verdict all(const void *arg, const struct wire_frame *frame)
{
    (void)arg;
    (void)frame;
    return INBOX_TAKE;
}

/* Reads what was sent, and looks once. */
static int look(struct fixture *f, enum wire_type type, struct letter **out, struct err *e)
{
    (void)!inbox_read(&f->in, e); /* mostly nothing new */
    return inbox_take(&f->in, only, &type, out, e);
}

static void expect(struct fixture *f, inbox_sorter *sort, const void *arg, const char *content)
{
    struct letter *taken = NULL;
    struct err e = ERR_NONE;
    assert_int_equal(inbox_take(&f->in, sort, arg, &taken, &e), 1);
    _cleanup_(drop_letter) struct letter *letter = taken;
    assert_slice_equal(letter->frame.content, content);
}

static void test_inbox_empty_gives_nothing(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;

    assert_int_equal(inbox_read(&f->in, &e), 0);
    assert_int_equal(inbox_take(&f->in, all, NULL, &letter, &e), 0);

    assert_null(letter);
}

static void test_inbox_letter_has_the_whole_frame(void **state)
{
    struct fixture *f = *state;
    struct slice buffers[] = {SLICE_LIT("one"), SLICE_LIT(""), SLICE_LIT("three")};
    struct wire_frame frame = {.type = WIRE_COMM,
                               .exec = 7,
                               .content = SLICE_LIT("{}"),
                               .buffers = buffers,
                               .buffer_count = ARRAY_LEN(buffers)};
    struct letter *taken = NULL;
    struct err e = ERR_NONE;
    assert_ok(wire_write(f->broker, &frame, &e));

    assert_int_equal(look(f, WIRE_COMM, &taken, &e), 1);

    _cleanup_(drop_letter) struct letter *letter = taken;
    assert_int_equal(letter->frame.exec, 7);
    assert_slice_equal(letter->frame.content, "{}");
    assert_int_equal(letter->frame.buffer_count, ARRAY_LEN(buffers));
    for (size_t i = 0; i < ARRAY_LEN(buffers); i++) {
        assert_true(slice_eq(letter->frame.buffers[i], buffers[i]));
    }
}

static void test_inbox_letter_outlives_what_is_read_after_it(void **state)
{
    struct fixture *f = *state;
    struct letter *taken = NULL;
    struct err e = ERR_NONE;
    post(f, WIRE_COMM, 1, "first");
    assert_int_equal(look(f, WIRE_COMM, &taken, &e), 1);
    _cleanup_(drop_letter) struct letter *letter = taken;

    for (int i = 0; i < 100; i++) {
        post(f, WIRE_COMM, 1, "another, and it is longer than the first");
        assert_int_equal(inbox_read(&f->in, &e), 1);
        expect(f, all, NULL, "another, and it is longer than the first");
    }

    assert_slice_equal(letter->frame.content, "first");
}

static void test_inbox_held_frames_come_first_and_in_order(void **state)
{
    struct fixture *f = *state;
    enum wire_type comm = WIRE_COMM;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    post(f, WIRE_COMM, 2, "a");
    post(f, WIRE_INSPECT, 3, "b");
    post(f, WIRE_COMM, 4, "c");

    assert_int_equal(look(f, WIRE_INPUT_REPLY, &letter, &e), 0); /* leaves all of them */
    post(f, WIRE_COMM, 5, "d");
    assert_int_equal(inbox_read(&f->in, &e), 1);

    expect(f, only, &comm, "a");
    expect(f, only, &comm, "c");
    expect(f, only, &comm, "d");
    expect(f, all, NULL, "b");
    assert_int_equal(inbox_take(&f->in, all, NULL, &letter, &e), 0);
    assert_int_equal(f->in.held_bytes, 0);
}

static void test_inbox_answer_read_by_another_waits_for_its_own(void **state)
{
    struct fixture *f = *state;
    enum wire_type reply = WIRE_INPUT_REPLY;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    post(f, WIRE_INPUT_REPLY, 1, "answer");

    assert_int_equal(look(f, WIRE_COMM, &letter, &e), 0);

    expect(f, only, &reply, "answer");
}

static void test_inbox_dropped_frame_is_gone_for_all(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    post(f, WIRE_INPUT_REPLY, 99, "stale");

    assert_int_equal(look(f, WIRE_INPUT_REPLY, &letter, &e), 0);

    assert_int_equal(inbox_take(&f->in, all, NULL, &letter, &e), 0);
}

static void test_inbox_stop_ends_every_wait_after_what_came_before(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    inbox_open(&f->in);
    post(f, WIRE_COMM, 1, "before");
    post(f, WIRE_STOP, 0, "");
    post(f, WIRE_COMM, 1, "after");
    assert_int_equal(inbox_read(&f->in, &e), 1);

    expect(f, all, NULL, "before");
    assert_false(inbox_is_stopping(&f->in));
    assert_err(inbox_take(&f->in, all, NULL, &letter, &e), ERR_GONE);

    assert_true(inbox_is_stopping(&f->in));
    assert_err(inbox_wait(&f->in, all, NULL, DEADLINE_MS, &letter, &e), ERR_GONE);
    assert_null(letter);
}

static void test_inbox_wait_gives_up_when_the_time_is_over(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    inbox_open(&f->in);

    assert_int_equal(inbox_wait(&f->in, all, NULL, SOON_MS, &letter, &e), 0);
}

static void test_inbox_wait_without_a_cell_is_refused(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    inbox_open(&f->in);
    inbox_close(&f->in);
    post(f, WIRE_EXECUTE, 2, "next cell");

    assert_err(inbox_wait(&f->in, all, NULL, DEADLINE_MS, &letter, &e), ERR_STATE);

    assert_int_equal(inbox_read(&f->in, &e), 1); /* it was not touched */
    expect(f, all, NULL, "next cell");
}

static void test_inbox_end_of_the_broker_is_gone(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    inbox_open(&f->in);
    close(take_fd(&f->broker));

    assert_err(inbox_wait(&f->in, all, NULL, DEADLINE_MS, &letter, &e), ERR_GONE);
    assert_err(inbox_read(&f->in, &e), ERR_GONE);
}

static void test_inbox_garbage_is_a_protocol_error(void **state)
{
    struct fixture *f = *state;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    char noise[64] = "these bytes are no frame of ours, whatever they may be";
    assert_int_equal(write(f->broker, noise, sizeof noise), sizeof noise);

    assert_int_equal(inbox_read(&f->in, &e), 1);

    assert_err(inbox_take(&f->in, all, NULL, &letter, &e), ERR_PROTO);
}

/* Sends `count` comm messages of `bytes` each, from a thread: the socket takes only a part. */
struct flood {
    struct fixture *f;
    int count;
    size_t bytes;
};

static void *send_flood(void *arg)
{
    struct flood *flood = arg;
    _cleanup_(drop_free) char *content = xcalloc(1, flood->bytes + 1);
    memset(content, 'x', flood->bytes);
    for (int i = 0; i < flood->count; i++) {
        post(flood->f, WIRE_COMM, (uint64_t)i + 1, content);
    }
    return NULL;
}

static void test_inbox_held_frames_have_a_bound_and_none_is_lost(void **state)
{
    enum { COUNT = 20 };

    struct fixture *f = *state;
    struct flood flood = {.f = f, .count = COUNT, .bytes = CONTEXT_BACKLOG_MAX / 8};
    enum wire_type reply = WIRE_INPUT_REPLY;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, send_flood, &flood), 0);
    inbox_open(&f->in);

    int got = 0;
    while ((got = inbox_wait(&f->in, only, &reply, DEADLINE_MS, &letter, &e)) == 0) {
    }
    assert_int_equal(got, -1);
    assert_int_equal(e.code, ERR_LIMIT);
    assert_true(f->in.held_bytes <= CONTEXT_BACKLOG_MAX + flood.bytes);

    for (uint64_t exec = 1; exec <= COUNT; exec++) {
        while ((got = inbox_wait(&f->in, all, NULL, DEADLINE_MS, &letter, &e)) == 0) {
        }
        assert_int_equal(got, 1);
        assert_int_equal(letter->frame.exec, exec);
        assert_int_equal(letter->frame.content.len, flood.bytes);
        letter_free(take(letter));
    }
    pthread_join(thread, NULL);
}

/* Two threads that wait for different frames. */
struct waiter {
    struct inbox *in;
    enum wire_type type;
    pthread_t thread;
    atomic_bool done;
    bool right;
};

static void *wait_for_one(void *arg)
{
    struct waiter *w = arg;
    struct letter *letter = NULL;
    struct err e = ERR_NONE;
    int got = 0;
    while ((got = inbox_wait(w->in, only, &w->type, DEADLINE_MS, &letter, &e)) == 0) {
    }
    w->right = got == 1 && letter->frame.type == w->type;
    letter_free(letter);
    atomic_store(&w->done, true);
    return NULL;
}

static void test_inbox_threads_that_wait_each_get_their_own(void **state)
{
    struct fixture *f = *state;
    struct waiter waiters[] = {{.in = &f->in, .type = WIRE_INPUT_REPLY},
                               {.in = &f->in, .type = WIRE_COMM}};
    inbox_open(&f->in);
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < ARRAY_LEN(waiters); i++) {
            assert_int_equal(pthread_create(&waiters[i].thread, NULL, wait_for_one, &waiters[i]),
                             0);
        }

        post(f, round % 2 ? WIRE_COMM : WIRE_INPUT_REPLY, 1, "{}");
        pthread_join(waiters[round % 2].thread, NULL);
        assert_false(atomic_load(&waiters[1 - round % 2].done));
        post(f, round % 2 ? WIRE_INPUT_REPLY : WIRE_COMM, 1, "{}");
        pthread_join(waiters[1 - round % 2].thread, NULL);

        for (size_t i = 0; i < ARRAY_LEN(waiters); i++) {
            assert_true(waiters[i].right);
            atomic_store(&waiters[i].done, false);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_inbox_empty_gives_nothing),
        TEST(test_inbox_letter_has_the_whole_frame),
        TEST(test_inbox_letter_outlives_what_is_read_after_it),
        TEST(test_inbox_held_frames_come_first_and_in_order),
        TEST(test_inbox_answer_read_by_another_waits_for_its_own),
        TEST(test_inbox_dropped_frame_is_gone_for_all),
        TEST(test_inbox_stop_ends_every_wait_after_what_came_before),
        TEST(test_inbox_wait_gives_up_when_the_time_is_over),
        TEST(test_inbox_wait_without_a_cell_is_refused),
        TEST(test_inbox_end_of_the_broker_is_gone),
        TEST(test_inbox_garbage_is_a_protocol_error),
        TEST(test_inbox_held_frames_have_a_bound_and_none_is_lost),
        TEST(test_inbox_threads_that_wait_each_get_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
