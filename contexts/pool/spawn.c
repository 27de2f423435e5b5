/* SPDX-License-Identifier: MIT */
#include "contexts/pool/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mem.h"

/* What an interpreter needs to find itself, its files and its locale. A trailing `*` takes every
 * name with that beginning. Everything else a context gets in START, by its policy. */
static const char *const allowed_names[] = {
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TZDIR",
    "TMPDIR",
    "TERM",
    "XDG_*",
    "LD_LIBRARY_PATH",
    "PYTHON*",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "MPLCONFIGDIR",
    "ASAN_OPTIONS",
    "LSAN_OPTIONS",
    "UBSAN_OPTIONS",
    "OMP_*",
    "OPENBLAS_*",
    "MKL_*",
    "MALLOC_ARENA_MAX",
};

bool spawn_env_allowed(const char *entry)
{
    size_t name_len = strcspn(entry, "=");
    for (size_t i = 0; i < ARRAY_LEN(allowed_names); i++) {
        size_t len = strlen(allowed_names[i]);
        bool prefix = allowed_names[i][len - 1] == '*';
        size_t compare = prefix ? len - 1 : len;
        if ((prefix ? name_len >= compare : name_len == compare) &&
            strncmp(entry, allowed_names[i], compare) == 0) {
            return true;
        }
    }
    return false;
}

/* Gives a list that borrows its entries from `environ`. */
static char **allowed_environment(void)
{
    size_t count = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **list = xcalloc(count + 1, sizeof *list);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (spawn_env_allowed(environ[i])) {
            list[kept++] = environ[i];
        }
    }
    return list;
}

static void drop_actions(posix_spawn_file_actions_t *actions)
{
    posix_spawn_file_actions_destroy(actions);
}

static void drop_attr(posix_spawnattr_t *attr)
{
    posix_spawnattr_destroy(attr);
}

/* Order matters: descriptors 3 and 4 may themselves be sources. All sources are above 9 then. */
static int plan_descriptors(posix_spawn_file_actions_t *actions, const struct spawn_request *r)
{
    int bad = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    bad |= posix_spawn_file_actions_adddup2(actions, r->output_fd, STDOUT_FILENO);
    bad |= posix_spawn_file_actions_adddup2(actions, r->output_fd, STDERR_FILENO);
    bad |= posix_spawn_file_actions_adddup2(actions, r->control_fd, 3);
    bad |= posix_spawn_file_actions_adddup2(actions, r->lifeline_fd, 4);
    /* What a launcher left open in us is nobody's business in there. */
    bad |= posix_spawn_file_actions_addclosefrom_np(actions, 5);
    return bad;
}

static int plan_signals(posix_spawnattr_t *attr)
{
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    int bad = posix_spawnattr_setsigmask(attr, &none);
    bad |= posix_spawnattr_setsigdefault(attr, &all);
    bad |= posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSID);
    return bad;
}

/* Copies a descriptor above the numbers that the child's plan writes to. */
static int lift(int fd, struct err *e)
{
    enum { FIRST_SAFE = 10 };

    int lifted = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_SAFE);
    return lifted < 0 ? err_sys(e, "fcntl(F_DUPFD)") : lifted;
}

int spawn_program(const struct spawn_request *request, pid_t *out, struct err *e)
{
    _cleanup_(drop_fd) int control = lift(request->control_fd, e);
    _cleanup_(drop_fd) int lifeline = lift(request->lifeline_fd, e);
    _cleanup_(drop_fd) int output = lift(request->output_fd, e);
    if (control < 0 || lifeline < 0 || output < 0) {
        return -1;
    }
    struct spawn_request lifted = *request;
    lifted.control_fd = control;
    lifted.lifeline_fd = lifeline;
    lifted.output_fd = output;

    _cleanup_(drop_actions) posix_spawn_file_actions_t actions;
    _cleanup_(drop_attr) posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    if (plan_descriptors(&actions, &lifted) != 0 || plan_signals(&attr) != 0) {
        return err_set(e, ERR_SYS, "posix_spawn: no memory for its plan");
    }
    _cleanup_(drop_free) char **env = allowed_environment();
    pid_t pid = -1;
    /* posix_spawn does not write to argv; its type predates const. */
    int failed = posix_spawn(&pid, request->path, &actions, &attr,
                             (char *const *)(uintptr_t)request->argv, env);
    if (failed != 0) {
        errno = failed;
        return err_sys(e, "%s", request->path);
    }
    if (request->descriptor_limit > 0) {
        /* We raise our own; programs that walk over all possible ones would suffer from it. */
        struct rlimit limit = {0};
        (void)prlimit(pid, RLIMIT_NOFILE, NULL, &limit); /* our child, not reaped: it is there */
        limit.rlim_cur = request->descriptor_limit;
        (void)prlimit(pid, RLIMIT_NOFILE, &limit, NULL);
    }
    *out = pid;
    return 0;
}
