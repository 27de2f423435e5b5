/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_zone.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/node/js_zone_file.h"

#define ZONES "/usr/share/zoneinfo/"

enum {
    ZONE_NAME_MAX = 64,
    ZONE_FILE_MAX = 64 * 1024,
    ZONE_PATH_MAX = sizeof ZONES + ZONE_NAME_MAX
};

/* Moments further away than any Date of JavaScript are none. */
#define SECONDS_MAX 1e13

/* The file of a name of the data; false when it is none. Nothing leads out of the folder: a name
 * has no dots. */
static bool zone_path(const char *name, char path[ZONE_PATH_MAX])
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    struct stat st;
    size_t len = strlen(name);
    if (len == 0 || len >= ZONE_NAME_MAX || name[0] == '/' || name[len - 1] == '/' ||
        strspn(name, letters) != len) {
        return false;
    }
    (void)snprintf(path, ZONE_PATH_MAX, ZONES "%s", name);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The variable TZ stays as it is: a thread of the resolver may be reading the environment. */
static bool look_up(const char *name, int64_t when, struct zone_moment *out)
{
    char path[ZONE_PATH_MAX];
    _cleanup_(drop_buf) struct buf file = BUF_INIT(ZONE_FILE_MAX);
    struct err e = ERR_NONE;
    return zone_path(name, path) && fd_read_file(path, &file, &e) == 0 &&
           zone_file_at(buf_slice(&file), when, out);
}

/* The zone of the process, by the library that Date asks too. */
static bool look_up_local(int64_t when, struct zone_moment *out)
{
    time_t moment = (time_t)when;
    struct tm parts;
    if (localtime_r(&moment, &parts) == NULL) {
        return false;
    }
    out->offset_s = (int32_t)parts.tm_gmtoff;
    (void)snprintf(out->abbreviation, sizeof out->abbreviation, "%s", parts.tm_zone);
    return true;
}

/* zone(name, seconds) -> [offset in seconds, abbreviation]; undefined: there is no such zone.
 * Without a name it is the zone of the process. */
static JSValue native_zone(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    double seconds = 0;
    struct zone_moment found = {0};
    (void)this_val;
    (void)argc; /* the prelude always gives both */
    if (JS_ToFloat64(ctx, &seconds, argv[1]) < 0) {
        return JS_EXCEPTION;
    }
    if (!(fabs(seconds) <= SECONDS_MAX)) {
        return JS_UNDEFINED;
    }
    bool is_there = false;
    if (JS_IsString(argv[0])) {
        const char *name = JS_ToCString(ctx, argv[0]);
        if (name == NULL) {
            return JS_EXCEPTION;
        }
        is_there = look_up(name, (int64_t)seconds, &found);
        JS_FreeCString(ctx, name);
    } else {
        is_there = look_up_local((int64_t)seconds, &found);
    }
    if (!is_there) {
        return JS_UNDEFINED;
    }
    JSValue pair[2] = {JS_NewInt32(ctx, found.offset_s), JS_NewString(ctx, found.abbreviation)};
    return JS_NewArrayFrom(ctx, 2, pair);
}

/* Of "../usr/share/zoneinfo/Europe/Berlin" the part behind the folder. */
static const char *behind_folder(const char *path)
{
    const char *found = strstr(path, "zoneinfo/");
    return found == NULL ? NULL : found + strlen("zoneinfo/");
}

/* zoneName() -> name of the zone of the process; undefined when nothing tells it */
static JSValue native_zone_name(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    char link[PATH_MAX];
    char path[ZONE_PATH_MAX];
    const char *name = getenv("TZ");
    (void)this_val;
    (void)argc;
    (void)argv;
    if (name == NULL) {
        ssize_t len = readlink("/etc/localtime", link, sizeof link - 1);
        link[len < 0 ? 0 : len] = '\0';
        name = behind_folder(link);
    } else if (name[0] == ':') {
        name++;
    }
    return name != NULL && zone_path(name, path) ? JS_NewString(ctx, name) : JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("zone", 2, native_zone),
    JS_CFUNC_DEF("zoneName", 0, native_zone_name),
};

int js_zone_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
