/* SPDX-License-Identifier: MIT */
#include "kernel/cli/paths.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

char *path_join(const char *folder, const char *name)
{
    size_t len = strlen(folder);
    bool slash = len > 0 && folder[len - 1] == '/';
    return xasprintf("%s%s%s", folder, slash ? "" : "/", name);
}

char *path_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return xstrdup(".");
    }
    return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* True for "..", "../x", "x/..", "x/../y". */
static bool goes_up(const char *path)
{
    for (const char *at = strstr(path, ".."); at != NULL; at = strstr(at + 1, "..")) {
        bool starts = at == path || at[-1] == '/';
        bool ends = at[2] == '\0' || at[2] == '/';
        if (starts && ends) {
            return true;
        }
    }
    return false;
}

char *path_absolute(const char *path)
{
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
    }
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/') {
        len -= 1;
    }
    _cleanup_(drop_free) char *clean = len > 0 ? xstrndup(path, len) : xstrdup(".");
    if (strcmp(clean, ".") == 0 || strcmp(path_name(clean), "..") == 0) {
        char *real = path_real(clean);
        return real != NULL ? real : take(clean);
    }
    if (goes_up(clean)) {
        _cleanup_(drop_free) char *parent = path_parent(clean);
        _cleanup_(drop_free) char *real = path_real(parent);
        return real != NULL ? path_join(real, path_name(clean)) : take(clean);
    }
    _cleanup_(drop_free) char *here = clean[0] == '/' ? NULL : path_real(".");
    return here != NULL ? path_join(here, clean) : take(clean);
}

char *path_real(const char *path)
{
    return realpath(path, NULL);
}

bool path_same(const char *a, const char *b)
{
    _cleanup_(drop_free) char *real_a = path_real(a);
    _cleanup_(drop_free) char *real_b = path_real(b);
    return real_a != NULL && real_b != NULL && strcmp(real_a, real_b) == 0;
}

bool path_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool path_is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}
