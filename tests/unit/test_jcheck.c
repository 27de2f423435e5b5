/* SPDX-License-Identifier: MIT */
/* jscan_check against tables of documents: RFC 8259 corner by corner. */
#include "base/bounds.h"
#include "base/jscan.h"
#include "tests/unit/unit.h"

enum { DEPTH = 8 };

static const struct slice valid[] = {
    SLICE_ROW("null"),
    SLICE_ROW("true"),
    SLICE_ROW("false"),
    SLICE_ROW(" \t\r\n0\n"),
    SLICE_ROW("-0"),
    SLICE_ROW("0.0"),
    SLICE_ROW("-12.50e+10"),
    SLICE_ROW("1E5"),
    SLICE_ROW("1e-5"),
    SLICE_ROW("123456789012345678901234567890"),
    SLICE_ROW("1e999999"),
    SLICE_ROW("\"\""),
    SLICE_ROW("\"a\\\"b\\\\c\\/\\b\\f\\n\\r\\t\""),
    SLICE_ROW("\"\\u0000\\uABCD\\uabcd\""),
    SLICE_ROW("\"\x7f\""),
    SLICE_ROW("\"\\ud83c\\udf19\""),
    SLICE_ROW("\"\\ud800\""), /* a lone surrogate, as an escape */
    SLICE_ROW("\"\\udc00\\ud800\""),
    SLICE_ROW("\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\x99\""),
    SLICE_ROW("\"\xe2\x80\xa8\""), /* U+2028 stands for itself */
    SLICE_ROW("\"12345678\\\\\""),
    SLICE_ROW("[]"),
    SLICE_ROW("{}"),
    SLICE_ROW(" [ ] "),
    SLICE_ROW(" { } "),
    SLICE_ROW("[[],[[]],{}]"),
    SLICE_ROW("[1,\"a\",null,true,false,{\"b\":[]}]"),
    SLICE_ROW("{\"a\":1,\"a\":2}"), /* equal keys are allowed */
    SLICE_ROW("{\"\":0}"),
    SLICE_ROW("{ \"a\" : { \"b\" : [ 1 , 2 ] } , \"c\" : \"d\" }"),
    SLICE_ROW("[[[[[[[[]]]]]]]]"),
    SLICE_ROW("{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}}}}"),
    SLICE_ROW("[{},[1],{\"a\":2},[[3],{}]]"),       /* kinds change on one level */
    SLICE_ROW("[[[[[[[[0]]]]]]],[[[[[[[0]]]]]]]]"), /* depth is given back */
};

/* Only what Python writes; the offset is where strict reading stops. */
static const struct {
    struct slice text;
    size_t offset;
} lenient[] = {
    {SLICE_ROW("NaN"), 0},
    {SLICE_ROW("Infinity"), 0},
    {SLICE_ROW("-Infinity"), 1},
    {SLICE_ROW("[1, NaN, -Infinity]"), 4},
    {SLICE_ROW("{\"a\": Infinity}"), 6},
    {SLICE_ROW("\"\xff\""), 1},
    {SLICE_ROW("\"ab\xc3\""), 3},
    {SLICE_ROW("\"\xed\xa0\x80\""), 1},
    {SLICE_ROW("\"\xc0\xaf\""), 1},
    {SLICE_ROW("\"\xf4\x90\x80\x80\""), 1},
    {SLICE_ROW("{\"\x80\": 1}"), 2},
};

static const struct {
    struct slice text;
    size_t offset;
} invalid[] = {
    {SLICE_ROW(""), 0},
    {SLICE_ROW("  "), 2},
    {SLICE_ROW("nul"), 0},
    {SLICE_ROW("nulll"), 4},
    {SLICE_ROW("True"), 0},
    {SLICE_ROW("nan"), 0},
    {SLICE_ROW("-NaN"), 1},
    {SLICE_ROW("-Inf"), 1},
    {SLICE_ROW("+1"), 0},
    {SLICE_ROW("01"), 1},
    {SLICE_ROW("-"), 1},
    {SLICE_ROW("-01"), 2},
    {SLICE_ROW(".5"), 0},
    {SLICE_ROW("1."), 2},
    {SLICE_ROW("1.e5"), 2},
    {SLICE_ROW("1e"), 2},
    {SLICE_ROW("1e+"), 3},
    {SLICE_ROW("1e+-1"), 3},
    {SLICE_ROW("0x10"), 1},
    {SLICE_ROW("1 2"), 2},
    {SLICE_ROW("\""), 1},
    {SLICE_ROW("\"abc"), 4},
    {SLICE_ROW("\"\\\""), 3},
    {SLICE_ROW("\"\\"), 1},
    {SLICE_ROW("\"\\x\""), 1},
    {SLICE_ROW("\"\\\0\""), 1},
    {SLICE_ROW("\"\\u12g4\""), 1},
    {SLICE_ROW("\"\\u123"), 1},
    {SLICE_ROW("\"\\U0041\""), 1},
    {SLICE_ROW("\"a\nb\""), 2},
    {SLICE_ROW("\"12345678\t\""), 9},
    {SLICE_ROW("\"\0\""), 1},
    {SLICE_ROW("'a'"), 0},
    {SLICE_ROW("\"a\"b"), 3},
    {SLICE_ROW("["), 1},
    {SLICE_ROW("]"), 0},
    {SLICE_ROW("[,]"), 1},
    {SLICE_ROW("[1,]"), 3},
    {SLICE_ROW("[1 2]"), 3},
    {SLICE_ROW("[1}"), 2},
    {SLICE_ROW("[1"), 2},
    {SLICE_ROW("[1,"), 3},
    {SLICE_ROW("[]]"), 2},
    {SLICE_ROW("[1]\0"), 3},
    {SLICE_ROW("{"), 1},
    {SLICE_ROW("}"), 0},
    {SLICE_ROW("{]"), 1},
    {SLICE_ROW("{1:2}"), 1},
    {SLICE_ROW("{a:1}"), 1},
    {SLICE_ROW("{\"a\"}"), 4},
    {SLICE_ROW("{\"a\" 1}"), 5},
    {SLICE_ROW("{\"a\":}"), 5},
    {SLICE_ROW("{\"a\":1,}"), 7},
    {SLICE_ROW("{\"a\":1 \"b\":2}"), 7},
    {SLICE_ROW("{\"a\":1]"), 6},
    {SLICE_ROW("{\"a\":1"), 6},
    {SLICE_ROW("{\"a\":1}}"), 7},
    {SLICE_ROW("{\"a\":[}"), 6},
    {SLICE_ROW("{,\"a\":1}"), 1},
    {SLICE_ROW("\xef\xbb\xbf{}"), 0}, /* byte order mark */
    {SLICE_ROW("[1] // no"), 4},
    {SLICE_ROW("\f[]"), 0},
    {SLICE_ROW("\xc2\xa0[]"), 0},
};

/* The slice is copied to a heap block of its very size, so that a read behind it is seen. */
static int check_exact(struct slice text, enum jscan_mode mode, struct err *e)
{
    _cleanup_(drop_free) char *copy = malloc(text.len ? text.len : 1);
    assert_non_null(copy);
    memcpy(copy, text.data, text.len);
    return jscan_check((struct slice){copy, text.len}, mode, DEPTH, e);
}

static void assert_refused_at(struct slice text, enum jscan_mode mode, size_t offset)
{
    struct err e = ERR_NONE;
    char place[32];
    (void)snprintf(place, sizeof place, " at byte %zu", offset);

    assert_int_equal(check_exact(text, mode, &e), -1);

    const char *at = strstr(e.text, " at byte ");
    if (e.code != ERR_PROTO || at == NULL || strcmp(at, place) != 0) {
        fail_msg("'%s': wanted%s, got '%s'", text.data, place, e.text);
    }
}

static void test_jscan_check_valid_documents_pass(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(valid); i++) {
        if (check_exact(valid[i], JSCAN_STRICT, &e) < 0 ||
            check_exact(valid[i], JSCAN_LENIENT, &e) < 0) {
            fail_msg("'%s': %s", valid[i].data, e.text);
        }
    }
}

static void test_jscan_check_invalid_documents_name_the_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(invalid); i++) {
        assert_refused_at(invalid[i].text, JSCAN_STRICT, invalid[i].offset);
        assert_refused_at(invalid[i].text, JSCAN_LENIENT, invalid[i].offset);
    }
}

static void test_jscan_check_python_extras_pass_only_lenient(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(lenient); i++) {
        if (check_exact(lenient[i].text, JSCAN_LENIENT, &e) < 0) {
            fail_msg("'%s': %s", lenient[i].text.data, e.text);
        }
        assert_refused_at(lenient[i].text, JSCAN_STRICT, lenient[i].offset);
    }
}

/* Every document that is cut short is either refused or, for numbers, another valid one; never
 * read behind its end (check_exact and the sanitizers see to that). */
static void test_jscan_check_every_prefix_of_containers_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(valid); i++) {
        char first = valid[i].data[strspn(valid[i].data, " ")];
        size_t last = valid[i].len;
        while (valid[i].data[last - 1] == ' ') {
            last--;
        }
        for (size_t len = 0; len < last && strchr("[{\"", first) != NULL; len++) {
            struct err e = ERR_NONE;
            assert_err(check_exact((struct slice){valid[i].data, len}, JSCAN_LENIENT, &e),
                       ERR_PROTO);
        }
    }
}

static void test_jscan_check_null_slice_is_refused(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    assert_err(jscan_check(SLICE_NONE, JSCAN_STRICT, DEPTH, &e), ERR_PROTO);
}

/* `depth` brackets around nothing: [{"":[{"": ... }]}] */
static void add_nested(struct buf *out, size_t depth)
{
    for (size_t i = 0; i < depth; i++) {
        (void)buf_add_text(out, i % 2 == 0 ? "[" : i + 1 < depth ? "{\"\":" : "{");
    }
    for (size_t i = depth; i-- > 0;) {
        (void)buf_add_byte(out, i % 2 == 0 ? ']' : '}');
    }
}

static void test_jscan_check_depth_is_exact(void **state)
{
    (void)state;
    const size_t limits[] = {1, 2, 63, 64, 65, 128, JSON_DEPTH_MAX, 4096};
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf fits = BUF_INIT(1 << 20);
        _cleanup_(drop_buf) struct buf deeper = BUF_INIT(1 << 20);
        add_nested(&fits, limits[i]);
        add_nested(&deeper, limits[i] + 1);

        assert_ok(jscan_check(buf_slice(&fits), JSCAN_STRICT, limits[i], &e));
        assert_err(jscan_check(buf_slice(&deeper), JSCAN_STRICT, limits[i], &e), ERR_LIMIT);
    }
}

static void test_jscan_check_depth_zero_takes_scalars_only(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    assert_ok(jscan_check(SLICE_LIT("1"), JSCAN_STRICT, 0, &e));
    assert_err(jscan_check(SLICE_LIT("[]"), JSCAN_STRICT, 0, &e), ERR_LIMIT);
}

static void test_jscan_check_depth_is_capped_whatever_is_asked(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf deep = BUF_INIT(1 << 20);
    add_nested(&deep, 4097);

    assert_err(jscan_check(buf_slice(&deep), JSCAN_STRICT, SIZE_MAX, &e), ERR_LIMIT);
}

static void test_jscan_check_ten_megabytes_of_brackets_is_limit_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    const size_t len = 10 * MIB;
    _cleanup_(drop_buf) struct buf deep = BUF_INIT(len);
    memset(buf_reserve(&deep, len), '[', len);
    buf_commit(&deep, len);

    assert_err(jscan_check(buf_slice(&deep), JSCAN_STRICT, JSON_DEPTH_MAX, &e), ERR_LIMIT);
    assert_non_null(strstr(e.text, "at byte 256"));
}

/* The fast path looks at eight bytes at once: every byte value at every place of a word. */
static void test_jscan_check_each_byte_at_each_place_in_a_string(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        for (size_t place = 1; place <= 17; place++) {
            struct err e = ERR_NONE;
            char text[] = "\"aaaaaaaaaaaaaaaaa\"";
            text[place] = (char)byte;
            bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
            int result = jscan_check((struct slice){text, 19}, JSCAN_STRICT, 0, &e);
            assert_int_equal(result, plain ? 0 : -1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jscan_check_valid_documents_pass),
        cmocka_unit_test(test_jscan_check_invalid_documents_name_the_byte),
        cmocka_unit_test(test_jscan_check_python_extras_pass_only_lenient),
        cmocka_unit_test(test_jscan_check_every_prefix_of_containers_is_refused),
        cmocka_unit_test(test_jscan_check_null_slice_is_refused),
        cmocka_unit_test(test_jscan_check_depth_is_exact),
        cmocka_unit_test(test_jscan_check_depth_zero_takes_scalars_only),
        cmocka_unit_test(test_jscan_check_depth_is_capped_whatever_is_asked),
        cmocka_unit_test(test_jscan_check_ten_megabytes_of_brackets_is_limit_error),
        cmocka_unit_test(test_jscan_check_each_byte_at_each_place_in_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
