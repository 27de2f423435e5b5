/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "kernel/cli/place.h"
#include "tests/unit/tree.h"

static void test_place_find_is_the_running_program(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_place) struct place p = {0};
    char self[PATH_MAX];
    assert_non_null(realpath("/proc/self/exe", self));

    assert_ok(place_find(&p, &e));

    assert_string_equal(p.binary, self);
}

static void test_place_of_finds_neighbours_of_the_bin_folder(void **state)
{
    (void)state;
    _cleanup_(drop_place) struct place p = {0};

    place_of("/opt/pandia/bin/pandia", &p);

    _cleanup_(drop_free) char *worker = place_worker(&p, language_find("typescript"));
    _cleanup_(drop_free) char *template = place_template(&p, language_find("typescript"));
    assert_string_equal(p.libexec, "/opt/pandia/libexec/pandia");
    assert_string_equal(p.share, "/opt/pandia/share/pandia");
    assert_string_equal(worker, "/opt/pandia/libexec/pandia/pandia-typescript");
    assert_string_equal(template, "/opt/pandia/share/pandia/kernelspec/pandia-typescript");
}

static void test_place_has_only_what_can_run(void **state)
{
    struct tree *t = *state;
    _cleanup_(drop_place) struct place p = {0};
    place_of(tree_program(t, "bin/pandia"), &p);
    tree_program(t, "libexec/pandia/pandia-python");
    tree_file(t, "libexec/pandia/pandia-javascript", "", 0644);

    assert_true(place_has(&p, language_find("python")));
    assert_false(place_has(&p, language_find("javascript")));
}

static void test_place_check_absent_worker_is_state_error(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    _cleanup_(drop_place) struct place p = {0};
    place_of(tree_program(t, "bin/pandia"), &p);

    assert_err(place_check(&p, language_find("python"), &e), ERR_STATE);

    assert_non_null(strstr(e.text, "libexec/pandia/pandia-python"));
    tree_program(t, "libexec/pandia/pandia-python");
    assert_ok(place_check(&p, language_find("python"), &e));
}

static void test_language_find_unknown_name_is_null(void **state)
{
    (void)state;

    assert_null(language_find("cobol"));
    assert_string_equal(language_find("javascript")->kernel, "pandia-javascript");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_setup, tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_place_find_is_the_running_program),
        TEST(test_place_of_finds_neighbours_of_the_bin_folder),
        TEST(test_place_has_only_what_can_run),
        TEST(test_place_check_absent_worker_is_state_error),
        TEST(test_language_find_unknown_name_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
