/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_source.h"
#include "tests/unit/unit.h"

static void test_source_is_quiet_by_what_follows_the_expression(void **state)
{
    static const struct {
        const char *code;
        size_t line;
        size_t column; /* where Python says the expression ends */
        bool quiet;
    } rows[] = {
        {"1+1", 1, 3, false},
        {"1+1;", 1, 3, true},
        {"1+1 \t; # why", 1, 3, true},
        {"1+1 # no;", 1, 3, false},
        {"'a;b'", 1, 5, false},
        {"x = 1; x", 1, 8, false},
        {"a = ';'\nf(\n  1)\n", 3, 4, false},
        {"f(\n  1);", 2, 4, true},
        {"\xc3\xa4;", 1, 2, true},
        {"a\r\nb;", 2, 1, true},
        {"a\rb;", 2, 1, true},
        {"a;\nb", 2, 1, false},
        {"b;", 9, 1, false},
        {"b;", 1, (size_t)-1, false},
        {"", 1, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        bool quiet = source_is_quiet(slice_of(rows[i].code), rows[i].line, rows[i].column);
        if (quiet != rows[i].quiet) {
            fail_msg("row %zu: %s", i, rows[i].code);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_is_quiet_by_what_follows_the_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
