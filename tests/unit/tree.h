/* SPDX-License-Identifier: MIT */
/* tree.h - a throw-away folder for tests about files. Paths it lends live until tree_free. */
#pragma once

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/mem.h"
#include "tests/unit/unit.h"

struct tree {
    char root[40];
    char *lent[64];
    size_t count;
};

static inline struct tree *tree_new(void)
{
    struct tree *t = xcalloc(1, sizeof *t);
    (void)snprintf(t->root, sizeof t->root, "/tmp/pandia-unit-XXXXXX");
    assert_non_null(mkdtemp(t->root));
    return t;
}

static inline int tree_remove_one(const char *path, const struct stat *st UNUSED, int kind UNUSED,
                                  struct FTW *ftw UNUSED)
{
    return remove(path);
}

static inline void tree_free(struct tree *t)
{
    (void)nftw(t->root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < t->count; i++) {
        free(t->lent[i]);
    }
    free(t);
}

/* Lends the path of `name` in the tree. */
static inline const char *tree_path(struct tree *t, const char *name)
{
    assert_true(t->count < ARRAY_LEN(t->lent));
    t->lent[t->count] = xasprintf("%s/%s", t->root, name);
    return t->lent[t->count++];
}

/* Makes the folders above `path`. */
static inline void tree_make_parents(const char *path)
{
    _cleanup_(drop_free) char *copy = xstrdup(path);
    for (char *slash = strchr(copy + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(copy, 0755); /* most are there */
        *slash = '/';
    }
}

/* Makes a file, and the folders above it. Lends its path. */
static inline const char *tree_file(struct tree *t, const char *name, const char *text, mode_t mode)
{
    struct err e = ERR_NONE;
    const char *path = tree_path(t, name);
    tree_make_parents(path);
    assert_ok(fd_write_file(path, slice_of(text), mode, &e));
    return path;
}

/* Makes a program that does nothing. Lends its path. */
static inline const char *tree_program(struct tree *t, const char *name)
{
    return tree_file(t, name, "#!/bin/true\n", 0755);
}

/* Makes a symbolic link. Lends its path. */
static inline const char *tree_link(struct tree *t, const char *name, const char *target)
{
    const char *path = tree_path(t, name);
    tree_make_parents(path);
    assert_int_equal(symlink(target, path), 0);
    return path;
}

static inline bool tree_has(struct tree *t, const char *name)
{
    struct stat st;
    return lstat(tree_path(t, name), &st) == 0;
}

/* Gives the text of a file. */
static inline char *tree_text(struct tree *t, const char *name)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(1UL << 20);
    assert_ok(fd_read_file(tree_path(t, name), &text, &e));
    return buf_take(&text);
}

static inline int tree_setup(void **state)
{
    *state = tree_new();
    return 0;
}

static inline int tree_teardown(void **state)
{
    tree_free(*state);
    return 0;
}
