/* SPDX-License-Identifier: MIT */
#include "base/proc.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/syscall.h>

int proc_pidfd_open(pid_t pid, struct err *e)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by definition */
    if (fd < 0) {
        return err_sys(e, "pidfd_open(%d)", (int)pid);
    }
    return fd;
}

static void drop_dir(DIR **dir)
{
    if (*dir != NULL) {
        closedir(*dir);
    }
}

static void drop_file(FILE **file)
{
    if (*file != NULL) {
        fclose(*file);
    }
}

/* The kernel lists children per thread: an adopted child hangs on any one of them. */
static size_t children_of_thread(const char *tid, pid_t *out, size_t max)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/task/%.20s/children", tid);
    _cleanup_(drop_file) FILE *file = fopen(path, "re");
    _cleanup_(drop_free) char *word = NULL; /* getdelim's, reused for each number */
    size_t cap = 0;
    size_t count = 0;
    while (file != NULL && count < max && getdelim(&word, &cap, ' ', file) > 0) {
        long pid = strtol(word, NULL, 10);
        if (pid > 0) {
            out[count++] = (pid_t)pid;
        }
    }
    return count;
}

size_t proc_children(pid_t *out, size_t max)
{
    _cleanup_(drop_dir) DIR *dir = opendir("/proc/self/task");
    size_t count = 0;
    for (struct dirent *d = dir ? readdir(dir) : NULL; d != NULL; d = readdir(dir)) {
        if (d->d_name[0] != '.') {
            count += children_of_thread(d->d_name, out + count, max - count);
        }
    }
    return count;
}

size_t proc_thread_count(void)
{
    _cleanup_(drop_dir) DIR *dir = opendir("/proc/self/task");
    size_t count = 0;
    for (struct dirent *d = dir ? readdir(dir) : NULL; d != NULL; d = readdir(dir)) {
        count += d->d_name[0] != '.';
    }
    return count;
}
