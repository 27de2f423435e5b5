/* SPDX-License-Identifier: MIT */
#include <dirent.h>

#include "kernel/cli/specdir.h"
#include "tests/unit/tree.h"

/* Stages a folder with one file, kernel.json, that holds `text`. */
static void stage(struct specdir_change *c, const char *name, const char *text)
{
    struct err e = ERR_NONE;
    const char *folder = NULL;
    assert_ok(specdir_stage(c, name, &folder, &e));
    _cleanup_(drop_free) char *file = xasprintf("%s/kernel.json", folder);
    assert_ok(fd_write_file(file, slice_of(text), 0644, &e));
}

/* Number of entries, hidden ones too. */
static int entries(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int count = -2;
    while (readdir(dir) != NULL) {
        count += 1;
    }
    closedir(dir);
    return count;
}

static void assert_text(struct tree *t, const char *name, const char *wanted)
{
    _cleanup_(drop_free) char *text = tree_text(t, name);
    assert_string_equal(text, wanted);
}

static void test_specdir_commit_places_all_and_leaves_no_trace(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    struct specdir_change *c = NULL;
    const char *kernels = tree_path(t, "share/jupyter/kernels");
    assert_ok(specdir_begin(kernels, &c, &e));
    stage(c, "one", "1");
    stage(c, "two", "2");

    assert_ok(specdir_commit(c, &e));
    specdir_free(c);

    assert_text(t, "share/jupyter/kernels/one/kernel.json", "1");
    assert_text(t, "share/jupyter/kernels/two/kernel.json", "2");
    assert_int_equal(entries(kernels), 2);
}

static void test_specdir_stage_shows_no_kernel_before_the_commit(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    _cleanup_(drop_specdir) struct specdir_change *c = NULL;
    const char *kernels = tree_path(t, "kernels");
    assert_ok(specdir_begin(kernels, &c, &e));

    stage(c, "one", "1");

    /* Jupyter lists each folder that has a kernel.json: ours has none at its top. */
    DIR *dir = opendir(kernels);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        _cleanup_(drop_free) char *file = xasprintf("kernels/%s/kernel.json", entry->d_name);
        assert_false(tree_has(t, file));
    }
    closedir(dir);
}

static void test_specdir_commit_replaces_the_former_folder_whole(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    struct specdir_change *c = NULL;
    tree_file(t, "kernels/one/kernel.json", "old", 0644);
    tree_file(t, "kernels/one/stale.js", "old", 0644);
    assert_ok(specdir_begin(tree_path(t, "kernels"), &c, &e));
    stage(c, "one", "new");

    assert_ok(specdir_commit(c, &e));
    specdir_free(c);

    assert_text(t, "kernels/one/kernel.json", "new");
    assert_false(tree_has(t, "kernels/one/stale.js"));
    assert_int_equal(entries(tree_path(t, "kernels")), 1);
}

static void test_specdir_commit_failure_puts_everything_back(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    struct specdir_change *c = NULL;
    tree_file(t, "kernels/a/kernel.json", "old", 0644);
    tree_file(t, "kernels/c", "a file is in the way", 0644);
    assert_ok(specdir_begin(tree_path(t, "kernels"), &c, &e));
    stage(c, "a", "new");
    stage(c, "b", "new");
    stage(c, "c", "new");

    assert_err(specdir_commit(c, &e), ERR_SYS);
    specdir_free(c);

    assert_non_null(strstr(e.text, "kernels/c"));
    assert_text(t, "kernels/a/kernel.json", "old");
    assert_false(tree_has(t, "kernels/b"));
    assert_int_equal(entries(tree_path(t, "kernels")), 2);
}

static void test_specdir_free_without_commit_removes_the_folders_it_made(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    struct specdir_change *c = NULL;
    tree_file(t, "there/file", "", 0644);
    assert_ok(specdir_begin(tree_path(t, "there/share/jupyter/kernels"), &c, &e));
    stage(c, "one", "1");

    specdir_free(c);

    assert_false(tree_has(t, "there/share"));
    assert_true(tree_has(t, "there/file"));
}

static void test_specdir_begin_impossible_folder_leaves_nothing(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    struct specdir_change *c = NULL;
    tree_file(t, "file", "", 0644);

    assert_err(specdir_begin(tree_path(t, "file/share/kernels"), &c, &e), ERR_STATE);

    assert_null(c);
    assert_int_equal(entries(t->root), 1);
}

static void test_specdir_remove_takes_only_the_one(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    tree_file(t, "kernels/one/kernel.json", "", 0644);
    tree_file(t, "kernels/one/deep/er", "", 0644);
    tree_file(t, "outside", "kept", 0644);
    tree_link(t, "kernels/one/link", "../../outside");
    tree_file(t, "kernels/two/kernel.json", "", 0644);

    assert_ok(specdir_remove(tree_path(t, "kernels"), "one", &e));

    assert_false(tree_has(t, "kernels/one"));
    assert_int_equal(entries(tree_path(t, "kernels")), 1);
    assert_text(t, "outside", "kept");
}

static void test_specdir_remove_what_is_not_there_is_an_error(void **state)
{
    struct tree *t = *state;
    struct err e = ERR_NONE;
    tree_file(t, "kernels/two/kernel.json", "", 0644);

    assert_err(specdir_remove(tree_path(t, "kernels"), "one", &e), ERR_SYS);
    assert_err(specdir_remove(tree_path(t, "none"), "one", &e), ERR_SYS);

    assert_int_equal(entries(tree_path(t, "kernels")), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_setup, tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_specdir_commit_places_all_and_leaves_no_trace),
        TEST(test_specdir_stage_shows_no_kernel_before_the_commit),
        TEST(test_specdir_commit_replaces_the_former_folder_whole),
        TEST(test_specdir_commit_failure_puts_everything_back),
        TEST(test_specdir_free_without_commit_removes_the_folders_it_made),
        TEST(test_specdir_begin_impossible_folder_leaves_nothing),
        TEST(test_specdir_remove_takes_only_the_one),
        TEST(test_specdir_remove_what_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
