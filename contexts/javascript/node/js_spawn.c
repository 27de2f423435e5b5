/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

enum { WORDS_MAX = 65536, STDIO_MAX = 16 };

static void drop_words(char ***words)
{
    for (size_t i = 0; *words != NULL && (*words)[i] != NULL; i++) {
        free((*words)[i]);
    }
    free(*words);
}

/* An array of strings as exec wants it; NULL with an exception when it is none. */
static char **words_of(JSContext *ctx, JSValueConst list)
{
    int64_t count = 0;
    if (JS_GetLength(ctx, list, &count) < 0) {
        return NULL;
    }
    if (count > WORDS_MAX) {
        JS_ThrowRangeError(ctx, "more than %d arguments", WORDS_MAX);
        return NULL;
    }
    _cleanup_(drop_words) char **words = xcalloc((size_t)count + 1, sizeof *words);
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        _cleanup_(drop_js_ref) struct js_ref item = JS_REF(ctx, JS_GetPropertyUint32(ctx, list, i));
        const char *text = JS_ToCString(ctx, item.v);
        if (text == NULL) {
            return NULL;
        }
        words[i] = xstrdup(text);
        JS_FreeCString(ctx, text);
    }
    return take(words);
}

/* Descriptor i of the child is fds[i] of ours; -1: /dev/null. */
static int set_stdio(JSContext *ctx, JSValueConst list, posix_spawn_file_actions_t *actions)
{
    int64_t count = 0;
    if (JS_GetLength(ctx, list, &count) < 0) {
        return -1;
    }
    count = count < STDIO_MAX ? count : STDIO_MAX;
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        int32_t fd = -1;
        _cleanup_(drop_js_ref) struct js_ref item = JS_REF(ctx, JS_GetPropertyUint32(ctx, list, i));
        if (JS_ToInt32(ctx, &fd, item.v) < 0) {
            return -1;
        }
        int failed = fd < 0
                         ? posix_spawn_file_actions_addopen(actions, (int)i, "/dev/null", O_RDWR, 0)
                         : posix_spawn_file_actions_adddup2(actions, fd, (int)i);
        if (failed != 0) {
            JS_ThrowInternalError(ctx, "no memory to start a process");
            return -1;
        }
    }
    return 0;
}

/* The child starts with no signal blocked or ignored, in a session of its own when it is to outlive
 * the cell. */
static void set_attributes(posix_spawnattr_t *attributes, bool detached)
{
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags =
        POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (detached ? POSIX_SPAWN_SETSID : 0);
    (void)posix_spawnattr_setsigmask(attributes, &none); /* these only fill in a struct */
    (void)posix_spawnattr_setsigdefault(attributes, &all);
    (void)posix_spawnattr_setflags(attributes, flags);
}

struct plan {
    char **argv;
    char **envp;
    const char *file;
    const char *cwd;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

static int start(struct plan *plan)
{
    pid_t pid = 0;
    if (plan->cwd != NULL && (access(plan->cwd, X_OK) < 0 || posix_spawn_file_actions_addchdir_np(
                                                                 &plan->actions, plan->cwd) != 0)) {
        return -ENOENT;
    }
    int failed =
        posix_spawnp(&pid, plan->file, &plan->actions, &plan->attributes, plan->argv, plan->envp);
    return failed != 0 ? -failed : pid;
}

/* spawn(file, argv, env, stdio, cwd or undefined, detached) -> pid or minus errno */
static JSValue child_spawn(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct plan plan = {0};
    (void)this_val;
    (void)argc;
    _cleanup_(drop_words) char **words = words_of(ctx, argv[1]);
    _cleanup_(drop_words) char **environment = words ? words_of(ctx, argv[2]) : NULL;
    if (environment == NULL) {
        return JS_EXCEPTION;
    }
    plan.argv = words;
    plan.envp = environment;
    plan.file = JS_ToCString(ctx, argv[0]);
    plan.cwd = JS_IsUndefined(argv[4]) ? NULL : JS_ToCString(ctx, argv[4]);
    (void)posix_spawn_file_actions_init(&plan.actions); /* glibc's cannot fail */
    (void)posix_spawnattr_init(&plan.attributes);
    set_attributes(&plan.attributes, JS_ToBool(ctx, argv[5]) > 0);
    int pid = 0;
    bool usable = plan.file != NULL && set_stdio(ctx, argv[3], &plan.actions) == 0;
    if (usable) {
        worker_expect_foreign_output(js_of(ctx)->worker);
        pid = start(&plan);
    }
    (void)posix_spawn_file_actions_destroy(&plan.actions);
    (void)posix_spawnattr_destroy(&plan.attributes);
    JS_FreeCString(ctx, plan.file);
    JS_FreeCString(ctx, plan.cwd);
    return usable ? JS_NewInt32(ctx, pid) : JS_EXCEPTION;
}

/* pipe() -> [read end, write end] or minus errno */
static JSValue child_pipe(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int ends[2];
    (void)this_val;
    (void)argc;
    (void)argv;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return JS_NewInt32(ctx, -errno);
    }
    JSValue values[] = {JS_NewInt32(ctx, ends[0]), JS_NewInt32(ctx, ends[1])};
    return JS_NewArrayFrom(ctx, 2, values);
}

/* pidfd(pid) -> descriptor that is readable when the process has ended, or minus errno */
static JSValue child_pidfd(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t pid = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &pid, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    long fd = syscall(SYS_pidfd_open, pid, 0);
    return JS_NewInt64(ctx, fd < 0 ? -errno : fd);
}

/* reap(pid) -> [exit code or -1, signal or 0]; undefined while it runs */
static JSValue child_reap(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t pid = 0;
    int status = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &pid, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    if (waitpid(pid, &status, WNOHANG) != pid) {
        return JS_UNDEFINED;
    }
    JSValue values[] = {JS_NewInt32(ctx, WIFEXITED(status) ? WEXITSTATUS(status) : -1),
                        JS_NewInt32(ctx, WIFSIGNALED(status) ? WTERMSIG(status) : 0)};
    return JS_NewArrayFrom(ctx, 2, values);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("spawn", 6, child_spawn),
    JS_CFUNC_DEF("pipe", 0, child_pipe),
    JS_CFUNC_DEF("pidfd", 1, child_pidfd),
    JS_CFUNC_DEF("reap", 1, child_reap),
};

int js_spawn_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("child", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1);
}
