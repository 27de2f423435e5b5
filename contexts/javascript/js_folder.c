/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "contexts/javascript/js_native.h"

static void drop_folder(DIR **folder)
{
    if (*folder != NULL) {
        (void)closedir(*folder); /* nothing was written */
    }
}

/* Links count as what they lead to. */
static bool is_folder_at(DIR *parent, const struct dirent *entry)
{
    struct stat st;
    if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN) {
        return entry->d_type == DT_DIR;
    }
    return fstatat(dirfd(parent), entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

static JSValue name_of(JSContext *ctx, DIR *parent, const struct dirent *entry)
{
    char name[sizeof entry->d_name + 1];
    const char *mark = is_folder_at(parent, entry) ? "/" : "";
    (void)snprintf(name, sizeof name, "%s%s", entry->d_name, mark);
    return JS_NewString(ctx, name);
}

static bool is_itself_or_parent(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* listFolder(path) -> names, those of folders with a slash; none when it cannot be read. */
static JSValue list_folder(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc; /* our callers give all arguments */
    JSValue names = JS_NewArray(ctx);
    const char *path = JS_ToCString(ctx, argv[0]);
    _cleanup_(drop_folder) DIR *folder = path ? opendir(path) : NULL;
    JS_FreeCString(ctx, path);
    if (folder == NULL) {
        return names;
    }
    uint32_t count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL && count < JS_FOLDER_NAMES_MAX;
         entry = readdir(folder)) {
        if (!is_itself_or_parent(entry->d_name)) {
            (void)JS_DefinePropertyValueUint32(ctx, names, count++, name_of(ctx, folder, entry),
                                               JS_PROP_C_W_E); /* a new array refuses nothing */
        }
    }
    return names;
}

static int stat_argument(JSContext *ctx, JSValueConst path_value, struct stat *st)
{
    const char *path = JS_ToCString(ctx, path_value);
    int failed = path ? stat(path, st) : -1;
    JS_FreeCString(ctx, path);
    return failed;
}

static JSValue is_folder(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct stat st;
    (void)this_val;
    (void)argc;
    return JS_NewBool(ctx, stat_argument(ctx, argv[0], &st) == 0 && S_ISDIR(st.st_mode));
}

static JSValue is_root(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    struct stat st;
    struct stat root;
    (void)this_val;
    (void)argc;
    bool same = stat_argument(ctx, argv[0], &st) == 0 && stat("/", &root) == 0 &&
                st.st_ino == root.st_ino && st.st_dev == root.st_dev;
    return JS_NewBool(ctx, same);
}

static JSValue home(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    (void)this_val;
    (void)argc;
    (void)argv;
    const char *path = getenv("HOME");
    return JS_NewString(ctx, path ? path : "");
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("listFolder", 1, list_folder),
    JS_CFUNC_DEF("isFolder", 1, is_folder),
    JS_CFUNC_DEF("isRoot", 1, is_root),
    JS_CFUNC_DEF("home", 0, home),
};

int js_folder_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
