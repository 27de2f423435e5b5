/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

/* Arguments of a call: a path, then a second path or a number, then a number. */
struct call {
    const char *path;
    const char *second; /* NULL when the second argument is a number */
    double number;
    double third;
};

static int call_open(const struct call *c)
{
    return open(c->path, (int)c->number | O_CLOEXEC, (mode_t)c->third);
}

static int call_mkdir(const struct call *c)
{
    return mkdir(c->path, (mode_t)c->number);
}

static int call_rmdir(const struct call *c)
{
    return rmdir(c->path);
}

static int call_unlink(const struct call *c)
{
    return unlink(c->path);
}

static int call_rename(const struct call *c)
{
    return rename(c->path, c->second);
}

static int call_link(const struct call *c)
{
    return link(c->path, c->second);
}

static int call_symlink(const struct call *c)
{
    return symlink(c->path, c->second);
}

static int call_chmod(const struct call *c)
{
    return chmod(c->path, (mode_t)c->number);
}

static int call_chown(const struct call *c)
{
    return chown(c->path, (uid_t)c->number, (gid_t)c->third);
}

static int call_access(const struct call *c)
{
    return access(c->path, (int)c->number);
}

static int call_truncate(const struct call *c)
{
    return truncate(c->path, (off_t)c->number);
}

static int call_chdir(const struct call *c)
{
    return chdir(c->path);
}

static struct timespec moment(double seconds)
{
    double whole = (double)(int64_t)seconds;
    whole -= whole > seconds ? 1 : 0;
    return (struct timespec){.tv_sec = (time_t)whole, .tv_nsec = (long)((seconds - whole) * 1e9)};
}

static int call_utimes(const struct call *c)
{
    struct timespec times[2] = {moment(c->number), moment(c->third)};
    return utimensat(AT_FDCWD, c->path, times, 0);
}

#define PATH_CALLS(X)                                                                              \
    X(open)                                                                                        \
    X(mkdir)                                                                                       \
    X(rmdir)                                                                                       \
    X(unlink)                                                                                      \
    X(rename)                                                                                      \
    X(link)                                                                                        \
    X(symlink)                                                                                     \
    X(chmod)                                                                                       \
    X(chown)                                                                                       \
    X(access)                                                                                      \
    X(truncate)                                                                                    \
    X(chdir)                                                                                       \
    X(utimes)

enum {

#define X(name) CALL_##name,
    PATH_CALLS(X)
#undef X
};

static JSValue path_call(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                         int magic)
{
    static int (*const calls[])(const struct call *) = {

#define X(name) [CALL_##name] = call_##name,
        PATH_CALLS(X)
#undef X
    };
    struct call call = {0};
    int result = 0;
    (void)this_val;
    (void)argc; /* as many as the prelude names; the rest is undefined */
    call.path = JS_ToCString(ctx, argv[0]);
    if (JS_IsString(argv[1])) {
        call.second = JS_ToCString(ctx, argv[1]);
    } else {
        (void)JS_ToFloat64(ctx, &call.number, argv[1]); /* a number or undefined */
    }
    (void)JS_ToFloat64(ctx, &call.third, argv[2]);
    bool usable = call.path != NULL && (call.second != NULL || !JS_IsString(argv[1]));
    if (usable) {
        result = calls[magic](&call);
        result = result < 0 ? -errno : result;
    }
    JS_FreeCString(ctx, call.second);
    JS_FreeCString(ctx, call.path);
    return usable ? JS_NewInt32(ctx, result) : JS_EXCEPTION;
}

static int to_fd(JSContext *ctx, JSValueConst value)
{
    int32_t fd = -1;
    return JS_ToInt32(ctx, &fd, value) < 0 ? -1 : fd;
}

enum { FD_CLOSE, FD_SYNC, FD_TRUNCATE, FD_CHMOD, FD_NONBLOCK };

/* The same for descriptors: a number, then another one. */
static JSValue fd_call(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                       int magic)
{
    int fd = to_fd(ctx, argv[0]);
    int64_t number = 0;
    int result = -1;
    (void)this_val;
    (void)argc;
    (void)JS_ToInt64(ctx, &number, argv[1]); /* undefined is 0 */
    switch (magic) {
    case FD_CLOSE:
        result = close(fd);
        break;
    case FD_SYNC:
        result = fsync(fd);
        break;
    case FD_TRUNCATE:
        result = ftruncate(fd, number);
        break;
    case FD_CHMOD:
        result = fchmod(fd, (mode_t)number);
        break;
    case FD_NONBLOCK:
        result = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        break;
    }
    return JS_NewInt32(ctx, result < 0 ? -errno : result);
}

static double milliseconds(struct statx_timestamp t)
{
    return (double)t.tv_sec * 1000.0 + (double)t.tv_nsec / 1e6;
}

static JSValue stat_values(JSContext *ctx, const struct statx *s)
{
    const double values[] = {
        (double)(s->stx_dev_major * 256ULL + s->stx_dev_minor),
        s->stx_mode,
        s->stx_nlink,
        s->stx_uid,
        s->stx_gid,
        (double)(s->stx_rdev_major * 256ULL + s->stx_rdev_minor),
        s->stx_blksize,
        (double)s->stx_ino,
        (double)s->stx_size,
        (double)s->stx_blocks,
        milliseconds(s->stx_atime),
        milliseconds(s->stx_mtime),
        milliseconds(s->stx_ctime),
        milliseconds(s->stx_btime),
    };
    JSValue out[ARRAY_LEN(values)];
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        out[i] = JS_NewFloat64(ctx, values[i]);
    }
    return JS_NewArrayFrom(ctx, (int)ARRAY_LEN(values), out);
}

/* stat(path or fd, follow) -> fields of Stats in Node's order */
static JSValue fs_stat(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct statx s = {0};
    bool is_fd = JS_IsNumber(argv[0]);
    int flags = JS_ToBool(ctx, argv[1]) > 0 ? 0 : AT_SYMLINK_NOFOLLOW;
    (void)this_val;
    (void)argc;
    const char *path = is_fd ? NULL : JS_ToCString(ctx, argv[0]);
    if (!is_fd && path == NULL) {
        return JS_EXCEPTION;
    }
    int result = is_fd ? statx(to_fd(ctx, argv[0]), "", AT_EMPTY_PATH, STATX_BASIC_STATS, &s)
                       : statx(AT_FDCWD, path, flags, STATX_BASIC_STATS | STATX_BTIME, &s);
    int failure = errno;
    JS_FreeCString(ctx, path);
    return result < 0 ? JS_NewInt32(ctx, -failure) : stat_values(ctx, &s);
}

/* read(fd, Uint8Array, offset, length, position or -1) -> bytes; write() likewise */
static JSValue fs_transfer(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                           int is_write)
{
    size_t size = 0;
    int64_t offset = 0;
    int64_t length = 0;
    int64_t position = -1;
    (void)this_val;
    (void)argc;
    uint8_t *bytes = JS_GetUint8Array(ctx, &size, argv[1]);
    if (bytes == NULL || JS_ToInt64(ctx, &offset, argv[2]) < 0 ||
        JS_ToInt64(ctx, &length, argv[3]) < 0 || JS_ToInt64(ctx, &position, argv[4]) < 0) {
        return JS_EXCEPTION;
    }
    if (offset < 0 || length < 0 || (size_t)offset > size ||
        (size_t)length > size - (size_t)offset) {
        return JS_NewInt32(ctx, -EINVAL);
    }
    int fd = to_fd(ctx, argv[0]);
    ssize_t n = 0;
    if (is_write) {
        n = position < 0 ? write(fd, bytes + offset, (size_t)length)
                         : pwrite(fd, bytes + offset, (size_t)length, position);
    } else {
        n = position < 0 ? read(fd, bytes + offset, (size_t)length)
                         : pread(fd, bytes + offset, (size_t)length, position);
    }
    return JS_NewInt64(ctx, n < 0 ? -errno : n);
}

/* readAll(fd) -> Uint8Array with everything until the end */
static JSValue fs_read_all(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    int fd = to_fd(ctx, argv[0]);
    struct stat s = {0};
    _cleanup_(drop_buf) struct buf all = BUF_INIT(JS_FILE_MAX);
    (void)this_val;
    (void)argc;
    size_t step = fstat(fd, &s) == 0 && s.st_size > 0 ? (size_t)s.st_size + 1 : 64 * KIB;
    for (;;) {
        char *room = buf_reserve(&all, step);
        ssize_t n = room == NULL ? -1 : read(fd, room, step);
        if (n < 0) {
            return JS_NewInt32(ctx, room == NULL ? -EFBIG : -errno);
        }
        if (n == 0) {
            break;
        }
        buf_commit(&all, (size_t)n);
        step = 64 * KIB;
    }
    return js_value_bytes(ctx, &all);
}

static const JSCFunctionListEntry functions[] = {

#define X(name) JS_CFUNC_MAGIC_DEF(#name, 3, path_call, CALL_##name),
    PATH_CALLS(X)
#undef X
        JS_CFUNC_MAGIC_DEF("close", 2, fd_call, FD_CLOSE),
    JS_CFUNC_MAGIC_DEF("fsync", 2, fd_call, FD_SYNC),
    JS_CFUNC_MAGIC_DEF("ftruncate", 2, fd_call, FD_TRUNCATE),
    JS_CFUNC_MAGIC_DEF("fchmod", 2, fd_call, FD_CHMOD),
    JS_CFUNC_MAGIC_DEF("nonblock", 2, fd_call, FD_NONBLOCK),
    JS_CFUNC_DEF("stat", 2, fs_stat),
    JS_CFUNC_MAGIC_DEF("read", 5, fs_transfer, 0),
    JS_CFUNC_MAGIC_DEF("write", 5, fs_transfer, 1),
    JS_CFUNC_DEF("readAll", 1, fs_read_all),
};

int js_fs_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("fs", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1) < 0 ? -1 : js_fs_names_install(r);
}
