/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_system.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

/* Each function below gives one answer; numbers of the system go by this table. */
enum {
    ASK_PID,
    ASK_PPID,
    ASK_UID,
    ASK_GID,
    ASK_EUID,
    ASK_EGID,
    ASK_CPUS,
    ASK_RSS,
    ASK_NANOSECONDS
};

static double nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* cannot fail for this clock */
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double resident_bytes(void)
{
    char line[128] = "";
    char *end = line;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL) {
            line[0] = '\0'; /* counts as no pages */
        }
        (void)fclose(file); /* only read */
    }
    (void)strtoul(line, &end, 10); /* the size; behind it is what is resident */
    unsigned long pages = strtoul(end, NULL, 10);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static JSValue ask_number(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                          int magic)
{
    (void)this_val;
    (void)argc;
    (void)argv;
    switch (magic) {
    case ASK_PID:
        return JS_NewInt32(ctx, getpid());
    case ASK_PPID:
        return JS_NewInt32(ctx, getppid());
    case ASK_UID:
        return JS_NewInt64(ctx, getuid());
    case ASK_GID:
        return JS_NewInt64(ctx, getgid());
    case ASK_EUID:
        return JS_NewInt64(ctx, geteuid());
    case ASK_EGID:
        return JS_NewInt64(ctx, getegid());
    case ASK_CPUS:
        return JS_NewInt64(ctx, sysconf(_SC_NPROCESSORS_ONLN));
    case ASK_RSS:
        return JS_NewFloat64(ctx, resident_bytes());
    default:
        return JS_NewFloat64(ctx, nanoseconds());
    }
}

/* cwd() -> path or minus errno */
static JSValue system_cwd(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    (void)argv;
    char *path = getcwd(NULL, 0);
    JSValue value = path == NULL ? JS_NewInt32(ctx, -errno) : JS_NewString(ctx, path);
    free(path);
    return value;
}

/* umask(mask or -1) -> the mask before */
static JSValue system_umask(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t mask = -1;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &mask, argv[0]) < 0) {
        return JS_EXCEPTION;
    }
    mode_t before = umask(mask < 0 ? 0 : (mode_t)mask);
    if (mask < 0) {
        umask(before);
    }
    return JS_NewInt32(ctx, (int32_t)before);
}

static JSValue system_kill(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int32_t pid = 0;
    int32_t signo = 0;
    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &pid, argv[0]) < 0 || JS_ToInt32(ctx, &signo, argv[1]) < 0) {
        return JS_EXCEPTION;
    }
    return JS_NewInt32(ctx, kill(pid, signo) < 0 ? -errno : 0);
}

/* getEnv(name) -> string or undefined */
static JSValue system_get_env(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    const char *name = JS_ToCString(ctx, argv[0]);
    if (name == NULL) {
        return JS_EXCEPTION;
    }
    const char *value = getenv(name);
    JS_FreeCString(ctx, name);
    return value == NULL ? JS_UNDEFINED : JS_NewString(ctx, value);
}

/* setEnv(name, text): undefined removes it. A name that cannot be is ignored, as in Node. */
static JSValue system_set_env(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    const char *name = JS_ToCString(ctx, argv[0]);
    const char *value = JS_IsUndefined(argv[1]) ? NULL : JS_ToCString(ctx, argv[1]);
    bool failed = name == NULL || (value == NULL && !JS_IsUndefined(argv[1]));
    if (!failed && value != NULL) {
        (void)setenv(name, value, 1); /* fails for names that cannot be */
    } else if (!failed) {
        (void)unsetenv(name);
    }
    JS_FreeCString(ctx, name);
    JS_FreeCString(ctx, value);
    return failed ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue system_env_names(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSValue names = JS_NewArray(ctx);
    uint32_t count = 0;
    (void)this_val;
    (void)argc;
    (void)argv;
    for (char **entry = environ; *entry != NULL; entry++) {
        const char *equals = strchr(*entry, '=');
        if (equals != NULL) {
            (void)JS_SetPropertyUint32(
                ctx, names, count++,
                JS_NewStringLen(ctx, *entry, (size_t)(equals - *entry))); /* a new array takes it */
        }
    }
    return names;
}

static void put(JSContext *ctx, JSValueConst object, const char *name, JSValue value)
{
    (void)JS_SetPropertyStr(ctx, object, name, value); /* a new object refuses nothing */
}

/* machine() -> what the module os tells */
static JSValue system_machine(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct utsname names = {0};
    struct sysinfo info = {0};
    double loads[3] = {0};
    struct passwd *user = getpwuid(getuid());
    JSValue out = JS_NewObject(ctx);
    (void)this_val;
    (void)argc;
    (void)argv;
    (void)uname(&names); /* these fail only for bad pointers */
    (void)sysinfo(&info);
    (void)getloadavg(loads, 3);
    put(ctx, out, "hostname", JS_NewString(ctx, names.nodename));
    put(ctx, out, "release", JS_NewString(ctx, names.release));
    put(ctx, out, "version", JS_NewString(ctx, names.version));
    put(ctx, out, "machine", JS_NewString(ctx, names.machine));
    put(ctx, out, "uptime", JS_NewFloat64(ctx, (double)info.uptime));
    put(ctx, out, "total", JS_NewFloat64(ctx, (double)info.totalram * info.mem_unit));
    put(ctx, out, "free", JS_NewFloat64(ctx, (double)info.freeram * info.mem_unit));
    JSValue averages[] = {JS_NewFloat64(ctx, loads[0]), JS_NewFloat64(ctx, loads[1]),
                          JS_NewFloat64(ctx, loads[2])};
    put(ctx, out, "loads", JS_NewArrayFrom(ctx, 3, averages));
    if (user != NULL) {
        put(ctx, out, "user", JS_NewString(ctx, user->pw_name));
        put(ctx, out, "home", JS_NewString(ctx, user->pw_dir));
        put(ctx, out, "shell", JS_NewString(ctx, user->pw_shell));
    }
    return out;
}

/* heap() -> [used, total] bytes of the user's runtime */
static JSValue system_heap(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    JSMemoryUsage usage;
    (void)this_val;
    (void)argc;
    (void)argv;
    JS_ComputeMemoryUsage(JS_GetRuntime(ctx), &usage);
    JSValue values[] = {JS_NewInt64(ctx, usage.memory_used_size),
                        JS_NewInt64(ctx, usage.malloc_size)};
    return JS_NewArrayFrom(ctx, 2, values);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_MAGIC_DEF("pid", 0, ask_number, ASK_PID),
    JS_CFUNC_MAGIC_DEF("ppid", 0, ask_number, ASK_PPID),
    JS_CFUNC_MAGIC_DEF("uid", 0, ask_number, ASK_UID),
    JS_CFUNC_MAGIC_DEF("gid", 0, ask_number, ASK_GID),
    JS_CFUNC_MAGIC_DEF("euid", 0, ask_number, ASK_EUID),
    JS_CFUNC_MAGIC_DEF("egid", 0, ask_number, ASK_EGID),
    JS_CFUNC_MAGIC_DEF("cpus", 0, ask_number, ASK_CPUS),
    JS_CFUNC_MAGIC_DEF("rss", 0, ask_number, ASK_RSS),
    JS_CFUNC_MAGIC_DEF("nanoseconds", 0, ask_number, ASK_NANOSECONDS),
    JS_CFUNC_DEF("cwd", 0, system_cwd),
    JS_CFUNC_DEF("umask", 1, system_umask),
    JS_CFUNC_DEF("kill", 2, system_kill),
    JS_CFUNC_DEF("getEnv", 1, system_get_env),
    JS_CFUNC_DEF("setEnv", 2, system_set_env),
    JS_CFUNC_DEF("envNames", 0, system_env_names),
    JS_CFUNC_DEF("machine", 0, system_machine),
    JS_CFUNC_DEF("heap", 0, system_heap),
};

int js_system_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("system", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1);
}
