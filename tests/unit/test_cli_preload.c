/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/mem.h"
#include "kernel/cli/preload.h"
#include "tests/unit/unit.h"

/* Parses one use of the option. */
static int parse(const char *text, struct words *out, struct err *e)
{
    _cleanup_(drop_words) struct words given = {0};
    words_add(&given, text);
    return preload_parse(&given, out, e);
}

static void test_preload_parse_splits_and_drops_repeats(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_words) struct words names = {0};

    assert_ok(parse("numpy,matplotlib.pyplot", &names, &e));
    assert_ok(parse("_x1.y_2,numpy", &names, &e));

    _cleanup_(drop_free) char *joined = preload_join(&names);
    assert_string_equal(joined, "numpy,matplotlib.pyplot,_x1.y_2");
}

static void test_preload_parse_no_name_is_input_error(void **state)
{
    static const char *const bad[] = {"",    ",",   "a,",  "a..b", ".a",  "a.",       "1a",
                                      "a.1", "a b", "a\n", "a-b",  "a;b", "\xc3\xa9", "a/b"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_words) struct words names = {0};

        assert_int_equal(parse(bad[i], &names, &e), -1);

        assert_int_equal(e.code, ERR_INPUT);
        assert_non_null(strstr(e.text, "is no module name"));
    }
}

static void test_preload_parse_bounds_hold(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_words) struct words names = {0};
    char name[MODULE_NAME_MAX + 2] = {0};
    memset(name, 'n', MODULE_NAME_MAX);

    assert_ok(parse(name, &names, &e));
    name[MODULE_NAME_MAX] = 'n';
    assert_int_equal(parse(name, &names, &e), -1);
    for (size_t i = 1; i < PRELOAD_MAX; i++) {
        (void)snprintf(name, sizeof name, "m%zu", i);
        assert_ok(parse(name, &names, &e));
    }
    assert_int_equal(parse("one_more", &names, &e), -1);

    assert_int_equal(e.code, ERR_INPUT);
    assert_non_null(strstr(e.text, "more than 64 modules"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preload_parse_splits_and_drops_repeats),
        cmocka_unit_test(test_preload_parse_no_name_is_input_error),
        cmocka_unit_test(test_preload_parse_bounds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
