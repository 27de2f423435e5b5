/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "contexts/worker/state.h"
#include "tests/unit/unit.h"

static void test_start_apply_enters_directory(void **state)
{
    struct err e = ERR_NONE;
    char here[PATH_MAX];
    (void)state;

    assert_ok(start_apply(SLICE_LIT("{\"context\": \"a\", \"cwd\": \"/proc\"}"), &e));

    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(here, "/proc");
}

static void test_start_apply_missing_directory_is_named(void **state)
{
    struct err e = ERR_NONE;
    (void)state;

    assert_err(start_apply(SLICE_LIT("{\"cwd\": \"/no/such/place\"}"), &e), ERR_SYS);

    assert_non_null(strstr(e.text, "/no/such/place"));
}

static void test_start_apply_sets_and_unsets_variables(void **state)
{
    struct err e = ERR_NONE;
    (void)state;
    setenv("PANDIA_TEST_OLD", "x", 1);

    assert_ok(start_apply(
        SLICE_LIT("{\"env\": {\"PANDIA_TEST_NEW\": \"\\u00e4 b\", \"PANDIA_TEST_OLD\": null}}"),
        &e));

    assert_string_equal(getenv("PANDIA_TEST_NEW"), "\xc3\xa4 b");
    assert_null(getenv("PANDIA_TEST_OLD"));
}

static void test_start_apply_bad_types_are_input_errors(void **state)
{
    static const char *const bad[] = {
        "{\"cwd\": 5}",          "{\"cwd\": \"a\\u0000b\"}",         "{\"env\": []}",
        "{\"env\": {\"A\": 1}}", "{\"env\": {\"A\": \"x\\u0000\"}}",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct err e = ERR_NONE;
        assert_err(start_apply(slice_of(bad[i]), &e), ERR_INPUT);
    }
}

static void test_start_apply_nothing_is_fine(void **state)
{
    struct err e = ERR_NONE;
    (void)state;

    assert_ok(start_apply(SLICE_NONE, &e));
    assert_ok(start_apply(SLICE_LIT("{\"cwd\": null, \"env\": null}"), &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_apply_enters_directory),
        cmocka_unit_test(test_start_apply_missing_directory_is_named),
        cmocka_unit_test(test_start_apply_sets_and_unsets_variables),
        cmocka_unit_test(test_start_apply_bad_types_are_input_errors),
        cmocka_unit_test(test_start_apply_nothing_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
