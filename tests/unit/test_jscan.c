/* SPDX-License-Identifier: MIT */
/* Reading of checked JSON. The check itself is in test_jcheck.c. */
#include "base/jscan.h"
#include "tests/unit/unit.h"

static void test_jscan_kind_goes_by_the_first_byte(void **state)
{
    (void)state;

    assert_int_equal(jscan_kind(SLICE_NONE), JSCAN_NONE);
    assert_int_equal(jscan_kind(SLICE_LIT(" ")), JSCAN_NONE);
    assert_int_equal(jscan_kind(SLICE_LIT(" {}")), JSCAN_OBJECT);
    assert_int_equal(jscan_kind(SLICE_LIT("[]")), JSCAN_ARRAY);
    assert_int_equal(jscan_kind(SLICE_LIT("\"\"")), JSCAN_STRING);
    assert_int_equal(jscan_kind(SLICE_LIT("-1")), JSCAN_NUMBER);
    assert_int_equal(jscan_kind(SLICE_LIT("NaN")), JSCAN_NUMBER);
    assert_int_equal(jscan_kind(SLICE_LIT("-Infinity")), JSCAN_NUMBER);
    assert_int_equal(jscan_kind(SLICE_LIT("true")), JSCAN_TRUE);
    assert_int_equal(jscan_kind(SLICE_LIT("false")), JSCAN_FALSE);
    assert_int_equal(jscan_kind(SLICE_LIT("null")), JSCAN_NULL);
}

static void test_jscan_get_lends_values_without_space(void **state)
{
    (void)state;
    struct slice object =
        SLICE_LIT(" { \"a\" : 1 , \"b\" : [ 1, \"]\" ] ,\n\"c\":{\"a\":2},\"d\" : \"}\\\"\" } ");

    assert_slice_equal(jscan_get(object, "a"), "1");
    assert_slice_equal(jscan_get(object, "b"), "[ 1, \"]\" ]");
    assert_slice_equal(jscan_get(object, "c"), "{\"a\":2}");
    assert_slice_equal(jscan_get(object, "d"), "\"}\\\"\"");
    assert_slice_equal(jscan_get(jscan_get(object, "c"), "a"), "2");
    assert_slice_equal(jscan_get(SLICE_LIT("{\"a\":\"\\\\\",\"b\":\"x\\\\\\\"\"}"), "b"),
                       "\"x\\\\\\\"\"");
}

static void test_jscan_get_absent_is_empty(void **state)
{
    (void)state;

    assert_int_equal(jscan_get(SLICE_LIT("{}"), "a").len, 0);
    assert_int_equal(jscan_get(SLICE_LIT("{\"b\": {\"a\": 1}}"), "a").len, 0);
    assert_int_equal(jscan_get(SLICE_LIT("{\"b\": \"a\"}"), "a").len, 0);
    assert_int_equal(jscan_get(SLICE_LIT("[\"a\", 1]"), "a").len, 0);
    assert_int_equal(jscan_get(SLICE_LIT("\"a\""), "a").len, 0);
    assert_int_equal(jscan_get(SLICE_NONE, "a").len, 0);
}

static void test_jscan_get_last_of_equal_keys_counts(void **state)
{
    (void)state;

    assert_slice_equal(jscan_get(SLICE_LIT("{\"a\":1,\"b\":2,\"a\":3}"), "a"), "3");
    assert_slice_equal(jscan_get(SLICE_LIT("{\"a\":1,\"\\u0061\":4}"), "a"), "4");
}

static void test_jscan_pick_finds_several_in_one_walk(void **state)
{
    (void)state;
    static const char *const keys[] = {"c", "a", "x", "\"q"};
    struct slice values[ARRAY_LEN(keys)];

    jscan_pick(SLICE_LIT("{\"a\": 1, \"b\": {\"x\": 0}, \"c\": [2], \"a\": 3, \"\\\"q\": 4}"), keys,
               values, ARRAY_LEN(keys));

    assert_slice_equal(values[0], "[2]");
    assert_slice_equal(values[1], "3"); /* the last of equal keys */
    assert_int_equal(values[2].len, 0);
    assert_slice_equal(values[3], "4");
    jscan_pick(SLICE_LIT("[1]"), keys, values, ARRAY_LEN(keys));
    assert_int_equal(values[0].len, 0);
}

static void test_jscan_next_walks_an_array(void **state)
{
    (void)state;
    const char *const wanted[] = {"1", "\"a,b\"", "[2,3]", "{\"x\":4}", "null"};
    struct jscan_iter it;
    struct slice key = SLICE_LIT("x");
    struct slice value;
    jscan_iter_init(&it, SLICE_LIT("[1 , \"a,b\",[2,3] ,{\"x\":4},null ]"));

    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        assert_true(jscan_next(&it, &key, &value));
        assert_int_equal(key.len, 0);
        assert_slice_equal(value, wanted[i]);
    }
    assert_false(jscan_next(&it, &key, &value));
    assert_false(jscan_next(&it, &key, &value));
}

static void test_jscan_next_walks_an_object_with_raw_keys(void **state)
{
    (void)state;
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    jscan_iter_init(&it, SLICE_LIT("{\"a\\n\":1,\"\":{}}"));

    assert_true(jscan_next(&it, &key, &value));
    assert_slice_equal(key, "\"a\\n\"");
    assert_slice_equal(value, "1");
    assert_true(jscan_next(&it, &key, &value));
    assert_slice_equal(key, "\"\"");
    assert_slice_equal(value, "{}");
    assert_false(jscan_next(&it, &key, &value));
}

static void test_jscan_next_scalar_or_nothing_has_no_members(void **state)
{
    (void)state;
    const struct slice none[] = {SLICE_LIT("[]"), SLICE_LIT("{ }"), SLICE_LIT("12"),
                                 SLICE_LIT("\"[1]\""), SLICE_NONE};
    for (size_t i = 0; i < ARRAY_LEN(none); i++) {
        struct jscan_iter it;
        struct slice key;
        struct slice value;
        jscan_iter_init(&it, none[i]);
        assert_false(jscan_next(&it, &key, &value));
    }
}

static const struct {
    struct slice json;
    struct slice text;
} strings[] = {
    {SLICE_ROW("\"\""), SLICE_ROW("")},
    {SLICE_ROW(" \"abc\" "), SLICE_ROW("abc")},
    {SLICE_ROW("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), SLICE_ROW("\"\\/\b\f\n\r\t")},
    {SLICE_ROW("\"a\\u0000b\""), SLICE_ROW("a\0b")},
    {SLICE_ROW("\"\\u0041\\u00fc\\u20AC\""), SLICE_ROW("A\xc3\xbc\xe2\x82\xac")},
    {SLICE_ROW("\"\\ud83c\\udf19\""), SLICE_ROW("\xf0\x9f\x8c\x99")},
    {SLICE_ROW("\"\\uDBFF\\uDFFF\""), SLICE_ROW("\xf4\x8f\xbf\xbf")},
    {SLICE_ROW("\"\\ud800\""), SLICE_ROW("\xed\xa0\x80")},
    {SLICE_ROW("\"\\udfff\""), SLICE_ROW("\xed\xbf\xbf")},
    {SLICE_ROW("\"\\ud800x\""), SLICE_ROW("\xed\xa0\x80x")},
    {SLICE_ROW("\"\\ud800\\n\""), SLICE_ROW("\xed\xa0\x80\n")},
    {SLICE_ROW("\"\\udc00\\ud800\""), SLICE_ROW("\xed\xb0\x80\xed\xa0\x80")},
    {SLICE_ROW("\"\\ud800\\ud83c\\udf19\""), SLICE_ROW("\xed\xa0\x80\xf0\x9f\x8c\x99")},
    {SLICE_ROW("\"\xff\xc3\""), SLICE_ROW("\xef\xbf\xbd\xef\xbf\xbd")},
};

static void test_jscan_string_table_is_decoded(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(strings); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(100);
        (void)buf_add_text(&out, ">");
        assert_int_equal(jscan_string(strings[i].json, &out), 0);
        assert_int_equal(out.len, strings[i].text.len + 1);
        assert_memory_equal(out.data + 1, strings[i].text.data, strings[i].text.len + 1);
    }
}

static void test_jscan_string_is_table_compares_decoded(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(strings); i++) {
        bool has_nul = memchr(strings[i].text.data, '\0', strings[i].text.len) != NULL;
        assert_int_equal(jscan_string_is(strings[i].json, strings[i].text.data), !has_nul);
        assert_false(jscan_string_is(strings[i].json, "something else"));
    }
    assert_false(jscan_string_is(SLICE_LIT("\"abc\""), "ab"));
    assert_false(jscan_string_is(SLICE_LIT("\"ab\""), "abc"));
    assert_false(jscan_string_is(SLICE_LIT("\"\\u0061\\u0062\""), "a"));
    assert_false(jscan_string_is(SLICE_LIT("null"), "null"));
    assert_false(jscan_string_is(SLICE_NONE, ""));
}

static void test_jscan_string_not_a_string_fails(void **state)
{
    (void)state;
    const struct slice others[] = {SLICE_LIT("1"), SLICE_LIT("[\"a\"]"), SLICE_LIT("\""),
                                   SLICE_LIT("null"), SLICE_NONE};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(100);
        assert_int_equal(jscan_string(others[i], &out), -1);
        assert_int_equal(out.len, 0);
    }
}

static void test_jscan_string_at_the_ceiling_adds_nothing(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4);
    (void)buf_add_text(&out, "x");

    assert_int_equal(jscan_string(SLICE_LIT("\"ab\\ncd\""), &out), -1);
    assert_string_equal(buf_text(&out), "x");
    assert_int_equal(jscan_string(SLICE_LIT("\"ab\\n\""), &out), 0);
    assert_string_equal(buf_text(&out), "xab\n");
}

static void test_jscan_int_takes_what_fits(void **state)
{
    (void)state;
    int64_t n = 0;

    assert_true(jscan_int(SLICE_LIT(" 42 "), &n));
    assert_int_equal(n, 42);
    assert_true(jscan_int(SLICE_LIT("-0"), &n));
    assert_int_equal(n, 0);
    assert_true(jscan_int(SLICE_LIT("9223372036854775807"), &n));
    assert_true(n == INT64_MAX);
    assert_true(jscan_int(SLICE_LIT("-9223372036854775808"), &n));
    assert_true(n == INT64_MIN);
}

static void test_jscan_int_refuses_the_rest_and_writes_nothing(void **state)
{
    (void)state;
    const struct slice others[] = {
        SLICE_LIT("9223372036854775808"),
        SLICE_LIT("-9223372036854775809"),
        SLICE_LIT("99999999999999999999"),
        SLICE_LIT("1.0"),
        SLICE_LIT("1e3"),
        SLICE_LIT("\"1\""),
        SLICE_LIT("true"),
        SLICE_LIT("-"),
        SLICE_LIT("NaN"),
        SLICE_NONE,
    };
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        int64_t n = 7;
        assert_false(jscan_int(others[i], &n));
        assert_int_equal(n, 7);
    }
}

static void test_jscan_bool_takes_only_the_two(void **state)
{
    (void)state;
    bool flag = false;

    assert_true(jscan_bool(SLICE_LIT("true"), &flag));
    assert_true(flag);
    assert_true(jscan_bool(SLICE_LIT("false"), &flag));
    assert_false(flag);
    assert_false(jscan_bool(SLICE_LIT("1"), &flag));
    assert_false(jscan_bool(SLICE_LIT("\"true\""), &flag));
    assert_false(jscan_bool(SLICE_NONE, &flag));
}

/* Not a promise of the header, but a safety net: unchecked text is never read past its end. */
static void test_jscan_unchecked_text_stays_in_bounds(void **state)
{
    (void)state;
    const char *const texts[] = {"{\"a\":[1,{\"b\":\"\\\"c\"}],\"d\":2}",
                                 "[[[[\"\\\\\"",
                                 "{{{\"",
                                 "{\"a\"::,}",
                                 "]",
                                 "{\"a\\\"",
                                 "[\"\\u12"};
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            _cleanup_(drop_free) char *copy = malloc(len + (len == 0));
            _cleanup_(drop_buf) struct buf out = BUF_INIT(100);
            assert_non_null(copy);
            memcpy(copy, texts[i], len);
            struct slice value = jscan_get((struct slice){copy, len}, "d");
            assert_true(value.len <= len);
            assert_true(jscan_string((struct slice){copy, len}, &out) <= 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jscan_kind_goes_by_the_first_byte),
        cmocka_unit_test(test_jscan_get_lends_values_without_space),
        cmocka_unit_test(test_jscan_get_absent_is_empty),
        cmocka_unit_test(test_jscan_get_last_of_equal_keys_counts),
        cmocka_unit_test(test_jscan_pick_finds_several_in_one_walk),
        cmocka_unit_test(test_jscan_next_walks_an_array),
        cmocka_unit_test(test_jscan_next_walks_an_object_with_raw_keys),
        cmocka_unit_test(test_jscan_next_scalar_or_nothing_has_no_members),
        cmocka_unit_test(test_jscan_string_table_is_decoded),
        cmocka_unit_test(test_jscan_string_is_table_compares_decoded),
        cmocka_unit_test(test_jscan_string_not_a_string_fails),
        cmocka_unit_test(test_jscan_string_at_the_ceiling_adds_nothing),
        cmocka_unit_test(test_jscan_int_takes_what_fits),
        cmocka_unit_test(test_jscan_int_refuses_the_rest_and_writes_nothing),
        cmocka_unit_test(test_jscan_bool_takes_only_the_two),
        cmocka_unit_test(test_jscan_unchecked_text_stays_in_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
