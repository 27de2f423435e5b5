/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "kernel/cli/jupyter_paths.h"
#include "tests/unit/unit.h"

#define ENV(...)                                                                                   \
    (char *const[])                                                                                \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static char home[] = "HOME=/home/ada";
static char xdg[] = "XDG_DATA_HOME=/xdg";
static char data[] = "JUPYTER_DATA_DIR=/data";
static char venv[] = "VIRTUAL_ENV=/venv";
static char conda[] = "CONDA_PREFIX=/conda";
static char path[] = "JUPYTER_PATH=/one/:/two::/venv/share/jupyter";

static void assert_folder(struct jupyter_where where, char *const *env, const char *wanted)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *folder = NULL;
    assert_ok(jupyter_kernels_folder(&where, env, &folder, &e));
    assert_string_equal(folder, wanted);
}

static void test_jupyter_kernels_folder_user_follows_jupyters_order(void **state)
{
    (void)state;
    const struct jupyter_where user = {.user = true};

    assert_folder(user, ENV(home), "/home/ada/.local/share/jupyter/kernels");
    assert_folder(user, ENV(home, xdg), "/xdg/jupyter/kernels");
    assert_folder(user, ENV(home, xdg, data), "/data/kernels");
    assert_folder((struct jupyter_where){0}, ENV(home, venv),
                  "/home/ada/.local/share/jupyter/kernels");
}

static void test_jupyter_kernels_folder_prefixes(void **state)
{
    (void)state;

    assert_folder((struct jupyter_where){.prefix = "/usr/"}, ENV(home),
                  "/usr/share/jupyter/kernels");
    assert_folder((struct jupyter_where){.sys_prefix = true}, ENV(conda, venv),
                  "/venv/share/jupyter/kernels");
    assert_folder((struct jupyter_where){.sys_prefix = true}, ENV(conda),
                  "/conda/share/jupyter/kernels");
}

static void test_jupyter_kernels_folder_bad_choices_are_input_errors(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    char *folder = NULL;
    static const struct jupyter_where bad[] = {
        {.user = true, .prefix = "/usr"},
        {.user = true, .sys_prefix = true},
        {.prefix = ""},
        {.sys_prefix = true}, /* nothing is active */
        {.user = true},       /* there is no home */
    };
    char *const nothing[] = {NULL};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_err(jupyter_kernels_folder(&bad[i], nothing, &folder, &e), ERR_INPUT);
        assert_null(folder);
    }
}

static void test_jupyter_search_lists_each_folder_once_in_order(void **state)
{
    (void)state;
    _cleanup_(drop_words) struct words found = {0};
    static const char *const wanted[] = {
        "/one/kernels",
        "/two/kernels",
        "/venv/share/jupyter/kernels",
        "/data/kernels",
        "/home/ada/.local/share/jupyter/kernels",
        "/usr/local/share/jupyter/kernels",
        "/usr/share/jupyter/kernels",
    };

    jupyter_search(ENV(home, data, venv, path), &found);

    assert_int_equal(found.count, ARRAY_LEN(wanted));
    for (size_t i = 0; i < found.count; i++) {
        assert_string_equal(found.items[i], wanted[i]);
    }
}

static void test_jupyter_kernel_name_is_filed_in_lower_case(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *name = NULL;

    assert_ok(jupyter_kernel_name("My-Kernel_3.11", &name, &e));

    assert_string_equal(name, "my-kernel_3.11");
}

static void test_jupyter_kernel_name_others_are_input_errors(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    char *name = NULL;
    char overlong[300];
    memset(overlong, 'x', sizeof overlong - 1);
    overlong[sizeof overlong - 1] = '\0';
    const char *const bad[] = {"", ".", "..", "a/b", "a b", "../x", "k\xc3\xa4se", overlong};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_err(jupyter_kernel_name(bad[i], &name, &e), ERR_INPUT);
        assert_null(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jupyter_kernels_folder_user_follows_jupyters_order),
        cmocka_unit_test(test_jupyter_kernels_folder_prefixes),
        cmocka_unit_test(test_jupyter_kernels_folder_bad_choices_are_input_errors),
        cmocka_unit_test(test_jupyter_search_lists_each_folder_once_in_order),
        cmocka_unit_test(test_jupyter_kernel_name_is_filed_in_lower_case),
        cmocka_unit_test(test_jupyter_kernel_name_others_are_input_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
