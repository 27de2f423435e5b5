/* SPDX-License-Identifier: MIT */
#include "kernel/cli/jupyter_paths.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/cli/commands.h"
#include "kernel/cli/paths.h"

enum { KERNEL_NAME_MAX = 200 }; /* a folder name may have 255 bytes, and ours get a suffix */

/* Gives the user's data folder of Jupyter; NULL when nothing tells where it is. */
static char *user_data(char *const *env)
{
    const char *data = env_get(env, "JUPYTER_DATA_DIR");
    if (data != NULL) {
        return path_absolute(data);
    }
    const char *xdg = env_get(env, "XDG_DATA_HOME");
    if (xdg != NULL) {
        return path_join(xdg, "jupyter");
    }
    const char *home = env_get(env, "HOME");
    return home != NULL ? path_join(home, ".local/share/jupyter") : NULL;
}

static const char *active_prefix(char *const *env)
{
    const char *venv = env_get(env, "VIRTUAL_ENV");
    return venv != NULL ? venv : env_get(env, "CONDA_PREFIX");
}

static char *kernels_of_prefix(const char *prefix)
{
    _cleanup_(drop_free) char *absolute = path_absolute(prefix);
    return path_join(absolute, "share/jupyter/kernels");
}

int jupyter_kernels_folder(const struct jupyter_where *where, char *const *env, char **out,
                           struct err *e)
{
    int asked = where->user + where->sys_prefix + (where->prefix != NULL);
    if (asked > 1) {
        return err_set(e, ERR_INPUT,
                       "--user, --prefix and --sys-prefix exclude each other: "
                       "give one of them");
    }
    if (where->prefix != NULL && where->prefix[0] == '\0') {
        return err_set(e, ERR_INPUT, "--prefix is empty: give a folder");
    }
    if (where->sys_prefix && active_prefix(env) == NULL) {
        return err_set(e, ERR_INPUT,
                       "--sys-prefix needs an active environment ($VIRTUAL_ENV or "
                       "$CONDA_PREFIX): activate one, or use --prefix DIR");
    }
    const char *prefix = where->sys_prefix ? active_prefix(env) : where->prefix;
    if (prefix != NULL) {
        *out = kernels_of_prefix(prefix);
        return 0;
    }
    _cleanup_(drop_free) char *data = user_data(env);
    if (data == NULL) {
        return err_set(e, ERR_INPUT,
                       "HOME is not set, so there is no user folder: set it, or use "
                       "--prefix DIR");
    }
    *out = path_join(data, "kernels");
    return 0;
}

/* Takes `folder`; adds it unless it is NULL or already there. */
static void add_once(struct words *out, char *folder)
{
    if (folder != NULL && !words_has(out, folder)) {
        words_add(out, folder);
    }
    free(folder);
}

static void add_jupyter_path(char *const *env, struct words *out)
{
    const char *at = env_get(env, "JUPYTER_PATH");
    while (at != NULL && *at != '\0') {
        size_t len = strcspn(at, ":");
        if (len > 0) {
            _cleanup_(drop_free) char *entry = xstrndup(at, len);
            _cleanup_(drop_free) char *absolute = path_absolute(entry);
            add_once(out, path_join(absolute, "kernels"));
        }
        at += len + (at[len] == ':');
    }
}

/* The environment stands before the user, as Jupyter has it when it runs in that environment. */
void jupyter_search(char *const *env, struct words *out)
{
    add_jupyter_path(env, out);
    const char *const active[] = {env_get(env, "VIRTUAL_ENV"), env_get(env, "CONDA_PREFIX")};
    for (size_t i = 0; i < ARRAY_LEN(active); i++) {
        add_once(out, active[i] != NULL ? kernels_of_prefix(active[i]) : NULL);
    }
    _cleanup_(drop_free) char *data = user_data(env);
    add_once(out, data != NULL ? path_join(data, "kernels") : NULL);
    const char *home = env_get(env, "HOME");
    add_once(out, home != NULL ? path_join(home, ".local/share/jupyter/kernels") : NULL);
    add_once(out, xstrdup("/usr/local/share/jupyter/kernels"));
    add_once(out, xstrdup("/usr/share/jupyter/kernels"));
}

int jupyter_kernel_name(const char *name, char **out, struct err *e)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t len = strlen(name);
    bool only_dots = strspn(name, ".") == len;
    if (len == 0 || len > KERNEL_NAME_MAX || only_dots || strspn(name, allowed) != len) {
        return err_set(e, ERR_INPUT,
                       "'%.60s' cannot name a kernel: use letters, digits, '.', '_' and '-'", name);
    }
    char *lower = xstrdup(name);
    for (size_t i = 0; i < len; i++) {
        lower[i] = (char)tolower((unsigned char)lower[i]);
    }
    *out = lower;
    return 0;
}
