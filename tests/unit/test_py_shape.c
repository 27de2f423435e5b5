/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_shape.h"
#include "tests/unit/unit.h"

struct row {
    const char *code;
    enum shape_kind kind;
    size_t tail;
    size_t line;
};

static void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct shape shape = shape_of(slice_of(rows[i].code));
        bool right = shape.kind == rows[i].kind &&
                     (shape.kind != SHAPE_VALUE ||
                      (shape.tail == rows[i].tail && shape.line == rows[i].line));
        if (!right) {
            fail_msg("row %zu: %s", i, rows[i].code);
        }
    }
}

static void test_shape_of_a_cell_that_ends_in_an_expression_finds_it(void **state)
{
    static const struct row rows[] = {
        {"1+1", SHAPE_VALUE, 0, 0},
        {"x = 1\nx", SHAPE_VALUE, 6, 1},
        {"x = 1\nx\n\n  \n# the end\n", SHAPE_VALUE, 6, 1},
        {"# why\n\nf(a=1,\n  b=2)", SHAPE_VALUE, 7, 2},
        {"if a:\n    b\nc # d; e", SHAPE_VALUE, 12, 2},
        {"a == b != c <= d >= e", SHAPE_VALUE, 0, 0},
        {"s = '''\nx = 1\n'''\ns", SHAPE_VALUE, 18, 3},
        {"s = \"\"\"a\"b\"\"\"\ns", SHAPE_VALUE, 14, 1},
        {"'a = b; c:'", SHAPE_VALUE, 0, 0},
        {"'\\'= 1'", SHAPE_VALUE, 0, 0},
        {"'one \\\n= two'", SHAPE_VALUE, 0, 0},
        {"x = 1 + \\\n  2\nx", SHAPE_VALUE, 14, 2},
        {"a + \\\nb", SHAPE_VALUE, 0, 0},
        {"{1: 2}[x:y]", SHAPE_VALUE, 0, 0},
        {"iffy(x)", SHAPE_VALUE, 0, 0},
        {"print(f'{x} {y!r:>{w}} }} {{ {z}')", SHAPE_UNSURE, 0, 0}, /* "{{" looks like two */
        {"print(f'{x} {y!r:>{w}}')", SHAPE_VALUE, 0, 0},
        {"\xc3\xa4", SHAPE_VALUE, 0, 0},
    };

    (void)state;
    check(rows, ARRAY_LEN(rows));
}

static void test_shape_of_a_cell_that_ends_otherwise_is_statements(void **state)
{
    static const struct row rows[] = {
        {"x = 1", SHAPE_STATEMENTS, 0, 0},
        {"x += 1", SHAPE_STATEMENTS, 0, 0},
        {"x <<= 1", SHAPE_STATEMENTS, 0, 0},
        {"x >>= 1", SHAPE_STATEMENTS, 0, 0},
        {"x = a == b", SHAPE_STATEMENTS, 0, 0},
        {"x[a == b] = 1", SHAPE_STATEMENTS, 0, 0},
        {"import os", SHAPE_STATEMENTS, 0, 0},
        {"if(x): y", SHAPE_STATEMENTS, 0, 0},
        {"for x in y:\n    x", SHAPE_STATEMENTS, 0, 0},
        {"def f():\n    return 1\n\n# f()\n", SHAPE_STATEMENTS, 0, 0},
        {"try:\n  a\nfinally: b", SHAPE_STATEMENTS, 0, 0},
        {"f(\n1)\npass", SHAPE_STATEMENTS, 0, 0},
    };

    (void)state;
    check(rows, ARRAY_LEN(rows));
}

static void test_shape_of_what_only_a_parser_can_tell_is_unsure(void **state)
{
    static const struct row rows[] = {
        {"", SHAPE_UNSURE, 0, 0},
        {"# nothing", SHAPE_UNSURE, 0, 0},
        {"x;", SHAPE_UNSURE, 0, 0},
        {"x = 1; x", SHAPE_UNSURE, 0, 0},
        {"import x; x", SHAPE_UNSURE, 0, 0},
        {"lambda x=1: x", SHAPE_UNSURE, 0, 0},
        {"x: int", SHAPE_UNSURE, 0, 0},
        {"match x: y", SHAPE_UNSURE, 0, 0},
        {"*a, b", SHAPE_UNSURE, 0, 0},
        {"@f", SHAPE_UNSURE, 0, 0},
        {"%time x", SHAPE_UNSURE, 0, 0},
        {"!ls", SHAPE_UNSURE, 0, 0},
        {"x = !ls", SHAPE_UNSURE, 0, 0},
        {"x?", SHAPE_UNSURE, 0, 0},
        {"f(", SHAPE_UNSURE, 0, 0},
        {"f)", SHAPE_UNSURE, 0, 0},
        {"'open", SHAPE_UNSURE, 0, 0},
        {"'open\n'", SHAPE_UNSURE, 0, 0},
        {"'''open", SHAPE_UNSURE, 0, 0},
        {"'open\\", SHAPE_UNSURE, 0, 0},
        {"a \\ b", SHAPE_UNSURE, 0, 0},
        {"x\\", SHAPE_UNSURE, 0, 0},
        {"a\r\nb", SHAPE_UNSURE, 0, 0},
        {"\fx", SHAPE_UNSURE, 0, 0},
        /* From 3.12 on these are single strings. */
        {"f\"{d[\"a = b\"]}\"", SHAPE_UNSURE, 0, 0},
        {"rf\"{d[\"a = b\"]}\"", SHAPE_UNSURE, 0, 0},
        {"f\"{'}' + d[\"a = b\"]}\"", SHAPE_UNSURE, 0, 0},
        {"f'''{d['a = b']}'''", SHAPE_UNSURE, 0, 0},
    };

    (void)state;
    check(rows, ARRAY_LEN(rows));
}

static void test_shape_of_code_with_a_nul_is_unsure(void **state)
{
    (void)state;

    assert_int_equal(shape_of((struct slice){.data = "a\0b", .len = 3}).kind, SHAPE_UNSURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_of_a_cell_that_ends_in_an_expression_finds_it),
        cmocka_unit_test(test_shape_of_a_cell_that_ends_otherwise_is_statements),
        cmocka_unit_test(test_shape_of_what_only_a_parser_can_tell_is_unsure),
        cmocka_unit_test(test_shape_of_code_with_a_nul_is_unsure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
