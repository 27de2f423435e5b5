/* SPDX-License-Identifier: MIT */
#include "contexts/worker/preload.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/text.h"
#include "contexts/wire/frame.h"
#include "contexts/worker/fork_server.h"

enum { SHOWN_MAX = 600 }; /* bytes of a reason or of what was printed that is reported */

/* A broker that does not receive has gone, and takes us with it. */
static void report(const char *module, enum wire_preload_stage stage, struct slice text)
{
    struct err e = ERR_NONE;
    struct wire_preload preload = {.stage = (int)stage};
    _cleanup_(drop_buf) struct buf clean = BUF_INIT(3UL * SHOWN_MAX);
    _cleanup_(drop_buf) struct buf content = BUF_INIT(ZYGOTE_FRAME_MAX / 2);
    _cleanup_(drop_buf) struct buf out = BUF_INIT(ZYGOTE_FRAME_MAX);
    text.len = text.len < SHOWN_MAX ? text.len : SHOWN_MAX;
    (void)text_add_utf8(&clean, text); /* each byte becomes three at most: it fits */
    struct slice shown = text_cut(buf_slice(&clean), SHOWN_MAX);
    (void)snprintf(preload.module, sizeof preload.module, "%s", module);
    (void)snprintf(preload.text, sizeof preload.text, "%.*s", (int)shown.len, shown.data);
    (void)wire_preload_add(&content, &preload);
    struct wire_frame frame = {.type = WIRE_PRELOAD, .content = buf_slice(&content)};
    if (wire_encode(&out, &frame, &e) == 0) {
        int ignored = fd_send(ZYGOTE_FD_CONTROL, buf_slice(&out), NULL, 0, &e);
        (void)ignored;
    }
}

/* Descriptors 1 and 2 while a module loads: what it prints belongs to it by name. The streams of
 * the language stay as they are, because a module may keep them. */
struct captured {
    int before[2];
    int memory; /* -1: they are as they were */
};

static void capture_begin(struct captured *c)
{
    c->memory = memfd_create("pandia-preload", MFD_CLOEXEC);
    for (int i = 0; i < 2 && c->memory >= 0; i++) {
        c->before[i] = dup(STDOUT_FILENO + i);
        (void)dup2(c->memory, STDOUT_FILENO + i); /* both are open: cannot fail */
    }
}

static void capture_end(struct captured *c, struct buf *printed)
{
    char text[SHOWN_MAX];
    (void)fflush(stdout); /* nobody would hear of a failure */
    if (c->memory < 0) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (c->before[i] >= 0) {
            (void)dup2(c->before[i], STDOUT_FILENO + i); /* likewise */
            close(c->before[i]);
        }
    }
    ssize_t n = pread(c->memory, text, sizeof text, 0);
    (void)buf_add(printed, text, n > 0 ? (size_t)n : 0); /* its room is as large */
    close(c->memory);
}

/* Libraries that know of forks (OpenBLAS) end their threads in their own handler and start them
 * again when they are needed, which here is never: what is left after a fork is not safe. */
static void try_fork(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* Returns how many threads there are beside this one, after those that are about to end have done
 * so: no event tells of the end of a foreign thread. */
static size_t threads_left(const struct preload_loader *loader, void *state)
{
    enum { LOOK_MS = 5 };

    size_t count = proc_thread_count();
    if (count <= 1) {
        return 0;
    }
    try_fork();
    int64_t deadline_ms = clock_ms() + PRELOAD_THREADS_MS;
    while ((count = proc_thread_count()) > 1 && clock_ms() < deadline_ms) {
        if (loader->rest != NULL) {
            loader->rest(state, LOOK_MS);
        } else {
            (void)poll(NULL, 0, LOOK_MS); /* a signal only makes it shorter */
        }
    }
    return count - 1;
}

static void report_threads(const struct preload_loader *loader, void *state, const char *module,
                           size_t count)
{
    _cleanup_(drop_buf) struct buf names = BUF_INIT(SHOWN_MAX);
    _cleanup_(drop_buf) struct buf why = BUF_INIT(2UL * SHOWN_MAX);
    if (loader->name_threads != NULL) {
        loader->name_threads(state, &names);
    }
    buf_addf(&why, "it leaves threads running (%zu), and a fork would not be safe", count);
    if (names.len > 0) {
        buf_addf(&why, ": %s", buf_text(&names));
    }
    report(module, PRELOAD_FAILED, buf_slice(&why));
}

static int load_one(const struct preload_loader *loader, void *state, const char *module)
{
    struct captured captured;
    _cleanup_(drop_buf) struct buf why = BUF_INIT(64UL * KIB);
    _cleanup_(drop_buf) struct buf printed = BUF_INIT(SHOWN_MAX);
    report(module, PRELOAD_BEGINS, SLICE_NONE);
    capture_begin(&captured);
    bool loaded = loader->load(state, module, &why);
    capture_end(&captured, &printed);
    if (printed.len > 0) {
        report(module, PRELOAD_PRINTED, buf_slice(&printed));
    }
    if (!loaded) {
        report(module, PRELOAD_FAILED, buf_slice(&why));
    }
    size_t threads = threads_left(loader, state);
    if (threads > 0) {
        report_threads(loader, state, module, threads);
        return -1;
    }
    return 0;
}

int preload_run(const struct preload_loader *loader, void *state, const char *list)
{
    _cleanup_(drop_free) char *names = xstrdup(list);
    char *rest = names;
    for (char *module = strsep(&rest, ","); module != NULL; module = strsep(&rest, ",")) {
        if (module[0] != '\0' && load_one(loader, state, module) < 0) {
            return -1;
        }
    }
    return 0;
}
