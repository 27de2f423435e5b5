/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_venv.h"
#include "tests/unit/tree.h"

/* A build and its program in a throw-away folder: base/bin/python3.11. */
struct fixture {
    struct tree *tree;
    char *program;
    struct py_build build;
};

static char *path_of(const struct fixture *f, const char *name)
{
    return xasprintf("%s/%s", f->tree->root, name);
}

static void make_folder(const struct fixture *f, const char *name)
{
    _cleanup_(drop_free) char *path = path_of(f, name);
    assert_int_equal(mkdir(path, 0755), 0);
}

static void make_file(const struct fixture *f, const char *name, const char *text, mode_t mode)
{
    _cleanup_(drop_free) char *path = path_of(f, name);
    struct err e = ERR_NONE;
    assert_ok(fd_write_file(path, slice_of(text), mode, &e));
}

static void make_link(const struct fixture *f, const char *target, const char *name)
{
    _cleanup_(drop_free) char *from = path_of(f, target);
    _cleanup_(drop_free) char *path = path_of(f, name);
    assert_int_equal(symlink(from, path), 0);
}

static void make_config(const struct fixture *f, const char *folder, const char *version)
{
    _cleanup_(drop_free) char *name = xasprintf("venv/pyvenv.cfg");
    _cleanup_(drop_free) char *text =
        xasprintf("home = %s/%s\ninclude-system-site-packages = false\nversion = %s\n",
                  f->tree->root, folder, version);
    make_file(f, name, text, 0644);
}

static int set_up(void **state)
{
    static struct fixture f;
    f.tree = tree_new();
    make_folder(&f, "base");
    make_folder(&f, "base/bin");
    make_file(&f, "base/bin/python3.11", "program", 0755);
    make_link(&f, "base/bin/python3.11", "base/bin/python3");
    make_folder(&f, "other");
    make_folder(&f, "other/bin");
    make_file(&f, "other/bin/python3", "another program", 0755);
    make_folder(&f, "venv");
    make_folder(&f, "venv/bin");
    f.program = path_of(&f, "base/bin/python3.11");
    f.build = (struct py_build){.executable = f.program, .version = "3.11.2"};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    free(f->program);
    tree_free(f->tree);
    return 0;
}

static int check(const struct fixture *f, const char *name, struct err *e)
{
    _cleanup_(drop_free) char *path = path_of(f, name);
    return py_venv_check(&f->build, path, e);
}

static void test_py_venv_check_the_build_itself_is_accepted(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(check(f, "base/bin/python3.11", &e));
    assert_ok(check(f, "base/bin/python3", &e));
}

static void test_py_venv_check_another_program_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_err(check(f, "other/bin/python3", &e), ERR_INPUT);

    assert_non_null(strstr(e.text, "3.11.2"));
}

static void test_py_venv_check_missing_program_is_named(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_err(check(f, "nowhere/bin/python", &e), ERR_SYS);

    assert_non_null(strstr(e.text, "nowhere"));
}

static void test_py_venv_check_link_follows_updates_of_its_build(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    make_link(f, "base/bin/python3", "venv/bin/python");

    make_config(f, "base/bin", "3.11.1");
    assert_ok(check(f, "venv/bin/python", &e));
    make_config(f, "base/bin", "3.10.9");
    assert_err(check(f, "venv/bin/python", &e), ERR_INPUT);
}

static void test_py_venv_check_copy_must_be_of_the_very_version(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    make_file(f, "venv/bin/python", "program", 0755);

    make_config(f, "base/bin", "3.11.2");
    assert_ok(check(f, "venv/bin/python", &e));
    make_config(f, "base/bin", "3.11.7");
    assert_err(check(f, "venv/bin/python", &e), ERR_INPUT);
}

static void test_py_venv_check_home_of_another_build_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    make_link(f, "other/bin/python3", "venv/bin/python");
    make_config(f, "other/bin", "3.11.2");

    assert_err(check(f, "venv/bin/python", &e), ERR_INPUT);
}

static void test_py_venv_check_virtualenv_names_its_version_otherwise(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    _cleanup_(drop_free) char *text =
        xasprintf("home=%s/base/bin\r\nimplementation=CPython\r\nversion_info=3.11.2.final.0\r\n",
                  f->tree->root);
    make_file(f, "venv/bin/python", "program", 0755);
    make_file(f, "venv/pyvenv.cfg", text, 0644);

    assert_ok(check(f, "venv/bin/python", &e));
}

static void test_py_venv_check_config_without_home_is_refused(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    make_link(f, "base/bin/python3", "venv/bin/python");
    make_file(f, "venv/pyvenv.cfg", "version = 3.11.2\n", 0644);

    assert_err(check(f, "venv/bin/python", &e), ERR_INPUT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_py_venv_check_the_build_itself_is_accepted),
        TEST(test_py_venv_check_another_program_is_refused),
        TEST(test_py_venv_check_missing_program_is_named),
        TEST(test_py_venv_check_link_follows_updates_of_its_build),
        TEST(test_py_venv_check_copy_must_be_of_the_very_version),
        TEST(test_py_venv_check_home_of_another_build_is_refused),
        TEST(test_py_venv_check_virtualenv_names_its_version_otherwise),
        TEST(test_py_venv_check_config_without_home_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
