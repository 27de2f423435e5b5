/* SPDX-License-Identifier: MIT */
#include "kernel/protocol/field.h"
#include "tests/unit/unit.h"

static void test_field_check_right_kinds_are_accepted(void **state)
{
    (void)state;

    static const struct {
        const char *value;
        enum field_kind kind;
    } rows[] = {
        {"\"text\"", FIELD_TEXT}, {"-3", FIELD_INT},    {"true", FIELD_BOOL},
        {"false", FIELD_BOOL},    {"{}", FIELD_OBJECT}, {"[1]", FIELD_LIST},
    };
    struct err e = ERR_NONE;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_ok(field_check("f", slice_of(rows[i].value), rows[i].kind, FIELD_REQUIRED, &e));
    }
}

static void test_field_check_wrong_kinds_name_what_was_found(void **state)
{
    (void)state;

    static const struct {
        const char *value;
        enum field_kind kind;
        const char *text;
    } rows[] = {
        {"1", FIELD_TEXT, "field \"f\" is a number, must be a string"},
        {"\"1\"", FIELD_INT, "field \"f\" is a string, must be a whole number"},
        {"1", FIELD_BOOL, "field \"f\" is a number, must be true or false"},
        {"[]", FIELD_OBJECT, "field \"f\" is a list, must be an object"},
        {"{}", FIELD_LIST, "field \"f\" is an object, must be a list"},
        {"true", FIELD_TEXT, "field \"f\" is true, must be a string"},
        {"1.5", FIELD_INT, "field \"f\" is a number that is not a whole one of 64 bits"},
        {"NaN", FIELD_INT, "field \"f\" is a number that is not a whole one of 64 bits"},
        {"99999999999999999999", FIELD_INT,
         "field \"f\" is a number that is not a whole one of 64 bits"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct err e = ERR_NONE;
        assert_err(field_check("f", slice_of(rows[i].value), rows[i].kind, FIELD_OPTIONAL, &e),
                   ERR_INPUT);
        assert_string_equal(e.text, rows[i].text);
    }
}

static void test_field_check_absent_and_null_matter_only_when_required(void **state)
{
    (void)state;
    struct err e = ERR_NONE;

    assert_ok(field_check("f", SLICE_NONE, FIELD_TEXT, FIELD_OPTIONAL, &e));
    assert_ok(field_check("f", SLICE_LIT("null"), FIELD_TEXT, FIELD_OPTIONAL, &e));
    assert_err(field_check("f", SLICE_NONE, FIELD_TEXT, FIELD_REQUIRED, &e), ERR_INPUT);
    assert_string_equal(e.text, "field \"f\" is missing, must be a string");
    assert_err(field_check("f", SLICE_LIT("null"), FIELD_TEXT, FIELD_REQUIRED, &e), ERR_INPUT);
    assert_string_equal(e.text, "field \"f\" is null, must be a string");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_check_right_kinds_are_accepted),
        cmocka_unit_test(test_field_check_wrong_kinds_name_what_was_found),
        cmocka_unit_test(test_field_check_absent_and_null_matter_only_when_required),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
