/* SPDX-License-Identifier: MIT */
#include "kernel/cli/probes.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/proc.h"
#include "kernel/cli/report.h"

/* Contexts cost a handful of descriptors each; below this a busy server runs out. */
enum { DESCRIPTORS_WANTED = 4096 };

static const char newer_kernel[] = "run on a newer Linux kernel";

static int try_pidfd(void)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_fd) int fd = proc_pidfd_open(getpid(), &e);
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    errno = e.sys;
    return fd < 0 ? -1 : poll(&waiting, 1, 0);
}

static int try_close_range(void)
{
    return close_range(UINT_MAX, UINT_MAX, 0);
}

static int try_subreaper(void)
{
    int on = 0;
    return prctl(PR_GET_CHILD_SUBREAPER, &on);
}

/* The lifeline of every context: a pipe whose other end is gone must say so to poll(). */
static int try_lifeline(void)
{
    struct err e = ERR_NONE;
    int ends[2] = {-1, -1};
    if (fd_pipe(ends, &e) < 0) {
        errno = e.sys;
        return -1;
    }
    close(ends[1]);
    _cleanup_(drop_fd) int fd = ends[0];
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    errno = ENOSYS;
    return poll(&waiting, 1, 0) == 1 && (waiting.revents & POLLHUP) != 0 ? 0 : -1;
}

static const struct {
    const char *what;
    int (*attempt)(void); /* -1 and errno when it is not there */
    const char *use;
} features[] = {
    {"pidfd", try_pidfd, "notices the death of a process at once"},
    {"close_range", try_close_range, "gives workers no descriptor that is not theirs"},
    {"subreaper", try_subreaper, "leaves no orphan behind"},
    {"lifeline", try_lifeline, "ends contexts with their broker"},
};

static void probe_descriptors(struct report *r)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) {
        report_add(r, FINDING_WARN, "descriptors", NULL, "%s", strerror(errno));
        return;
    }
    bool enough = limit.rlim_max == RLIM_INFINITY || limit.rlim_max >= DESCRIPTORS_WANTED;
    report_add(r, enough ? FINDING_OK : FINDING_WARN, "descriptors",
               enough ? NULL : "raise the hard limit (ulimit -Hn) for many contexts",
               "%ju, raised to the hard limit of %ju when a broker starts",
               (uintmax_t)limit.rlim_cur, (uintmax_t)limit.rlim_max);
}

void probe_system(struct report *r)
{
    struct utsname name;
    if (uname(&name) == 0) {
        report_add(r, FINDING_OK, "system", NULL, "%s %s, %s", name.sysname, name.release,
                   name.machine);
    }
    for (size_t i = 0; i < ARRAY_LEN(features); i++) {
        if (features[i].attempt() >= 0) {
            report_add(r, FINDING_OK, features[i].what, NULL, "%s", features[i].use);
        } else {
            report_add(r, FINDING_FAIL, features[i].what, newer_kernel, "%s (it %s)",
                       strerror(errno), features[i].use);
        }
    }
    probe_descriptors(r);
}

/* True when the file exists and holds the number `value`. */
static bool setting_is(const char *file, const char *value)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(64);
    if (fd_read_file(file, &text, NULL) < 0) {
        return false;
    }
    const char *line = buf_text(&text);
    return strlen(value) == strcspn(line, "\n") && strncmp(line, value, strlen(value)) == 0;
}

void probe_namespaces(struct report *r)
{
    static const struct {
        const char *file;
        const char *forbids;
        const char *remedy;
    } settings[] = {
        {"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"},
        {"/proc/sys/kernel/unprivileged_userns_clone", "0",
         "sysctl kernel.unprivileged_userns_clone=1"},
        {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
         "sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
    };

    static const char what[] = "isolation";
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        if (setting_is(settings[i].file, settings[i].forbids)) {
            report_add(r, FINDING_WARN, what, settings[i].remedy,
                       "not in this build yet; when it comes, %s = %s will be in its way",
                       settings[i].file, settings[i].forbids);
            return;
        }
    }
    report_add(r, FINDING_WARN, what, NULL,
               "not in this build yet: code runs with the rights of its user");
}
