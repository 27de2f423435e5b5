/* SPDX-License-Identifier: MIT */
#include "contexts/worker/birth.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "contexts/wire/will.h"
#include "contexts/worker/fork_server.h"

/* Our descriptors live here: above what user code opens or closes by number, and below what
 * select() can hold. */
enum { FIRST_OWN_FD = 200 };

/* What a child may do is decided by name; this build knows one policy, which takes nothing away. */
static const char *const policies[] = {WIRE_POLICY_OPEN};

static bool knows_policy(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
        if (strcmp(policies[i], name) == 0) {
            return true;
        }
    }
    return false;
}

int order_read(struct slice content, const int *fds, size_t count, struct fork_order *out,
               struct err *e)
{
    struct fork_order order;
    if (wire_fork_read(content, &order.fork, e) < 0 ||
        wire_fork_place(&order.fork, fds, count, order.fds, e) < 0) {
        return -1;
    }
    if (!knows_policy(order.fork.policy)) {
        return err_set(e, ERR_INPUT, "this worker has no policy '%s'", order.fork.policy);
    }
    *out = order;
    return 0;
}

/* Gives a copy out of the way of user code. */
static int lift(int fd, struct err *e)
{
    int lifted = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
    return lifted < 0 ? err_sys(e, "fcntl(F_DUPFD)") : lifted;
}

static int set_standard_fds(int out_write, int err_write, struct err *e)
{
    _cleanup_(drop_fd) int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0) {
        return err_sys(e, "/dev/null");
    }
    if (dup2(nothing, STDIN_FILENO) < 0 || dup2(out_write, STDOUT_FILENO) < 0 ||
        dup2(err_write, STDERR_FILENO) < 0) {
        return err_sys(e, "dup2");
    }
    /* C code prints by lines, as on a terminal: its output keeps its place among ours. */
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* nothing has been written: cannot fail */
    return 0;
}

/* The lifted ones were taken from FIRST_OWN_FD upwards; `last` is the highest. */
static int close_the_rest(int last, struct err *e)
{
    if (close_range(STDERR_FILENO + 1, FIRST_OWN_FD - 1, 0) < 0 ||
        close_range((unsigned)last + 1, ~0U, 0) < 0) {
        return err_sys(e, "close_range");
    }
    return 0;
}

/* Without it the context works as well; it only takes more with it when it dies. */
static struct will *map_will(int fd)
{
    void *place = mmap(NULL, sizeof(struct will), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return place == MAP_FAILED ? NULL : place;
}

int birth_settle(const struct fork_order *order, struct worker_fds *out, struct err *e)
{
    const int *fds = order->fds;
    /* A new child is never a group leader, so setsid cannot fail; it is its own subreaper, so that
     * what it starts stays below it and is found when it dies. */
    if (setsid() < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) {
        return err_sys(e, "setsid");
    }
    if (set_standard_fds(fds[FORK_FD_OUT_W], fds[FORK_FD_ERR_W], e) < 0) {
        return -1;
    }
    int tied = lifeline_tie(ZYGOTE_FD_LIFELINE, e);
    if (tied < 0) {
        return -1;
    }
    struct worker_fds own = {.wire = lift(fds[FORK_FD_WIRE], e),
                             .out_read = lift(fds[FORK_FD_OUT_R], e),
                             .err_read = lift(fds[FORK_FD_ERR_R], e)};
    own.will = map_will(fds[FORK_FD_WILL]);
    int lifeline = lift(tied, e);
    if (own.wire < 0 || own.out_read < 0 || own.err_read < 0 || lifeline < 0) {
        return -1;
    }
    if (close_the_rest(lifeline, e) < 0) {
        return -1;
    }
    if (lifeline_is_cut(lifeline)) {
        return err_set(e, ERR_GONE, "the broker is gone");
    }
    *out = own;
    return 0;
}
