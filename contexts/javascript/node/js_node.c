/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_node.h"

#include "base/jscan.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/node/js_collate.h"
#include "contexts/javascript/node/js_fetch.h"
#include "contexts/javascript/node/js_fs.h"
#include "contexts/javascript/node/js_spawn.h"
#include "contexts/javascript/node/js_system.h"
#include "contexts/javascript/node/js_text.h"
#include "contexts/javascript/node/js_zone.h"

int js_node_install(struct js *js)
{
    static int (*const installs[])(struct js_realm *) = {
        js_fs_install,    js_text_install, js_system_install,  js_crypto_install,
        js_spawn_install, js_zone_install, js_collate_install,
#ifdef PANDIA_CURL
        js_fetch_install,
#endif

    };
    for (size_t i = 0; i < ARRAY_LEN(installs); i++) {
        if (installs[i](&js->user) < 0) {
            return -1;
        }
    }
    (void)JS_SetPropertyStr(js->user.ctx, js->user.native, "engineVersion",
                            JS_NewString(js->user.ctx, JS_GetVersion())); /* a plain object */
    js_node_restrict(js, SLICE_NONE);
    return 0;
}

void js_node_restrict(struct js *js, struct slice options)
{
    static const char *const names[] = {"network", "processes"};
    JSContext *ctx = js->user.ctx;
    if (js->worker != NULL && jscan_get(options, names[0]).len == 0 &&
        jscan_get(options, names[1]).len == 0) {
        return; /* as in the zygote; a context that changes nothing shares every page with it */
    }
    JSValue policy = JS_NewObjectProto(ctx, JS_NULL);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        bool allowed = !slice_is(jscan_get(options, names[i]), "false");
        (void)JS_SetPropertyStr(ctx, policy, names[i], JS_NewBool(ctx, allowed)); /* a new object */
    }
    (void)JS_SetPropertyStr(ctx, js->user.native, "policy", policy); /* a plain object */
}

void js_node_clear(struct js *js)
{
#ifdef PANDIA_CURL
    js_fetch_clear(js);
#else
    (void)js;
#endif
}
