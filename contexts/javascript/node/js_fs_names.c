/* SPDX-License-Identifier: MIT */
/* js_fs_names.c - the calls of `native.fs` that give names: lists of folders, targets of links, new
 * temporary folders; and copies of whole files. They live in `native.names`. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/mem.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"
#include "contexts/javascript/node/js_fs.h"

static void drop_dir(DIR **dir)
{
    if (*dir != NULL) {
        (void)closedir(*dir); /* only read */
    }
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static JSValue list_of(JSContext *ctx, DIR *dir)
{
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (is_dots(entry->d_name)) {
            continue;
        }
        (void)JS_SetPropertyUint32(ctx, list, count++, JS_NewString(ctx, entry->d_name));
        (void)JS_SetPropertyUint32(ctx, list, count++, JS_NewInt32(ctx, entry->d_type));
    }
    return list; /* a new array refuses nothing */
}

enum { NAME_LIST, NAME_READLINK, NAME_REALPATH, NAME_MKDTEMP };

static char *name_call(int magic, const char *path)
{
    char room[PATH_MAX];
    if (magic == NAME_REALPATH) {
        return realpath(path, NULL);
    }
    if (magic == NAME_READLINK) {
        ssize_t n = readlink(path, room, sizeof room - 1);
        room[n < 0 ? 0 : n] = '\0';
        return n < 0 ? NULL : xstrdup(room);
    }
    (void)snprintf(room, sizeof room, "%sXXXXXX", path);
    return mkdtemp(room) == NULL ? NULL : xstrdup(room);
}

/* readdir(path) -> [name, type, name, type...]; the others give a string */
static JSValue names_call(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv,
                          int magic)
{
    const char *path = JS_ToCString(ctx, argv[0]);
    (void)this_val;
    (void)argc;
    if (path == NULL) {
        return JS_EXCEPTION;
    }
    _cleanup_(drop_dir) DIR *dir = magic == NAME_LIST ? opendir(path) : NULL;
    char *name = magic == NAME_LIST ? NULL : name_call(magic, path);
    int failure = errno;
    JS_FreeCString(ctx, path);
    if (dir != NULL) {
        return list_of(ctx, dir);
    }
    if (name == NULL) {
        return JS_NewInt32(ctx, -failure);
    }
    JSValue text = JS_NewString(ctx, name);
    free(name);
    return text;
}

static int copy_bytes(int from, int to)
{
    enum { STEP = 1 << 30 };

    ssize_t n = 1;
    while (n > 0) {
        n = sendfile(to, from, NULL, STEP);
    }
    return n < 0 ? -errno : 0;
}

static int copy_file(const char *from_path, const char *to_path, bool exclusive)
{
    struct stat s;
    _cleanup_(drop_fd) int from = open(from_path, O_RDONLY | O_CLOEXEC);
    if (from < 0 || fstat(from, &s) < 0) {
        return -errno;
    }
    if (S_ISDIR(s.st_mode)) {
        return -EISDIR;
    }
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (exclusive ? O_EXCL : 0);
    _cleanup_(drop_fd) int to = open(to_path, flags, s.st_mode & 0777);
    struct stat t;
    if (to < 0 || fstat(to, &t) < 0) {
        return -errno;
    }
    if (s.st_dev == t.st_dev && s.st_ino == t.st_ino) {
        return 0; /* onto itself: nothing to do, and nothing to cut off first */
    }
    return ftruncate(to, 0) < 0 ? -errno : copy_bytes(from, to);
}

/* copyFile(from, to, exclusive) */
static JSValue names_copy(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    const char *from = JS_ToCString(ctx, argv[0]);
    const char *to = JS_ToCString(ctx, argv[1]);
    bool usable = from != NULL && to != NULL;
    (void)this_val;
    (void)argc;
    int result = usable ? copy_file(from, to, JS_ToBool(ctx, argv[2]) > 0) : 0;
    JS_FreeCString(ctx, from);
    JS_FreeCString(ctx, to);
    return usable ? JS_NewInt32(ctx, result) : JS_EXCEPTION;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_MAGIC_DEF("readdir", 1, names_call, NAME_LIST),
    JS_CFUNC_MAGIC_DEF("readlink", 1, names_call, NAME_READLINK),
    JS_CFUNC_MAGIC_DEF("realpath", 1, names_call, NAME_REALPATH),
    JS_CFUNC_MAGIC_DEF("mkdtemp", 1, names_call, NAME_MKDTEMP),
    JS_CFUNC_DEF("copyFile", 3, names_copy),
};

int js_fs_names_install(struct js_realm *r)
{
    /* Static: the engine reads it when the property is first used. */
    static const JSCFunctionListEntry room =
        JS_OBJECT_DEF("names", functions, (int)ARRAY_LEN(functions), JS_PROP_C_W_E);
    return js_native_add(r, &room, 1);
}
