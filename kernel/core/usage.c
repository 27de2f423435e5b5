/* SPDX-License-Identifier: MIT */
#include "kernel/core/usage.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/jwrite.h"
#include "base/mem.h"

struct usage_process {
    pid_t pid;
    uint64_t started; /* tells a process from a later one with its number */
    uint64_t ticks;   /* of processor time */
};

/* The processes of this reading. */
struct crowd {
    struct usage_process *list;
    size_t count;
    size_t room;
};

static void crowd_done(struct crowd *crowd)
{
    free(crowd->list);
}

DEFINE_DROP_VALUE(crowd, struct crowd, crowd_done)

static void drop_dir(DIR **dir)
{
    if (*dir != NULL) {
        closedir(*dir);
    }
}

void usage_done(struct usage *u)
{
    free(u->seen);
    *u = (struct usage){0};
}

/* Lends the text of a file in /proc; NULL when it cannot be read, which for a process mostly
 * means that it is gone. */
static const char *read_text(struct buf *text, const char *path)
{
    struct err e = ERR_NONE;
    buf_clear(text);
    return fd_read_file(path, text, &e) == 0 ? buf_text(text) : NULL;
}

/* Lends the text of file `name` of a process. */
static const char *read_process(struct buf *text, pid_t pid, const char *name)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return read_text(text, path);
}

/* Number `index`, from 0 on, of words with blanks between; 0 where there is none. */
static uint64_t number_at(const char *words, int index)
{
    for (; index > 0; index--) {
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return strtoull(words, NULL, 10);
}

/* The bytes in a line "name:   123 kB"; 0 where there is none. */
static uint64_t bytes_of(const char *text, const char *name)
{
    size_t len = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, len) == 0 && line[len] == ':') {
            return strtoull(line + len + 1, NULL, 10) * KIB;
        }
    }
    return 0;
}

static void crowd_add(struct crowd *crowd, pid_t pid)
{
    for (size_t i = 0; i < crowd->count; i++) {
        if (crowd->list[i].pid == pid) {
            return;
        }
    }
    if (crowd->count >= USAGE_PROCESSES_MAX) {
        return;
    }
    if (crowd->count == crowd->room) {
        crowd->room = crowd->room == 0 ? 32 : 2 * crowd->room;
        crowd->list = xrealloc(crowd->list, crowd->room, sizeof *crowd->list);
    }
    crowd->list[crowd->count++] = (struct usage_process){.pid = pid};
}

/* The kernel lists children by the thread that made or adopted them. */
static void add_children(struct crowd *crowd, pid_t pid, struct buf *text)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    _cleanup_(drop_dir) DIR *dir = opendir(path);
    for (struct dirent *d = dir ? readdir(dir) : NULL; d != NULL; d = readdir(dir)) {
        (void)snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, d->d_name);
        const char *children = d->d_name[0] == '.' ? NULL : read_text(text, path);
        char *end = NULL;
        for (long child = 0; children != NULL && *children != '\0'; children = end) {
            child = strtol(children, &end, 10);
            if (end == children || child <= 0 || child > INT_MAX) {
                break;
            }
            crowd_add(crowd, (pid_t)child);
            end += strspn(end, " \n");
        }
    }
}

static void gather(struct crowd *crowd, const pid_t *pids, size_t count, pid_t broker,
                   struct buf *text)
{
    crowd_add(crowd, broker);
    for (size_t i = 0; i < count; i++) {
        crowd_add(crowd, pids[i]);
    }
    for (size_t i = 0; i < crowd->count; i++) { /* grows while it is walked */
        add_children(crowd, crowd->list[i].pid, text);
    }
}

/* Its share of memory that it shares; all of it where that is not ours to know. */
static uint64_t memory_of(pid_t pid, struct buf *text)
{
    const char *rollup = read_process(text, pid, "smaps_rollup");
    if (rollup != NULL) {
        return bytes_of(rollup, "Pss");
    }
    const char *statm = read_process(text, pid, "statm");
    return statm ? number_at(statm, 1) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* The name of a program may hold anything; the numbers stand behind its last bracket. */
static void read_ticks(struct usage_process *process, struct buf *text)
{
    enum { UTIME = 12, STIME = 13, STARTED = 20 };

    const char *stat = read_process(text, process->pid, "stat");
    const char *numbers = stat ? strrchr(stat, ')') : NULL;
    if (numbers != NULL) {
        process->ticks = number_at(numbers, UTIME) + number_at(numbers, STIME);
        process->started = number_at(numbers, STARTED);
    }
}

/* Since the last reading. One that was not there then has spent all its time since. */
static uint64_t ticks_since(const struct usage *u, const struct usage_process *now)
{
    for (size_t i = 0; i < u->count; i++) {
        const struct usage_process *before = &u->seen[i];
        if (before->pid == now->pid && before->started == now->started) {
            return now->ticks > before->ticks ? now->ticks - before->ticks : 0;
        }
    }
    return u->at_us == 0 ? 0 : now->ticks;
}

static void write_kernel(struct usage *u, struct crowd *crowd, struct buf *out, struct buf *text)
{
    uint64_t ticks = 0;
    uint64_t memory = 0;
    for (size_t i = 0; i < crowd->count; i++) {
        read_ticks(&crowd->list[i], text);
        ticks += ticks_since(u, &crowd->list[i]);
        memory += memory_of(crowd->list[i].pid, text);
    }
    int64_t now_us = clock_us();
    double seconds = (double)(now_us - u->at_us) / 1e6;
    double used = (double)ticks / (double)sysconf(_SC_CLK_TCK);
    double percent = u->at_us != 0 && seconds > 0 ? 100 * used / seconds : 0;
    u->at_us = now_us;
    free(u->seen);
    u->seen = take(crowd->list);
    u->count = crowd->count;

    jwrite_member_real(out, "kernel_cpu", percent);
    jwrite_member_int(out, "kernel_memory", (int64_t)memory);
}

/* Time of guests is part of the first two figures already. */
static void write_host_cpu(struct usage *u, struct buf *out, struct buf *text)
{
    enum { IDLE = 3, IOWAIT = 4, FIGURES = 8 };

    const char *stat = read_text(text, "/proc/stat");
    if (stat == NULL || strncmp(stat, "cpu ", 4) != 0) {
        return;
    }
    uint64_t total = 0;
    uint64_t busy = 0;
    for (int i = 0; i < FIGURES; i++) {
        uint64_t figure = number_at(stat, i + 1);
        total += figure;
        busy += i == IDLE || i == IOWAIT ? 0 : figure;
    }
    if (u->host_total != 0 && total > u->host_total && busy >= u->host_busy) {
        jwrite_member_real(out, "host_cpu_percent",
                           100 * (double)(busy - u->host_busy) / (double)(total - u->host_total));
    }
    u->host_total = total;
    u->host_busy = busy;
}

/* What counts as what is as in `free` and psutil. */
static void write_host_memory(struct buf *out, struct buf *text)
{
    const char *info = read_text(text, "/proc/meminfo");
    if (info == NULL) {
        return;
    }
    uint64_t total = bytes_of(info, "MemTotal");
    uint64_t free_bytes = bytes_of(info, "MemFree");
    uint64_t available = bytes_of(info, "MemAvailable");
    if (available > total) { /* a container that does not tell the truth */
        available = free_bytes;
    }

    const struct {
        const char *name;
        uint64_t bytes;
    } members[] = {
        {"total", total},
        {"available", available},
        {"used", total - available},
        {"free", free_bytes},
        {"active", bytes_of(info, "Active")},
        {"inactive", bytes_of(info, "Inactive")},
        {"buffers", bytes_of(info, "Buffers")},
        {"cached", bytes_of(info, "Cached") + bytes_of(info, "SReclaimable")},
        {"shared", bytes_of(info, "Shmem")},
        {"slab", bytes_of(info, "Slab")},
    };

    jwrite_key(out, "host_virtual_memory");
    jwrite_object(out);
    jwrite_member_real(out, "percent",
                       total ? 100 * (double)(total - available) / (double)total : 0.0);
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        jwrite_member_int(out, members[i].name, (int64_t)members[i].bytes);
    }
    jwrite_object_end(out);
}

int usage_read(struct usage *u, struct buf *out, const pid_t *pids, size_t count, pid_t broker)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(USAGE_FILE_MAX);
    _cleanup_(drop_crowd) struct crowd crowd = {0};
    char host[HOST_NAME_MAX + 1] = "";
    (void)gethostname(host, sizeof host - 1); /* no name is a name too */
    gather(&crowd, pids, count, broker, &text);

    jwrite_object(out);
    jwrite_member_text(out, "hostname", host);
    jwrite_member_int(out, "pid", broker);
    jwrite_member_int(out, "cpu_count", sysconf(_SC_NPROCESSORS_ONLN));
    write_kernel(u, &crowd, out, &text);
    write_host_cpu(u, out, &text);
    write_host_memory(out, &text);
    jwrite_object_end(out);
    return out->full ? -1 : 0;
}
