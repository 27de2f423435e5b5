/* SPDX-License-Identifier: MIT */
#include "contexts/worker/children.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "base/nmap.h"
#include "base/proc.h"

/* Children looked at in one go; strays beyond it are found when these have been reaped. */
#define LIST_MAX (CONTEXTS_MAX + 1024UL)

void children_done(struct children *c)
{
    nmap_free(take(c->contexts));
}

void children_add(struct children *c, pid_t pid, uint64_t ticket)
{
    if (c->contexts == NULL) {
        c->contexts = nmap_new();
    }
    nmap_put(c->contexts, (uint64_t)pid, (void *)(uintptr_t)ticket);
}

size_t children_count(const struct children *c)
{
    return c->contexts != NULL ? nmap_len(c->contexts) : 0;
}

static bool is_context(const struct children *c, pid_t pid)
{
    return c->contexts != NULL && nmap_get(c->contexts, (uint64_t)pid) != NULL;
}

static int64_t microseconds(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

int children_reap(struct children *c, uint64_t *ticket, struct wire_exited *out)
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
    if (!is_context(c, pid)) {
        return 0;
    }
    *ticket = (uintptr_t)nmap_remove(c->contexts, (uint64_t)pid);
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
    size_t cursor = 0;
    uint64_t pid = 0;
    while (c->contexts != NULL && nmap_next(c->contexts, &cursor, &pid, NULL)) {
        (void)kill(-(pid_t)pid, SIGKILL); /* no group yet when it is only just born */
        (void)kill((pid_t)pid, SIGKILL);
    }
}
