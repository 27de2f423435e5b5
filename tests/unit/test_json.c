/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "base/json.h"
#include "tests/unit/unit.h"

static json_t *parsed(const char *text)
{
    struct err e = ERR_NONE;
    json_t *value = NULL;
    assert_ok(json_parse(slice_of(text), &value, &e));
    return value;
}

static void test_json_parse_gives_the_tree(void **state)
{
    (void)state;
    json_auto_t *object = parsed(" {\"a\": [1, \"x\"], \"b\": null} ");
    json_auto_t *scalar = parsed("3");

    assert_int_equal(json_array_size(json_object_get(object, "a")), 2);
    assert_true(json_is_null(json_object_get(object, "b")));
    assert_int_equal(json_integer_value(scalar), 3);
}

static void test_json_parse_malformed_names_line_and_column(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_t *value = NULL;

    assert_err(json_parse(SLICE_LIT("{\n  \"a\": }"), &value, &e), ERR_PROTO);
    assert_non_null(strstr(e.text, "line 2 column "));
    assert_null(value);
}

static void test_json_parse_refuses_what_a_tree_cannot_hold(void **state)
{
    (void)state;
    const struct slice bad[] = {
        SLICE_LIT(""),      SLICE_LIT("NaN"),  SLICE_LIT("\"\\ud800\""), SLICE_LIT("\"\xff\""),
        SLICE_LIT("{} {}"), SLICE_LIT("[1,]"), SLICE_LIT("\"\\u0000\""), SLICE_LIT("1\0"),
        SLICE_NONE};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;
        json_t *value = NULL;
        assert_err(json_parse(bad[i], &value, &e), ERR_PROTO);
        assert_null(value);
    }
}

static void add_nested(struct buf *out, size_t depth)
{
    for (size_t i = 0; i < depth; i++) {
        (void)buf_add_byte(out, '[');
    }
    for (size_t i = 0; i < depth; i++) {
        (void)buf_add_byte(out, ']');
    }
}

static void test_json_parse_too_deep_is_limit_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_t *none = NULL;
    _cleanup_(drop_buf) struct buf fits = BUF_INIT(10000);
    _cleanup_(drop_buf) struct buf deeper = BUF_INIT(10000);
    add_nested(&fits, JSON_DEPTH_MAX);
    add_nested(&deeper, JSON_DEPTH_MAX + 1);

    json_auto_t *value = parsed(buf_text(&fits));

    assert_non_null(value);
    assert_err(json_parse(buf_slice(&deeper), &none, &e), ERR_LIMIT);
    assert_null(none);
}

static void test_json_parse_too_large_is_limit_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_t *none = NULL;

    assert_err(json_parse((struct slice){"[]", MSG_JSON_MAX + 1}, &none, &e), ERR_LIMIT);
}

static void test_json_get_present_members_are_read(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_auto_t *object = parsed("{\"t\": \"text\", \"i\": -5, \"b\": true}");
    const char *text = NULL;
    int64_t number = 0;
    bool flag = false;

    assert_ok(json_get_text(object, "t", &text, &e));
    assert_ok(json_get_int(object, "i", &number, &e));
    assert_ok(json_get_bool(object, "b", &flag, &e));

    assert_string_equal(text, "text");
    assert_int_equal(number, -5);
    assert_true(flag);
}

static void test_json_get_missing_members_leave_the_default(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_auto_t *object = parsed("{}");
    const char *text = "default";
    int64_t number = 7;
    bool flag = true;

    assert_ok(json_get_text(object, "t", &text, &e));
    assert_ok(json_get_int(object, "i", &number, &e));
    assert_ok(json_get_bool(object, "b", &flag, &e));

    assert_string_equal(text, "default");
    assert_int_equal(number, 7);
    assert_true(flag);
}

static void test_json_get_wrong_type_names_member_and_type(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_auto_t *object = parsed("{\"t\": 1, \"i\": 1.5, \"b\": 0, \"n\": null}");
    const char *text = NULL;
    int64_t number = 0;
    bool flag = false;

    assert_err(json_get_text(object, "t", &text, &e), ERR_INPUT);
    assert_string_equal(e.text, "'t' must be a string");
    assert_err(json_get_int(object, "i", &number, &e), ERR_INPUT);
    assert_string_equal(e.text, "'i' must be an integer");
    assert_err(json_get_bool(object, "b", &flag, &e), ERR_INPUT);
    assert_string_equal(e.text, "'b' must be true or false");
    assert_err(json_get_text(object, "n", &text, &e), ERR_INPUT);
}

static void test_json_get_from_no_object_is_input_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_auto_t *array = parsed("[]");
    const char *text = NULL;

    assert_err(json_get_text(array, "t", &text, &e), ERR_INPUT);
    assert_err(json_get_text(NULL, "t", &text, &e), ERR_INPUT);
}

static void test_json_add_writes_the_compact_form(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_auto_t *value = parsed("{ \"a\" : [ 1 , \"gr\xc3\xbc\" ] }");
    json_auto_t *scalar = parsed("\"x\"");
    _cleanup_(drop_buf) struct buf out = BUF_INIT(100);

    assert_ok(json_add(&out, value, &e));
    assert_ok(json_add(&out, scalar, &e));

    assert_string_equal(buf_text(&out), "{\"a\":[1,\"gr\xc3\xbc\"]}\"x\"");
}

static void test_json_add_at_the_ceiling_is_limit_error(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    json_auto_t *value = parsed("[1,2,3,4,5]");
    _cleanup_(drop_buf) struct buf out = BUF_INIT(6);
    (void)buf_add_byte(&out, '>');

    assert_err(json_add(&out, value, &e), ERR_LIMIT);
    assert_string_equal(buf_text(&out), ">");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_parse_gives_the_tree),
        cmocka_unit_test(test_json_parse_malformed_names_line_and_column),
        cmocka_unit_test(test_json_parse_refuses_what_a_tree_cannot_hold),
        cmocka_unit_test(test_json_parse_too_deep_is_limit_error),
        cmocka_unit_test(test_json_parse_too_large_is_limit_error),
        cmocka_unit_test(test_json_get_present_members_are_read),
        cmocka_unit_test(test_json_get_missing_members_leave_the_default),
        cmocka_unit_test(test_json_get_wrong_type_names_member_and_type),
        cmocka_unit_test(test_json_get_from_no_object_is_input_error),
        cmocka_unit_test(test_json_add_writes_the_compact_form),
        cmocka_unit_test(test_json_add_at_the_ceiling_is_limit_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
