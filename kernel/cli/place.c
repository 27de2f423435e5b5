/* SPDX-License-Identifier: MIT */
#include "kernel/cli/place.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "kernel/cli/paths.h"

int place_find(struct place *out, struct err *e)
{
    char target[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", target, sizeof target - 1);
    if (len < 0) {
        return err_sys(e, "/proc/self/exe (is /proc mounted?)");
    }
    target[len] = '\0';
    /* An upgrade replaces the file under a running program; its neighbours are still there. */
    static const char gone[] = " (deleted)";
    size_t tail = sizeof gone - 1;
    if ((size_t)len > tail && strcmp(target + len - tail, gone) == 0) {
        target[(size_t)len - tail] = '\0';
    }
    place_of(target, out);
    return 0;
}

void place_of(const char *binary, struct place *out)
{
    _cleanup_(drop_free) char *bin = path_parent(binary);
    _cleanup_(drop_free) char *root = path_parent(bin);
    *out = (struct place){
        .binary = xstrdup(binary),
        .libexec = path_join(root, "libexec/pandia"),
        .share = path_join(root, "share/pandia"),
    };
}

void place_done(struct place *p)
{
    free(p->binary);
    free(p->libexec);
    free(p->share);
    *p = (struct place){0};
}

char *place_worker(const struct place *p, const struct language *language)
{
    return path_join(p->libexec, language->worker);
}

bool place_has(const struct place *p, const struct language *language)
{
    _cleanup_(drop_free) char *worker = place_worker(p, language);
    return path_is_program(worker);
}

int place_check(const struct place *p, const struct language *language, struct err *e)
{
    if (place_has(p, language)) {
        return 0;
    }
    _cleanup_(drop_free) char *worker = place_worker(p, language);
    return err_set(e, ERR_STATE, "%s is not in this build: no program at %s; build or reinstall it",
                   language->title, worker);
}

char *place_template(const struct place *p, const struct language *language)
{
    return xasprintf("%s/kernelspec/%s", p->share, language->kernel);
}
