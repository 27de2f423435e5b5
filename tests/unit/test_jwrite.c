/* SPDX-License-Identifier: MIT */
#include <jansson.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/text.h"
#include "tests/unit/unit.h"

#define FFFD "\xef\xbf\xbd"

static const struct {
    struct slice text;
    const char *json;
} cases[] = {
    {SLICE_ROW(""), "\"\""},
    {SLICE_ROW("plain text, longer than a word"), "\"plain text, longer than a word\""},
    {SLICE_ROW("\"\\/\b\f\n\r\t"), "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
    {SLICE_ROW("a\0b"), "\"a\\u0000b\""},
    {SLICE_ROW("\x01\x1f\x1b[0m\x7f"), "\"\\u0001\\u001f\\u001b[0m\x7f\""},
    {SLICE_ROW("gr\xc3\xbc\xc3\x9f \xf0\x9f\x8c\x99"), "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x8c\x99\""},
    {SLICE_ROW("12345678\"12345678\n12345678"), "\"12345678\\\"12345678\\n12345678\""},
    {SLICE_ROW("a\xff"
               "b\xc3"),
     "\"a" FFFD "b" FFFD "\""},
    {SLICE_ROW("\xed\xa0\x80"), "\"" FFFD FFFD FFFD "\""},
    {SLICE_ROW("\xe2\x82\"\xe2\x82"), "\"" FFFD "\\\"" FFFD "\""},
};

static void test_jwrite_string_table_is_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(200);
        assert_int_equal(jwrite_string(&out, cases[i].text), 0);
        assert_string_equal(buf_text(&out), cases[i].json);
    }
    _cleanup_(drop_buf) struct buf none = BUF_INIT(200);
    assert_int_equal(jwrite_string(&none, SLICE_NONE), 0);
    assert_string_equal(buf_text(&none), "\"\"");
}

/* Each case under every ceiling that is too low: all or nothing. */
static void test_jwrite_string_at_the_ceiling_adds_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t whole = strlen(cases[i].json);
        for (size_t limit = 1; limit < 1 + whole; limit++) {
            struct err e = ERR_NONE;
            _cleanup_(drop_buf) struct buf out = BUF_INIT(limit);
            (void)buf_add_text(&out, ",");
            assert_int_equal(jwrite_string(&out, cases[i].text), -1);
            assert_string_equal(buf_text(&out), ",");
            assert_err(buf_check(&out, &e), ERR_LIMIT);
        }
    }
}

static void test_jwrite_key_and_int_make_a_member(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(100);

    assert_int_equal(jwrite_key(&out, "count"), 0);
    assert_int_equal(jwrite_int(&out, INT64_MIN), 0);
    assert_int_equal(jwrite_key(&out, ""), 0);
    assert_int_equal(jwrite_int(&out, INT64_MAX), 0);

    assert_string_equal(buf_text(&out),
                        "\"count\": -9223372036854775808, \"\": 9223372036854775807");
}

static void test_jwrite_key_and_int_at_the_ceiling_add_nothing(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4);

    assert_int_equal(jwrite_key(&out, "a"), -1);
    assert_int_equal(jwrite_int(&out, 12345), -1);
    assert_int_equal(out.len, 0);
    assert_int_equal(jwrite_int(&out, 1234), 0);
}

static void test_jwrite_nested_keeps_the_commas(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(200);

    jwrite_object(&out);
    jwrite_member_text(&out, "status", "ok");
    jwrite_key(&out, "rows");
    jwrite_list(&out);
    jwrite_list(&out);
    jwrite_int(&out, 1);
    jwrite_string(&out, SLICE_LIT("ends with {"));
    jwrite_bool(&out, true);
    jwrite_list_end(&out);
    jwrite_object(&out);
    jwrite_object_end(&out);
    jwrite_raw(&out, SLICE_LIT("null"));
    jwrite_list_end(&out);
    jwrite_member_raw(&out, "raw", SLICE_LIT("[2]"));
    jwrite_member_real(&out, "real", -12.25);
    jwrite_member_bool(&out, "last", false);
    jwrite_object_end(&out);

    assert_string_equal(buf_text(&out),
                        "{\"status\": \"ok\", \"rows\": [[1, \"ends with {\", true], {}, null], "
                        "\"raw\": [2], \"real\": -12.2, \"last\": false}");
}

static void test_jwrite_member_at_the_ceiling_takes_its_key_back(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(12);

    assert_int_equal(jwrite_object(&out), 0);
    assert_int_equal(jwrite_member_text(&out, "key", "too long"), -1);
    assert_int_equal(jwrite_member_int(&out, "key", 12345), -1);
    assert_int_equal(jwrite_member_raw(&out, "key", SLICE_LIT("[1, 2]")), -1);

    assert_string_equal(buf_text(&out), "{");
}

/* A small generator of our own: the tests must be the same on every run. */
static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Bytes that are mostly text, with all kinds of trouble in between. */
static size_t random_bytes(uint32_t *seed, char *out, size_t max)
{
    static const char *const pieces[] = {"a",
                                         "abcdefghij",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "\x01",
                                         "\xc3\xbc",
                                         "\xc3",
                                         "\xe2\x82",
                                         "\xe2\x82\xac",
                                         "\xf0\x9f\x8c\x99",
                                         "\xed\xa0\x80",
                                         "\xff",
                                         "\x80",
                                         "\\u0041",
                                         "\x7f"};
    size_t wanted = next_random(seed) % max;
    size_t len = 0;
    while (len < wanted) {
        const char *piece = pieces[next_random(seed) % ARRAY_LEN(pieces)];
        size_t n = strlen(piece) < wanted - len ? strlen(piece) : wanted - len;
        memcpy(out + len, piece, n);
        len += n;
    }
    return len;
}

static void test_jwrite_string_random_bytes_come_back_repaired(void **state)
{
    (void)state;
    uint32_t seed = 20240229;
    for (int round = 0; round < 5000; round++) {
        char bytes[200];
        struct err e = ERR_NONE;
        struct slice text = {bytes, random_bytes(&seed, bytes, sizeof bytes)};
        _cleanup_(drop_buf) struct buf json = BUF_INIT(5000);
        _cleanup_(drop_buf) struct buf back = BUF_INIT(5000);
        _cleanup_(drop_buf) struct buf wanted = BUF_INIT(5000);

        assert_int_equal(jwrite_string(&json, text), 0);
        assert_ok(jscan_check(buf_slice(&json), JSCAN_STRICT, 0, &e));
        assert_int_equal(jscan_string(buf_slice(&json), &back), 0);

        assert_int_equal(text_add_utf8(&wanted, text), 0);
        assert_true(slice_eq(buf_slice(&back), buf_slice(&wanted)));
        assert_int_equal(jscan_string_is(buf_slice(&json), buf_text(&wanted)), 1);
    }
}

static void test_jwrite_ascii_escapes_what_is_not_ascii_and_nothing_else(void **state)
{
    (void)state;

    static const struct {
        const char *json;
        const char *ascii;
    } rows[] = {
        {"", ""},
        {"{\"a\":  [1, \"\\n\\u00e4\"]}", "{\"a\":  [1, \"\\n\\u00e4\"]}"},
        {"\"gr\xc3\xbc\xc3\x9f\"", "\"gr\\u00fc\\u00df\""},
        {"\"\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\"",
         "\"\x7f\\u0080\\u07ff\\u0800\\uffff\""},
        {"\"\xf0\x90\x80\x80\xf0\x9f\x8c\x99\xf4\x8f\xbf\xbf\"",
         "\"\\ud800\\udc00\\ud83c\\udf19\\udbff\\udfff\""},
        {"\"a\xff\xc3\"", "\"a\\ufffd\\ufffd\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

        assert_int_equal(jwrite_ascii(&out, slice_of(rows[i].json)), 0);

        assert_slice_equal(buf_slice(&out), rows[i].ascii);
    }
}

static void test_jwrite_ascii_means_the_same_to_another_reader(void **state)
{
    (void)state;
    static const char json[] =
        "{\"k\xc3\xa4se\": [\"\xe2\x82\xac \xf0\x9f\x8c\x99 \\\\ \\u20ac\", 1.5, null, true]}";
    _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
    assert_int_equal(jwrite_ascii(&out, slice_of(json)), 0);

    json_auto_t *before = json_loads(json, 0, NULL);
    json_auto_t *after = json_loads(buf_text(&out), 0, NULL);

    assert_non_null(before);
    assert_true(json_equal(before, after));
}

static void test_jwrite_ascii_at_every_ceiling_adds_nothing(void **state)
{
    (void)state;
    struct slice json = SLICE_LIT("\"x\xf0\x9f\x8c\x99\xc3\xa4\"");
    for (size_t limit = 0; limit < 21; limit++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(limit);

        assert_int_equal(jwrite_ascii(&out, json), -1);

        assert_int_equal(out.len, 0);
    }
}

static void test_jwrite_mended_replaces_halves_of_pairs_and_nothing_else(void **state)
{
    static const struct {
        const char *json;
        const char *mended; /* NULL: lent as it is */
    } rows[] = {
        {"", NULL},
        {"{\"a\": [1, \"b\\n\\\\ud83d\\u00fc\"]}", NULL},
        {"\"\\ud83d\\ude00\\uD83D\\uDE00\"", NULL},
        {"\"\\ud83d\"", "\"\\ufffd\""},
        {"\"\\ude00\\ud83d\"", "\"\\ufffd\\ufffd\""},
        {"\"\\ud83d\\ud83d\\ude00x\"", "\"\\ufffd\\ud83d\\ude00x\""},
        {"\"\\\\\\uDFFF\\ud83d\\n\\u0041\"", "\"\\\\\\ufffd\\ufffd\\n\\u0041\""},
    };

    (void)state;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        _cleanup_(drop_buf) struct buf copy = BUF_INIT(200);
        struct slice json = slice_of(rows[i].json);
        struct slice mended = jwrite_mended(json, &copy);
        if (rows[i].mended == NULL) {
            assert_ptr_equal(mended.data, json.data);
            assert_int_equal(mended.len, json.len);
        } else {
            assert_string_equal(buf_text(&copy), rows[i].mended);
            assert_int_equal(mended.len, json.len);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jwrite_string_table_is_escaped),
        cmocka_unit_test(test_jwrite_string_at_the_ceiling_adds_nothing),
        cmocka_unit_test(test_jwrite_key_and_int_make_a_member),
        cmocka_unit_test(test_jwrite_key_and_int_at_the_ceiling_add_nothing),
        cmocka_unit_test(test_jwrite_nested_keeps_the_commas),
        cmocka_unit_test(test_jwrite_member_at_the_ceiling_takes_its_key_back),
        cmocka_unit_test(test_jwrite_string_random_bytes_come_back_repaired),
        cmocka_unit_test(test_jwrite_ascii_escapes_what_is_not_ascii_and_nothing_else),
        cmocka_unit_test(test_jwrite_ascii_means_the_same_to_another_reader),
        cmocka_unit_test(test_jwrite_ascii_at_every_ceiling_adds_nothing),
        cmocka_unit_test(test_jwrite_mended_replaces_halves_of_pairs_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
