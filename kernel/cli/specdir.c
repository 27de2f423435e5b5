/* SPDX-License-Identifier: MIT */
#include "kernel/cli/specdir.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "kernel/cli/paths.h"

enum { OPEN_FOLDERS_MAX = 16 };

/* Where a staged folder is. */
enum staged {
    STAGED,   /* hidden */
    PLACED,   /* in its place, which was free */
    EXCHANGED /* in its place; the former one is hidden instead */
};

struct entry {
    char *hidden;
    char *target;
    enum staged state;
};

struct specdir_change {
    char *kernels;
    char *made;   /* topmost folder that specdir_begin had to make; NULL when none */
    char *hidden; /* our folder in `kernels` */
    struct entry *entries;
    size_t count;
    bool committed;
};

static int remove_one(const char *path, const struct stat *st UNUSED, int kind UNUSED,
                      struct FTW *ftw UNUSED)
{
    return remove(path);
}

static int remove_tree(const char *path)
{
    return nftw(path, remove_one, OPEN_FOLDERS_MAX, FTW_DEPTH | FTW_PHYS);
}

/* Makes `path` and what is missing above it. `*made` becomes the topmost folder made. */
static int make_folders(const char *path, char **made, struct err *e)
{
    if (path_is_folder(path)) {
        return 0;
    }
    _cleanup_(drop_free) char *parent = path_parent(path);
    if (strcmp(parent, path) != 0 && make_folders(parent, made, e) < 0) {
        return -1;
    }
    if (mkdir(path, 0755) < 0) {
        if (errno != EEXIST) {
            return err_sys(e, "cannot make %s", path);
        }
        /* Somebody else made it at the same moment, or it is no folder. */
        return path_is_folder(path) ? 0 : err_set(e, ERR_STATE, "%s is not a folder", path);
    }
    if (*made == NULL) {
        *made = xstrdup(path);
    }
    return 0;
}

/* Removes the folders from `path` up to `made`, as far as they are empty. */
static void unmake_folders(const char *path, const char *made)
{
    _cleanup_(drop_free) char *at = xstrdup(path);
    while (strlen(at) >= strlen(made)) {
        /* A missing one was never made; a full one belongs to somebody else by now. */
        if (rmdir(at) < 0 && errno != ENOENT) {
            return;
        }
        char *parent = path_parent(at);
        free(at);
        at = parent;
    }
}

/* Gives a new hidden folder inside `kernels`; NULL on failure. */
static char *make_hidden(const char *kernels, struct err *e)
{
    _cleanup_(drop_free) char *name = path_join(kernels, ".pandia-XXXXXX");
    if (mkdtemp(name) == NULL) {
        err_sys(e, "cannot write in %s", kernels);
        return NULL;
    }
    return take(name);
}

int specdir_begin(const char *kernels, struct specdir_change **out, struct err *e)
{
    _cleanup_(drop_specdir) struct specdir_change *c = xcalloc(1, sizeof *c);
    c->kernels = xstrdup(kernels);
    if (make_folders(kernels, &c->made, e) < 0) {
        return -1;
    }
    c->hidden = make_hidden(kernels, e);
    if (c->hidden == NULL) {
        return -1;
    }
    *out = take(c);
    return 0;
}

int specdir_stage(struct specdir_change *c, const char *name, const char **folder, struct err *e)
{
    _cleanup_(drop_free) char *hidden = path_join(c->hidden, name);
    if (mkdir(hidden, 0755) < 0) {
        return err_sys(e, "cannot make %s", hidden);
    }
    c->entries = xrealloc(c->entries, c->count + 1, sizeof *c->entries);
    c->entries[c->count] = (struct entry){
        .hidden = take(hidden), .target = path_join(c->kernels, name), .state = STAGED};
    *folder = c->entries[c->count].hidden;
    c->count += 1;
    return 0;
}

/* Swaps two folders; where the file system cannot do it at once, by way of a third name. */
static int exchange(const char *a, const char *b)
{
    if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    _cleanup_(drop_free) char *third = xasprintf("%s~", a);
    if (rename(b, third) < 0) {
        return -1;
    }
    if (rename(a, b) < 0) {
        int saved = errno;
        (void)rename(third, b); /* back to where it was a moment ago */
        errno = saved;
        return -1;
    }
    return rename(third, a);
}

static int place(struct entry *entry)
{
    if (rename(entry->hidden, entry->target) == 0) {
        entry->state = PLACED;
        return 0;
    }
    if (errno != ENOTEMPTY && errno != EEXIST) {
        return -1;
    }
    if (exchange(entry->hidden, entry->target) < 0) {
        return -1;
    }
    entry->state = EXCHANGED;
    return 0;
}

/* Undoes place(). Its failures have no further remedy, and the first one is being reported. */
static void unplace(struct entry *entry)
{
    switch (entry->state) {
    case STAGED:
        break;
    case PLACED:
        (void)rename(entry->target, entry->hidden);
        break;
    case EXCHANGED:
        (void)exchange(entry->hidden, entry->target);
        break;
    }
    entry->state = STAGED;
}

int specdir_commit(struct specdir_change *c, struct err *e)
{
    for (size_t i = 0; i < c->count; i++) {
        if (place(&c->entries[i]) < 0) {
            int failed = err_sys(e, "cannot put %s in place", c->entries[i].target);
            while (i > 0) {
                unplace(&c->entries[--i]);
            }
            return failed;
        }
    }
    c->committed = true;
    return 0;
}

void specdir_free(struct specdir_change *c)
{
    if (c == NULL) {
        return;
    }
    if (c->hidden != NULL) {
        (void)remove_tree(c->hidden); /* what stays behind is hidden and harmless */
    }
    if (!c->committed && c->made != NULL) {
        unmake_folders(c->kernels, c->made);
    }
    for (size_t i = 0; i < c->count; i++) {
        free(c->entries[i].hidden);
        free(c->entries[i].target);
    }
    free(c->entries);
    free(c->hidden);
    free(c->made);
    free(c->kernels);
    free(c);
}

int specdir_remove(const char *kernels, const char *name, struct err *e)
{
    _cleanup_(drop_free) char *target = path_join(kernels, name);
    _cleanup_(drop_free) char *hidden = make_hidden(kernels, e);
    if (hidden == NULL) {
        return -1;
    }
    _cleanup_(drop_free) char *away = path_join(hidden, name);
    if (rename(target, away) < 0) {
        int failed = err_sys(e, "cannot remove %s", target);
        (void)rmdir(hidden); /* empty; the failure is already being reported */
        return failed;
    }
    if (remove_tree(hidden) < 0) {
        return err_sys(e, "cannot remove all of %s", hidden);
    }
    return 0;
}
