/* SPDX-License-Identifier: MIT */
#include "contexts/worker/tail.h"
#include "tests/unit/unit.h"

struct fixture {
    struct tail tail;
    struct buf out;
};

static int set_up(void **state)
{
    static struct fixture f;
    f = (struct fixture){.out = BUF_INIT(1024)};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    buf_done(&f->out);
    return 0;
}

static void join(struct fixture *f, const char *text)
{
    tail_join(&f->tail, slice_of(text), &f->out);
}

static void test_tail_join_whole_text_passes(void **state)
{
    struct fixture *f = *state;

    join(f, "plain \xe2\x82\xac");

    assert_slice_equal(buf_slice(&f->out), "plain \xe2\x82\xac");
    assert_int_equal(f->tail.len, 0);
}

static void test_tail_join_split_code_point_waits_for_its_rest(void **state)
{
    struct fixture *f = *state;

    join(f, "a\xf0\x9f");
    assert_slice_equal(buf_slice(&f->out), "a");
    join(f, "\x98");
    assert_slice_equal(buf_slice(&f->out), "a");
    join(f, "\x80z\xc3");

    assert_slice_equal(buf_slice(&f->out), "a\xf0\x9f\x98\x80z");
    assert_int_equal(f->tail.len, 1);
}

static void test_tail_join_broken_sequence_is_handed_on(void **state)
{
    struct fixture *f = *state;

    join(f, "\xe2\x82");
    join(f, "x");

    assert_slice_equal(buf_slice(&f->out), "\xe2\x82x");
}

static void test_tail_join_new_beginning_after_broken_one_is_kept(void **state)
{
    struct fixture *f = *state;

    join(f, "\xe2");
    join(f, "\xc3");
    join(f, "\xa4");

    assert_slice_equal(buf_slice(&f->out), "\xe2\xc3\xa4");
}

static void test_tail_give_up_hands_on_what_is_left(void **state)
{
    struct fixture *f = *state;
    join(f, "\xe2\x82");

    tail_give_up(&f->tail, &f->out);

    assert_slice_equal(buf_slice(&f->out), "\xe2\x82");
    assert_int_equal(f->tail.len, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tail_join_whole_text_passes),
        TEST(test_tail_join_split_code_point_waits_for_its_rest),
        TEST(test_tail_join_broken_sequence_is_handed_on),
        TEST(test_tail_join_new_beginning_after_broken_one_is_kept),
        TEST(test_tail_give_up_hands_on_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
