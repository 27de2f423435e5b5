/* SPDX-License-Identifier: MIT */
/* pool_processes.c - the processes of a pool: orders to zygotes and their answers, the register of
 * lives by ticket and pid, and reaping. */
#include <signal.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/proc.h"
#include "contexts/pool/context_impl.h"
#include "contexts/pool/pool_impl.h"

enum { CHILDREN_SEEN = 256 };

void pool_register_life(struct pool *pool, struct life *l)
{
    l->ticket = pool->next_ticket++;
    nmap_put(pool->by_ticket, l->ticket, l);
}

void pool_register_pid(struct pool *pool, struct life *l)
{
    nmap_put(pool->by_pid, (uint64_t)l->pid, l);
}

void pool_forget_life(struct pool *pool, const struct life *l)
{
    nmap_remove(pool->by_ticket, l->ticket);
    /* A pid that was reaped may belong to another life by now. */
    if (l->pid > 0 && nmap_get(pool->by_pid, (uint64_t)l->pid) == l) {
        nmap_remove(pool->by_pid, (uint64_t)l->pid);
    }
}

int pool_fork(struct pool *pool, struct life *l, const int fds[FORK_FDS], struct err *e)
{
    struct wire_fork order = {.policy = WIRE_POLICY_OPEN, .descriptor_count = FORK_FDS};
    for (int i = 0; i < FORK_FDS; i++) {
        order.descriptors[i] = (enum wire_fork_fd)i;
    }
    const char *language = context_language(l->context);
    struct zygote *zygote = NULL;
    for (int i = 0; i < 3; i++) { /* the warm one, the bare one, a new one */
        if (nursery_pick(pool->nursery, language, &zygote, e) < 0) {
            return -1;
        }
        if (zygote_fork(zygote, l->ticket, &order, fds, e) == 0) {
            l->zygote = zygote;
            return 0;
        }
        zygote_stop(zygote); /* it died and nobody has noticed yet: the next one is new */
    }
    return -1;
}

static void on_forked(void *arg, uint64_t ticket, pid_t pid, int pidfd)
{
    const struct pool *pool = arg;
    struct life *l = nmap_get(pool->by_ticket, ticket);
    if (l == NULL || l->pid > 0) {
        close(pidfd); /* its socket is closed already: the process ends by itself */
        return;
    }
    context_forked(l, pid, pidfd);
}

static void on_failed(void *arg, uint64_t ticket, const char *why)
{
    struct pool *pool = arg;
    struct life *l = nmap_get(pool->by_ticket, ticket);
    if (l == NULL || l->state != CTX_FORKING) {
        return;
    }
    if (nursery_retire(pool->nursery, l->zygote, why)) {
        context_fork_lost(l, why); /* the bare one makes it instead */
    } else {
        context_fork_failed(l, why);
    }
}

static void on_exited(void *arg, uint64_t ticket, const struct wire_exited *exited)
{
    const struct pool *pool = arg;
    struct life *l = nmap_get(pool->by_ticket, ticket);
    if (l != NULL && l->pid == exited->pid) {
        context_reaped(l, exited->status);
    }
}

/* Gives the tickets of the orders that `zygote` has not answered. */
static uint64_t *open_orders(const struct pool *pool, const struct zygote *zygote, size_t *count)
{
    uint64_t *tickets = xcalloc(nmap_len(pool->by_ticket) + 1, sizeof *tickets);
    size_t cursor = 0;
    uint64_t ticket = 0;
    void *value = NULL;
    *count = 0;
    while (nmap_next(pool->by_ticket, &cursor, &ticket, &value)) {
        const struct life *l = value;
        if (l->state == CTX_FORKING && l->zygote == zygote) {
            tickets[(*count)++] = ticket;
        }
    }
    return tickets;
}

static void on_gone(void *arg, struct zygote *zygote, const char *why)
{
    struct pool *pool = arg;
    size_t count = 0;
    _cleanup_(drop_free) uint64_t *tickets = open_orders(pool, zygote, &count);
    for (size_t i = 0; i < count; i++) {
        struct life *l = nmap_get(pool->by_ticket, tickets[i]);
        if (l == NULL) {
            continue; /* who heard of another one has ended it */
        }
        if (zygote_hello(zygote) != NULL) {
            context_fork_lost(l, why);
        } else {
            context_fork_failed(l, why); /* it never worked: trying again would only repeat it */
        }
    }
    pool_check_stopped(pool);
}

const struct nursery_sink pool_nursery_events = {
    .forked = on_forked, .failed = on_failed, .exited = on_exited, .gone = on_gone};

/* Children that are neither zygote nor context are strays of a dead zygote's contexts. */
static void kill_strays(struct pool *pool)
{
    pid_t children[CHILDREN_SEEN];
    size_t count = proc_children(children, CHILDREN_SEEN);
    for (size_t i = 0; i < count; i++) {
        if (nmap_get(pool->by_pid, (uint64_t)children[i]) == NULL &&
            nursery_by_pid(pool->nursery, children[i]) == NULL) {
            (void)kill(children[i], SIGKILL); /* our own unreaped child */
        }
    }
}

static void reaped(struct pool *pool, pid_t pid, int status)
{
    struct zygote *zygote = nursery_by_pid(pool->nursery, pid);
    if (zygote != NULL) {
        zygote_reaped(zygote, status);
        kill_strays(pool);
        return;
    }
    struct life *l = nmap_get(pool->by_pid, (uint64_t)pid);
    if (l != NULL) {
        context_reaped(l, status); /* orphaned by its zygote: we are its reaper */
        kill_strays(pool);
    }
}

void pool_reap(struct pool *pool)
{
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        reaped(pool, pid, status);
    }
}
