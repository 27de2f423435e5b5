/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_venv.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "base/mem.h"

/* Lends the directory part of `path` in `copy`, which is written to. */
static char *parent_of(char *copy)
{
    char *slash = strrchr(copy, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    return copy;
}

static bool same_file(const char *a, const char *b)
{
    _cleanup_(drop_free) char *real_a = realpath(a, NULL);
    _cleanup_(drop_free) char *real_b = realpath(b, NULL);
    return real_a != NULL && real_b != NULL && strcmp(real_a, real_b) == 0;
}

/* Gives the value of `key = value` in a pyvenv.cfg, NULL when there is none. */
static char *config_value(const char *config, const char *key)
{
    size_t key_len = strlen(key);
    for (const char *line = config; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        const char *after = line + key_len;
        if (len > key_len && strncasecmp(line, key, key_len) == 0 &&
            (*after == ' ' || *after == '=')) {
            after += strspn(after, " =");
            size_t value_len = (size_t)(line + len - after);
            while (value_len > 0 && (after[value_len - 1] == ' ' || after[value_len - 1] == '\r')) {
                value_len--;
            }
            return xstrndup(after, value_len);
        }
        line += line[len] ? len + 1 : len;
    }
    return NULL;
}

/* Compares the first `parts` numbers of two versions. */
static bool same_version(const char *a, const char *b, int parts)
{
    for (int i = 0; i < parts; i++) {
        size_t len_a = strcspn(a, ".");
        size_t len_b = strcspn(b, ".");
        if (len_a != len_b || strncmp(a, b, len_a) != 0) {
            return false;
        }
        a += a[len_a] ? len_a + 1 : len_a;
        b += b[len_b] ? len_b + 1 : len_b;
    }
    return true;
}

static int refuse(const struct py_build *build, const char *interpreter, const char *why,
                  struct err *e)
{
    return err_set(e, ERR_INPUT, "%.80s: %s; this build embeds Python %s, %s", interpreter, why,
                   build->version, build->executable);
}

/* True when the programs in the venv's `home` are those of the build. */
static bool is_home(const struct py_build *build, const char *home)
{
    _cleanup_(drop_free) char *bin = xstrdup(build->executable);
    _cleanup_(drop_free) char *python = xasprintf("%s/python3", home);
    return same_file(home, parent_of(bin)) || same_file(python, build->executable);
}

static int check_config(const struct py_build *build, const char *interpreter, const char *config,
                        struct err *e)
{
    _cleanup_(drop_free) char *home = config_value(config, "home");
    _cleanup_(drop_free) char *version = config_value(config, "version");
    if (version == NULL) {
        version = config_value(config, "version_info"); /* virtualenv and uv write it so */
    }
    if (home == NULL || !is_home(build, home)) {
        return refuse(build, interpreter, "its environment belongs to another Python", e);
    }
    /* A symbolic link follows its interpreter through updates; only the folders of packages are
     * bound to a version then. A copy is the version it was made of. */
    bool linked = same_file(interpreter, build->executable);
    if (version == NULL || !same_version(version, build->version, linked ? 2 : 3)) {
        return refuse(build, interpreter, "its environment is of another version", e);
    }
    return 0;
}

int py_venv_check(const struct py_build *build, const char *interpreter, struct err *e)
{
    _cleanup_(drop_buf) struct buf config = BUF_INIT(CONFIG_FILE_MAX);
    _cleanup_(drop_free) char *folder = xstrdup(interpreter);
    _cleanup_(drop_free) char *path = xasprintf("%s/../pyvenv.cfg", parent_of(folder));
    if (access(interpreter, X_OK) < 0) {
        return err_sys(e, "%s", interpreter);
    }
    if (access(path, F_OK) == 0) {
        return fd_read_file(path, &config, e) < 0
                   ? -1
                   : check_config(build, interpreter, buf_text(&config), e);
    }
    if (!same_file(interpreter, build->executable)) {
        return refuse(build, interpreter, "another Python", e);
    }
    return 0;
}
