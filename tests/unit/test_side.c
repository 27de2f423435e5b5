/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/jscan.h"
#include "kernel/core/side.h"
#include "tests/unit/pool_fixture.h"

/* What the side thread answered. */
struct answer {
    struct fixture *f;
    struct buf text;
    enum err_code code;
    bool here;
};

static void answered(struct answer *a, struct slice text)
{
    buf_add_slice(&a->text, text);
    a->here = true;
    loop_stop(a->f->loop);
}

static void on_history(void *arg, struct slice history, const struct err *err)
{
    struct answer *a = arg;
    a->code = err->code;
    answered(a, history);
}

static void on_usage(void *arg, struct slice content)
{
    answered(arg, content);
}

static void wait_for(struct answer *a)
{
    struct err e = ERR_NONE;
    if (!a->here) {
        loop_timer_set(a->f->deadline, DEADLINE_MS);
        assert_ok(loop_run(a->f->loop, &e));
        loop_timer_cancel(a->f->deadline);
    }
    assert_true(a->here);
}

static void test_side_history_gives_what_was_noted(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct answer a = {.f = f, .text = BUF_INIT(MIB)};
    struct side *s = side_new(f->loop, NULL);

    side_note_input(s, f->context, 1, SLICE_LIT("\"x = 1\""));
    side_note_input(s, f->context, 2, SLICE_LIT("\"x\\n\""));
    side_note_output(s, f->context, 2, SLICE_LIT("\"1\""));
    assert_ok(side_history(
        s, f->context, SLICE_LIT("{\"hist_access_type\": \"tail\", \"n\": 5, \"output\": true}"),
        on_history, &a, &e));
    wait_for(&a);

    assert_int_equal(a.code, ERR_OK);
    assert_non_null(strstr(buf_text(&a.text), "x = 1"));
    assert_ok(jscan_check(buf_slice(&a.text), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    buf_done(&a.text);
    side_free(s);
}

static void test_side_history_unknown_access_is_named(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct answer a = {.f = f, .text = BUF_INIT(MIB)};
    struct side *s = side_new(f->loop, NULL);

    assert_err(side_history(s, f->context, SLICE_LIT("{\"hist_access_type\": \"all\"}"), on_history,
                            &a, &e),
               ERR_INPUT);

    assert_non_null(strstr(e.text, "hist_access_type"));
    assert_false(a.here);
    side_free(s);
}

static void test_side_free_answers_what_waits(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    struct answer a = {.f = f, .text = BUF_INIT(MIB)};
    struct side *s = side_new(f->loop, NULL);

    assert_ok(side_usage(s, on_usage, &a, &e));
    side_free(s);

    assert_true(a.here);
    buf_done(&a.text);
}

static void test_side_usage_is_json_with_memory(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    int64_t memory = 0;
    struct answer a = {.f = f, .text = BUF_INIT(MIB)};
    struct side *s = side_new(f->loop, NULL);

    assert_ok(side_usage(s, on_usage, &a, &e));
    wait_for(&a);

    assert_ok(jscan_check(buf_slice(&a.text), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    assert_true(jscan_int(jscan_get(buf_slice(&a.text), "kernel_memory"), &memory));
    assert_true(memory > 0);
    buf_done(&a.text);
    side_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_side_history_gives_what_was_noted),
        pool_test(test_side_history_unknown_access_is_named),
        pool_test(test_side_free_answers_what_waits),
        pool_test(test_side_usage_is_json_with_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
