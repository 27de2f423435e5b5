/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_zone.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_value.h"

#define ZONES "/usr/share/zoneinfo/"

enum { ZONE_NAME_MAX = 64 };

/* A name of the data, and nothing that leads out of its folder. */
static bool is_zone(const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    char path[sizeof ZONES + ZONE_NAME_MAX];
    size_t len = strlen(name);
    if (len == 0 || len >= ZONE_NAME_MAX || name[0] == '/' || name[len - 1] == '/' ||
        strspn(name, letters) != len) {
        return false;
    }
    (void)snprintf(path, sizeof path, ZONES "%s", name);
    return access(path, R_OK) == 0;
}

/* The variable TZ is the only way in to the library's zones. The other thread that a context may
 * have, the flusher, looks at neither. */
static void set_zone(const char *name)
{
    if (name == NULL) {
        (void)unsetenv("TZ"); /* cannot fail for this name */
    } else {
        (void)setenv("TZ", name, 1); /* without memory the zone stays */
    }
    tzset();
}

/* [offset in seconds, abbreviation] of a moment. */
static JSValue describe(JSContext *ctx, time_t when)
{
    struct tm parts;
    if (localtime_r(&when, &parts) == NULL) {
        return JS_UNDEFINED;
    }
    JSValue pair[2] = {JS_NewInt64(ctx, parts.tm_gmtoff), JS_NewString(ctx, parts.tm_zone)};
    return JS_NewArrayFrom(ctx, 2, pair);
}

/* zone(name, seconds) -> [offset in seconds, abbreviation]; undefined: there is no such zone.
 * Without a name it is the zone of the process. */
static JSValue native_zone(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    double seconds = 0;
    (void)this_val;
    (void)argc; /* the prelude always gives both */
    if (JS_ToFloat64(ctx, &seconds, argv[1]) < 0) {
        return JS_EXCEPTION;
    }
    time_t when = (time_t)seconds;
    if (!JS_IsString(argv[0])) {
        return describe(ctx, when);
    }
    const char *name = JS_ToCString(ctx, argv[0]);
    if (name == NULL || !is_zone(name)) {
        JS_FreeCString(ctx, name);
        return name == NULL ? JS_EXCEPTION : JS_UNDEFINED;
    }
    const char *before = getenv("TZ");
    _cleanup_(drop_free) char *kept = before == NULL ? NULL : xstrdup(before);
    set_zone(name);
    JSValue found = describe(ctx, when);
    set_zone(kept);
    JS_FreeCString(ctx, name);
    return found;
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
    return name != NULL && is_zone(name) ? JS_NewString(ctx, name) : JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("zone", 2, native_zone),
    JS_CFUNC_DEF("zoneName", 0, native_zone_name),
};

int js_zone_install(struct js_realm *r)
{
    return js_native_add(r, functions, ARRAY_LEN(functions));
}
