/* SPDX-License-Identifier: MIT */
#include "kernel/cli/jsonout.h"
#include "tests/unit/unit.h"

static void test_jsonout_text_repairs_what_is_not_utf8(void **state)
{
    (void)state;

    json_auto_t *good = jsonout_text("k\xc3\xa4se");
    json_auto_t *bad = jsonout_text("a\xff"
                                    "b");
    json_auto_t *none = jsonout_text(NULL);

    assert_string_equal(json_string_value(good), "k\xc3\xa4se");
    assert_string_equal(json_string_value(bad), "a\xef\xbf\xbd"
                                                "b");
    assert_true(json_is_null(none));
}

static void test_jsonout_write_ends_with_a_newline(void **state)
{
    (void)state;
    json_auto_t *value = json_pack("[i]", 1);
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    jsonout_write(out, value);

    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "[\n  1\n]\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jsonout_text_repairs_what_is_not_utf8),
        cmocka_unit_test(test_jsonout_write_ends_with_a_newline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
