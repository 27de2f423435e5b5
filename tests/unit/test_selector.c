/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "kernel/core/selector.h"
#include "tests/unit/unit.h"

static void test_selector_read_lines_table(void **state)
{
    (void)state;

    static const struct {
        const char *code; /* raw JSON string */
        enum select_by by;
        const char *name;
    } cases[] = {
        {"\"%%js\\nlet x = 1\"", SELECT_LANGUAGE, "javascript"},
        {"\"%%ts\"", SELECT_LANGUAGE, "typescript"},
        {"\"%%python  \\n1\"", SELECT_LANGUAGE, "python"},
        {"\"%%python --out x\\n1\"", SELECT_DEFAULT, ""},
        {"\"%%javascript\\n1\"", SELECT_DEFAULT, ""},
        {"\"%%jsx\\n1\"", SELECT_DEFAULT, ""},
        {"\" %%js\\n1\"", SELECT_DEFAULT, ""},
        {"\"\\n%%js\\n1\"", SELECT_DEFAULT, ""},
        {"\"%%js\\t\\n1\"", SELECT_DEFAULT, ""},
        {"\"%%context data\\r\\n1\"", SELECT_ID, "data"},
        {"\"%%context   a.b-c_9\"", SELECT_ID, "a.b-c_9"},
        {"\"%%contexts data\\n1\"", SELECT_DEFAULT, ""},
        {"\"\"", SELECT_DEFAULT, ""},
        {"17", SELECT_DEFAULT, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        struct selection s;
        _cleanup_(drop_free) char *content = xasprintf("{\"code\": %s}", cases[i].code);

        assert_ok(selector_read(SLICE_NONE, slice_of(content), &s, &e));

        assert_int_equal(s.by, cases[i].by);
        assert_string_equal(s.name, cases[i].name);
    }
}

static void test_selector_read_option_selects_unless_a_line_does(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct selection s;

    assert_ok(selector_read(SLICE_LIT("other"), SLICE_LIT("{\"code\": \"1\"}"), &s, &e));
    assert_int_equal(s.by, SELECT_ID);
    assert_string_equal(s.name, "other");

    assert_ok(selector_read(SLICE_LIT("other"), SLICE_LIT("{\"code\": \"%%js\\n1\"}"), &s, &e));
    assert_string_equal(s.name, "javascript");

    assert_ok(selector_read(SLICE_NONE, SLICE_LIT("{}"), &s, &e));
    assert_int_equal(s.by, SELECT_DEFAULT);
}

static void test_selector_read_bad_ids_are_named(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct selection s;

    assert_err(selector_read(SLICE_NONE, SLICE_LIT("{\"code\": \"%%context a b\"}"), &s, &e),
               ERR_INPUT);
    assert_non_null(strstr(e.text, "'a b'"));
    assert_err(selector_read(SLICE_NONE, SLICE_LIT("{\"code\": \"%%context\"}"), &s, &e),
               ERR_INPUT);
}

static void test_selector_blank_keeps_every_position(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct selection s;
    char content[] = "{\"cursor_pos\": 9, \"code\": \"%%js\\nlet x\"}";

    assert_ok(selector_read(SLICE_NONE, slice_of(content), &s, &e));
    selector_blank(&s, content);

    assert_string_equal(content, "{\"cursor_pos\": 9, \"code\": \"    \\nlet x\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selector_read_lines_table),
        cmocka_unit_test(test_selector_read_option_selects_unless_a_line_does),
        cmocka_unit_test(test_selector_read_bad_ids_are_named),
        cmocka_unit_test(test_selector_blank_keeps_every_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
