/* SPDX-License-Identifier: MIT */
#include "contexts/worker/children.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "base/proc.h"

/* Children looked at in one go; strays beyond it are found when these have been reaped. */
#define LIST_MAX (CONTEXTS_MAX + 1024UL)

void children_done(struct children *c)
{
    free(take(c->contexts));
    c->count = 0;
    c->cap = 0;
}

void children_add(struct children *c, pid_t pid)
{
    if (c->count == c->cap) {
        c->cap = c->cap ? c->cap * 2 : 16;
        c->contexts = xrealloc(c->contexts, c->cap, sizeof *c->contexts);
    }
    c->contexts[c->count++] = pid;
}

static bool is_context(const struct children *c, pid_t pid)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->contexts[i] == pid) {
            return true;
        }
    }
    return false;
}

static bool forget(struct children *c, pid_t pid)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->contexts[i] == pid) {
            c->contexts[i] = c->contexts[--c->count];
            return true;
        }
    }
    return false;
}

static int64_t microseconds(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

int children_reap(struct children *c, struct wire_exited *out)
{
    int status = 0;
    struct rusage usage;
    pid_t pid = 0;
    do {
        pid = wait4(-1, &status, WNOHANG, &usage);
    } while (pid < 0 && errno == EINTR);
    if (pid <= 0) {
        return -1;
    }
    if (pid == c->spare) {
        c->spare = 0;
    }
    if (!forget(c, pid)) {
        return 0;
    }
    *out =
        (struct wire_exited){.pid = pid,
                             .status = status,
                             .cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
                             .max_rss_kib = usage.ru_maxrss};
    return 1;
}

size_t children_kill_strays(const struct children *c)
{
    _cleanup_(drop_free) pid_t *all = xcalloc(LIST_MAX, sizeof *all);
    size_t count = proc_children(all, LIST_MAX);
    size_t strays = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_context(c, all[i]) && all[i] != c->spare) {
            (void)kill(all[i], SIGKILL); /* our unreaped child: the pid is still its own */
            strays++;
        }
    }
    return strays;
}

void children_kill_contexts(const struct children *c)
{
    for (size_t i = 0; i < c->count; i++) {
        (void)kill(-c->contexts[i], SIGKILL); /* no group yet when it is only just born */
        (void)kill(c->contexts[i], SIGKILL);
    }
}
