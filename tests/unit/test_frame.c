/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "contexts/wire/frame.h"
#include "tests/unit/unit.h"

/* Places in the header, as frame.h describes it. */
enum {
    AT_MAGIC = 0,
    AT_TYPE = 4,
    AT_EXEC = 8,
    AT_CONTENT_LEN = 16,
    AT_BUFFERS_LEN = 24,
    AT_BUFFER_COUNT = 32,
    AT_ZERO = 36,
    HEADER_SIZE = 40
};

static const struct slice two_buffers[] = {SLICE_ROW("first"), SLICE_ROW("\0second\xff")};

static const struct wire_frame plain = {
    .type = WIRE_EXECUTE, .exec = 0x1122334455667788, .content = SLICE_ROW("{\"code\": \"1\"}")};
static const struct wire_frame bare = {.type = WIRE_DONE};
static const struct wire_frame with_buffers = {.type = WIRE_COMM_MSG,
                                               .exec = 7,
                                               .content = SLICE_ROW("{}"),
                                               .buffers = two_buffers,
                                               .buffer_count = 2};

static void encode(struct buf *out, const struct wire_frame *frame)
{
    struct err e = ERR_NONE;
    assert_ok(wire_encode(out, frame, &e));
}

static void assert_frame(const struct wire_frame *seen, const struct wire_frame *wanted)
{
    assert_int_equal(seen->type, wanted->type);
    assert_int_equal(seen->exec, wanted->exec);
    assert_true(slice_eq(seen->content, wanted->content));
    assert_int_equal(seen->buffer_count, wanted->buffer_count);
    for (size_t i = 0; i < wanted->buffer_count; i++) {
        assert_true(slice_eq(seen->buffers[i], wanted->buffers[i]));
    }
}

static void put_u32(struct buf *b, size_t at, uint32_t value)
{
    memcpy(b->data + at, &value, sizeof value);
}

static void put_u64(struct buf *b, size_t at, uint64_t value)
{
    memcpy(b->data + at, &value, sizeof value);
}

static void assert_next(struct wire_reader *r, const struct wire_frame *wanted)
{
    struct err e = ERR_NONE;
    struct wire_frame seen;
    assert_int_equal(wire_reader_next(r, &seen, &e), 1);
    assert_frame(&seen, wanted);
}

static void assert_no_next(struct wire_reader *r)
{
    struct err e = ERR_NONE;
    struct wire_frame seen;
    assert_int_equal(wire_reader_next(r, &seen, &e), 0);
}

/* What a reader makes of these bytes alone, and that it says the same again when asked again. */
static void assert_refused(struct slice bytes, enum err_code code)
{
    struct err e = ERR_NONE;
    struct wire_frame seen;
    struct wire_reader r;
    wire_reader_init(&r);
    assert_ok(wire_reader_feed(&r, bytes, &e));

    assert_err(wire_reader_next(&r, &seen, &e), code);
    assert_ok(wire_reader_feed(&r, SLICE_LIT("more"), &e));
    assert_err(wire_reader_next(&r, &seen, &e), code);
    wire_reader_done(&r);
}

static void test_wire_encode_layout_is_as_described(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    uint64_t number = 0;

    encode(&out, &with_buffers);

    assert_int_equal(out.len, HEADER_SIZE + 2 + 2 * 8 + 5 + 8);
    memcpy(&number, out.data + AT_CONTENT_LEN, sizeof number);
    assert_int_equal(number, 2);
    memcpy(&number, out.data + AT_BUFFERS_LEN, sizeof number);
    assert_int_equal(number, 13);
    memcpy(&number, out.data + HEADER_SIZE + 2 + 8, sizeof number);
    assert_int_equal(number, 8);
    assert_memory_equal(out.data + HEADER_SIZE + 2 + 16, "first\0second\xff", 13);
}

static void test_wire_reader_split_at_every_byte_gives_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf all = BUF_INIT(MIB);
    encode(&all, &plain);
    encode(&all, &with_buffers);
    encode(&all, &bare);

    for (size_t cut = 0; cut <= all.len; cut++) {
        const struct wire_frame *const wanted[] = {&plain, &with_buffers, &bare};
        const struct slice parts[] = {{all.data, cut}, {all.data + cut, all.len - cut}};
        size_t seen_count = 0;
        struct wire_reader r;
        wire_reader_init(&r);
        for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
            struct wire_frame seen;
            assert_ok(wire_reader_feed(&r, parts[i], &e));
            while (seen_count < 3 && wire_reader_next(&r, &seen, &e) == 1) {
                assert_frame(&seen, wanted[seen_count++]);
            }
        }
        assert_int_equal(seen_count, 3);
        assert_no_next(&r);
        wire_reader_done(&r);
    }
}

static void test_wire_reader_byte_by_byte_gives_the_same(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf all = BUF_INIT(MIB);
    encode(&all, &with_buffers);
    struct wire_reader r;
    wire_reader_init(&r);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < all.len; i++) {
            assert_no_next(&r);
            assert_ok(wire_reader_feed(&r, (struct slice){all.data + i, 1}, &e));
        }
        assert_next(&r, &with_buffers);
    }
    wire_reader_done(&r);
}

static void test_wire_reader_garbage_is_proto_error(void **state)
{
    (void)state;
    char zeros[HEADER_SIZE] = {0};
    char ones[HEADER_SIZE];
    memset(ones, 0xff, sizeof ones);

    assert_refused((struct slice){zeros, sizeof zeros}, ERR_PROTO);
    assert_refused((struct slice){ones, sizeof ones}, ERR_PROTO);
    assert_refused(SLICE_LIT("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n      "), ERR_PROTO);
}

static void test_wire_reader_other_version_is_proto_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(MIB);
    encode(&b, &bare);
    uint32_t magic = 0;
    memcpy(&magic, b.data + AT_MAGIC, sizeof magic);
    put_u32(&b, AT_MAGIC, magic + 1);

    struct wire_frame seen;
    struct wire_reader r;
    wire_reader_init(&r);
    assert_ok(wire_reader_feed(&r, buf_slice(&b), &e));

    assert_err(wire_reader_next(&r, &seen, &e), ERR_PROTO);
    assert_non_null(strstr(e.text, "version"));
    wire_reader_done(&r);
}

/* Each field of the header, set to what no honest peer sends. */
static void test_wire_reader_bad_header_fields_are_refused(void **state)
{
    (void)state;

    const struct {
        size_t at;
        size_t size;
        uint64_t value;
        enum err_code code;
    } cases[] = {
        {AT_TYPE, 4, WIRE_TYPES, ERR_PROTO},
        {AT_TYPE, 4, UINT32_MAX, ERR_PROTO},
        {AT_ZERO, 4, 1, ERR_PROTO},
        {AT_CONTENT_LEN, 8, FRAME_CONTENT_MAX + 1, ERR_LIMIT},
        {AT_CONTENT_LEN, 8, UINT64_MAX, ERR_LIMIT},
        {AT_CONTENT_LEN, 8, UINT64_MAX - HEADER_SIZE, ERR_LIMIT},
        {AT_BUFFERS_LEN, 8, FRAME_BUFFERS_MAX + 1, ERR_LIMIT},
        {AT_BUFFERS_LEN, 8, UINT64_MAX, ERR_LIMIT},
        {AT_BUFFER_COUNT, 4, FRAME_BUFFER_COUNT_MAX + 1, ERR_LIMIT},
        {AT_BUFFER_COUNT, 4, UINT32_MAX, ERR_LIMIT},
        {AT_BUFFER_COUNT, 4, 0, ERR_PROTO}, /* yet there are bytes of buffers */
        {AT_BUFFERS_LEN, 8, 14, ERR_PROTO}, /* the table says 13 */
        {AT_BUFFERS_LEN, 8, 12, ERR_PROTO},
        {AT_BUFFERS_LEN, 8, 0, ERR_PROTO},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        _cleanup_(drop_buf) struct buf b = BUF_INIT(MIB);
        encode(&b, &with_buffers);
        if (cases[i].size == 8) {
            put_u64(&b, cases[i].at, cases[i].value);
        } else {
            put_u32(&b, cases[i].at, (uint32_t)cases[i].value);
        }
        assert_refused(buf_slice(&b), cases[i].code);
    }
}

static void test_wire_reader_buffer_lengths_that_wrap_are_refused(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(MIB);
    encode(&b, &with_buffers);
    put_u64(&b, HEADER_SIZE + 2, UINT64_MAX);
    put_u64(&b, HEADER_SIZE + 2 + 8, 14); /* together 13, modulo 2^64 */

    assert_refused(buf_slice(&b), ERR_PROTO);
}

/* The table is judged as soon as it is there, before the bytes it promises. */
static void test_wire_reader_bad_table_is_refused_before_its_buffers(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf b = BUF_INIT(MIB);
    encode(&b, &with_buffers);
    put_u64(&b, AT_BUFFERS_LEN, FRAME_BUFFERS_MAX);
    struct slice head = {b.data, HEADER_SIZE + 2 + 16};

    assert_refused(head, ERR_PROTO);
}

static void test_wire_reader_header_alone_reserves_no_memory(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    _cleanup_(drop_buf) struct buf b = BUF_INIT(MIB);
    encode(&b, &bare);
    put_u64(&b, AT_CONTENT_LEN, FRAME_CONTENT_MAX);
    struct wire_reader r;
    wire_reader_init(&r);

    assert_ok(fd_write_all(theirs, b.data, b.len, &e));
    assert_int_equal(wire_reader_fill(&r, ours, &e), HEADER_SIZE);
    assert_no_next(&r);
    assert_ok(fd_write_all(theirs, "{", 1, &e));
    assert_int_equal(wire_reader_fill(&r, ours, &e), 1);

    assert_true(r.in.cap <= 128 * KIB);
    wire_reader_done(&r);
}

static void test_wire_reader_fill_end_and_nothing_are_told_apart(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    assert_ok(fd_set_nonblocking(ours, &e));
    struct wire_reader r;
    wire_reader_init(&r);

    assert_int_equal(wire_reader_fill(&r, ours, &e), -1);
    assert_int_equal(e.sys, EAGAIN);
    close(pair[1]);
    assert_int_equal(wire_reader_fill(&r, ours, &e), 0);
    wire_reader_done(&r);
}

/* Many small frames in one go, more fed before each is taken: the place they lie in stays small,
 * and moving them about would show as a timeout. */
static void test_wire_reader_many_frames_stay_linear(void **state)
{
    (void)state;

    enum { AHEAD = 100000, ROUNDS = 100000 };
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf one = BUF_INIT(MIB);
    encode(&one, &plain);
    struct wire_reader r;
    wire_reader_init(&r);
    for (int i = 0; i < AHEAD; i++) {
        assert_ok(wire_reader_feed(&r, buf_slice(&one), &e));
    }
    for (int i = 0; i < ROUNDS; i++) {
        assert_ok(wire_reader_feed(&r, buf_slice(&one), &e));
        assert_next(&r, &plain);
    }
    assert_true(r.in.cap <= 4UL * AHEAD * one.len);
    for (int i = 0; i < AHEAD; i++) {
        assert_next(&r, &plain);
    }
    assert_no_next(&r);
    assert_true(r.in.cap <= 32 * KIB);
    wire_reader_done(&r);
}

/* A thread that writes frames, for tests whose frames do not fit into the socket. */
struct sender {
    int fd;
    const struct wire_frame *frame;
    int rounds;
    struct err e;
    int failed;
};

static void *send_frames(void *arg)
{
    struct sender *s = arg;
    for (int i = 0; i < s->rounds && s->failed == 0; i++) {
        s->failed = wire_write(s->fd, s->frame, &s->e);
    }
    shutdown(s->fd, SHUT_WR);
    return NULL;
}

static void test_wire_reader_huge_frames_pass_and_memory_goes_back(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    _cleanup_(drop_buf) struct buf big = BUF_INIT(16 * MIB);
    memset(buf_reserve(&big, 9 * MIB), 'x', 9 * MIB);
    buf_commit(&big, 9 * MIB);
    struct slice buffers[] = {buf_slice(&big), SLICE_LIT("tail")};
    struct wire_frame frame = {.type = WIRE_DISPLAY_DATA,
                               .content = {big.data, 3 * MIB + 1},
                               .buffers = buffers,
                               .buffer_count = 2};
    struct sender s = {.fd = theirs, .frame = &frame, .rounds = 3};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, send_frames, &s), 0);

    struct wire_reader r;
    struct wire_frame seen;
    int count = 0;
    wire_reader_init(&r);
    while (wire_reader_fill(&r, ours, &e) > 0) {
        while (wire_reader_next(&r, &seen, &e) == 1) {
            assert_frame(&seen, &frame);
            count++;
        }
        assert_true(r.in.cap <= 32 * MIB);
    }

    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(s.failed, 0);
    assert_int_equal(count, 3);
    assert_true(r.in.cap <= 64 * KIB);
    wire_reader_done(&r);
}

/* More pieces than the kernel takes in one call. */
static void test_wire_write_most_buffers_arrive_in_order(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    static struct slice buffers[FRAME_BUFFER_COUNT_MAX];
    static const char digits[] = "0123456789";
    for (size_t i = 0; i < ARRAY_LEN(buffers); i++) {
        buffers[i] = (struct slice){digits + i % 10, i % 3 == 0 ? 0 : 1};
    }
    struct wire_frame frame = {
        .type = WIRE_COMM_MSG, .buffers = buffers, .buffer_count = ARRAY_LEN(buffers)};
    struct wire_reader r;
    wire_reader_init(&r);

    assert_ok(wire_write(theirs, &frame, &e));
    assert_true(wire_reader_fill(&r, ours, &e) > 0);

    assert_next(&r, &frame);
    wire_reader_done(&r);
}

static void test_wire_write_gone_reader_is_gone_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    close(pair[1]);

    assert_err(wire_write(ours, &plain, &e), ERR_GONE);
    assert_int_equal(e.sys, EPIPE);
}

static void test_wire_write_too_large_writes_nothing(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    assert_ok(fd_set_nonblocking(ours, &e));
    struct slice wrapping[] = {{"", SIZE_MAX}, {"", 2}};
    const struct wire_frame frames[] = {
        {.type = WIRE_DONE, .content = {"", FRAME_CONTENT_MAX + 1}},
        {.type = WIRE_DONE, .buffers = wrapping, .buffer_count = 1},
        {.type = WIRE_DONE, .buffers = wrapping, .buffer_count = 2},
        {.type = WIRE_DONE, .buffers = wrapping, .buffer_count = FRAME_BUFFER_COUNT_MAX + 1},
    };
    for (size_t i = 0; i < ARRAY_LEN(frames); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        char byte = 0;
        assert_err(wire_write(theirs, &frames[i], &e), ERR_LIMIT);
        assert_int_equal(read(ours, &byte, 1), -1);
        assert_err(wire_encode(&out, &frames[i], &e), ERR_LIMIT);
        assert_int_equal(out.len, 0);
    }
}

static void test_wire_encode_full_queue_adds_nothing(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(100);
    encode(&out, &plain);
    size_t before = out.len;

    assert_err(wire_encode(&out, &with_buffers, &e), ERR_LIMIT);
    assert_int_equal(out.len, before);
}

static atomic_int signals_seen;

static void on_sigint(int signo)
{
    (void)signo;
    atomic_fetch_add(&signals_seen, 1);
}

/* The other side of a write under fire: interrupts the writer before every small read. */
struct harasser {
    int fd;
    pthread_t writer;
    struct wire_reader reader;
    int frames;
    int refused;
};

static void *read_and_interrupt(void *arg)
{
    struct harasser *h = arg;
    for (;;) {
        char piece[3000];
        struct err e = ERR_NONE;
        struct wire_frame seen;
        if (h->frames < 2) {
            pthread_kill(h->writer, SIGINT);
        }
        ssize_t n = read(h->fd, piece, sizeof piece);
        if (n <= 0) {
            return NULL;
        }
        h->refused |= wire_reader_feed(&h->reader, (struct slice){piece, (size_t)n}, &e) < 0;
        int next = wire_reader_next(&h->reader, &seen, &e);
        h->refused |= next < 0;
        h->frames += next == 1;
    }
}

enum blocking { BLOCKING, NONBLOCKING };

/* Two frames of a size no socket holds, written while signals without SA_RESTART come in. */
static void write_under_fire(enum blocking blocking)
{
    struct err e = ERR_NONE;
    int pair[2];
    assert_ok(fd_socketpair(SOCK_STREAM, pair, &e));
    _cleanup_(drop_fd) int ours = pair[0];
    _cleanup_(drop_fd) int theirs = pair[1];
    if (blocking == NONBLOCKING) {
        assert_ok(fd_set_nonblocking(theirs, &e));
    }
    static char big[MIB];
    struct slice buffers[] = {{big, sizeof big}, {big, 77}};
    struct wire_frame frame = {
        .type = WIRE_DISPLAY_DATA, .content = {big, 100001}, .buffers = buffers, .buffer_count = 2};
    struct harasser h = {.fd = ours, .writer = pthread_self()};
    wire_reader_init(&h.reader);
    int seen_before = atomic_load(&signals_seen);
    struct sigaction catch = {.sa_handler = on_sigint};
    struct sigaction before;
    pthread_t thread;
    assert_int_equal(sigaction(SIGINT, &catch, &before), 0);
    assert_int_equal(pthread_create(&thread, NULL, read_and_interrupt, &h), 0);

    int failed = wire_write(theirs, &frame, &e) | wire_write(theirs, &frame, &e);

    shutdown(theirs, SHUT_WR);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(sigaction(SIGINT, &before, NULL), 0);
    assert_int_equal(failed, 0);
    assert_int_equal(h.refused, 0);
    assert_int_equal(h.frames, 2);
    assert_true(atomic_load(&signals_seen) > seen_before);
    wire_reader_done(&h.reader);
}

static void test_wire_write_blocking_under_signals_stays_whole(void **state)
{
    (void)state;
    write_under_fire(BLOCKING);
}

static void test_wire_write_nonblocking_under_signals_stays_whole(void **state)
{
    (void)state;
    write_under_fire(NONBLOCKING);
}

static void test_wire_reader_done_twice_is_safe(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct wire_reader r;
    wire_reader_init(&r);
    assert_ok(wire_reader_feed(&r, SLICE_LIT("x"), &e));

    wire_reader_done(&r);
    wire_reader_done(&r);
    wire_reader_done(NULL);

    assert_null(r.in.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wire_encode_layout_is_as_described),
        cmocka_unit_test(test_wire_reader_split_at_every_byte_gives_the_same),
        cmocka_unit_test(test_wire_reader_byte_by_byte_gives_the_same),
        cmocka_unit_test(test_wire_reader_garbage_is_proto_error),
        cmocka_unit_test(test_wire_reader_other_version_is_proto_error),
        cmocka_unit_test(test_wire_reader_bad_header_fields_are_refused),
        cmocka_unit_test(test_wire_reader_buffer_lengths_that_wrap_are_refused),
        cmocka_unit_test(test_wire_reader_bad_table_is_refused_before_its_buffers),
        cmocka_unit_test(test_wire_reader_header_alone_reserves_no_memory),
        cmocka_unit_test(test_wire_reader_fill_end_and_nothing_are_told_apart),
        cmocka_unit_test(test_wire_reader_many_frames_stay_linear),
        cmocka_unit_test(test_wire_reader_huge_frames_pass_and_memory_goes_back),
        cmocka_unit_test(test_wire_write_most_buffers_arrive_in_order),
        cmocka_unit_test(test_wire_write_gone_reader_is_gone_error),
        cmocka_unit_test(test_wire_write_too_large_writes_nothing),
        cmocka_unit_test(test_wire_encode_full_queue_adds_nothing),
        cmocka_unit_test(test_wire_write_blocking_under_signals_stays_whole),
        cmocka_unit_test(test_wire_write_nonblocking_under_signals_stays_whole),
        cmocka_unit_test(test_wire_reader_done_twice_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
