/* SPDX-License-Identifier: MIT */
#include "base/jscan.h"
#include "contexts/pool/budget.h"
#include "tests/unit/unit.h"

/* Collects what passes, as text. */
static void on_pass(void *arg, enum wire_type type, struct slice content)
{
    struct err e = ERR_NONE;
    struct buf *seen = arg;
    assert_int_equal(type, WIRE_STREAM);
    assert_ok(jscan_check(content, JSCAN_STRICT, 10, &e));
    assert_int_equal(jscan_string(jscan_get(content, "text"), seen), 0);
}

static void stream(struct budget *b, const char *name, const char *text, struct buf *seen)
{
    char content[512];
    (void)snprintf(content, sizeof content, "{\"name\": \"%s\", \"text\": \"%s\"}", name, text);
    budget_stream(b, slice_of(content), on_pass, seen);
}

static void test_budget_stream_within_passes_untouched(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(4096);
    struct budget *b = budget_new(1000);

    stream(b, "stdout", "hello ", &seen);
    stream(b, "stderr", "world", &seen);
    budget_finish(b, on_pass, &seen);

    assert_string_equal(buf_text(&seen), "hello world");
    budget_free(b);
}

static void test_budget_stream_of_exactly_the_limit_is_whole(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(4096);
    struct budget *b = budget_new(40);

    stream(b, "stdout", "0123456789012345678901234567890123", &seen);
    stream(b, "stdout", "456", &seen);
    stream(b, "stderr", "789", &seen);
    budget_finish(b, on_pass, &seen);

    assert_string_equal(buf_text(&seen), "0123456789012345678901234567890123456789");
    budget_free(b);
}

static void test_budget_stream_of_both_keeps_the_end_of_each(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(4096);
    struct budget *b = budget_new(40);

    stream(b, "stdout", "head................................", &seen);
    stream(b, "stderr", "short", &seen);
    stream(b, "stdout", "................................quite long", &seen);
    budget_finish(b, on_pass, &seen);

    assert_non_null(strstr(buf_text(&seen), "short"));
    assert_non_null(strstr(buf_text(&seen), "long"));
    assert_true(seen.len < 40 + 120);
    budget_free(b);
}

static void test_budget_result_has_the_limit_for_itself(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(4096);
    struct budget *b = budget_new(10);

    stream(b, "stdout", "01234567890123456789", &seen);

    assert_true(budget_result(b, 10));
    assert_false(budget_result(b, 11));
    budget_finish(b, on_pass, &seen);
    assert_non_null(strstr(buf_text(&seen), "1 displays"));
    budget_free(b);
}

static void test_budget_stream_over_keeps_both_ends_and_says_so(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(100000);
    struct budget *b = budget_new(80);
    char line[32];

    for (int i = 0; i < 1000; i++) {
        (void)snprintf(line, sizeof line, "%03d ", i);
        stream(b, "stdout", line, &seen);
    }
    budget_finish(b, on_pass, &seen);

    assert_memory_equal(buf_text(&seen), "000 001 ", 8);
    assert_non_null(strstr(buf_text(&seen), "output limit of 80 bytes"));
    assert_non_null(strstr(buf_text(&seen), "998 999 "));
    assert_null(strstr(buf_text(&seen), "500 "));
    assert_true(seen.len < 80 + 120);
    budget_free(b);
}

static void test_budget_stream_never_splits_a_code_point(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(100000);
    struct budget *b = budget_new(31);

    for (int i = 0; i < 50; i++) {
        stream(b, "stdout", "\xE2\x82\xAC", &seen); /* on_pass checks that it is UTF-8 */
    }
    budget_finish(b, on_pass, &seen);

    assert_non_null(strstr(buf_text(&seen), "left out"));
    budget_free(b);
}

static void test_budget_display_counts_what_is_left_out(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(4096);
    struct budget *b = budget_new(100);

    assert_true(budget_display(b, 50));
    assert_false(budget_display(b, 5000));
    budget_finish(b, on_pass, &seen);

    assert_non_null(strstr(buf_text(&seen), "1 displays"));
    budget_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budget_stream_within_passes_untouched),
        cmocka_unit_test(test_budget_stream_of_exactly_the_limit_is_whole),
        cmocka_unit_test(test_budget_stream_of_both_keeps_the_end_of_each),
        cmocka_unit_test(test_budget_result_has_the_limit_for_itself),
        cmocka_unit_test(test_budget_stream_over_keeps_both_ends_and_says_so),
        cmocka_unit_test(test_budget_stream_never_splits_a_code_point),
        cmocka_unit_test(test_budget_display_counts_what_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
