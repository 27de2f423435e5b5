/* SPDX-License-Identifier: MIT */
/* js.h - the JavaScript engine as its files see it: two realms, the cell that runs, what goes on in
 * the background. `tools` rewrites cells and knows TypeScript; user code lives in `user` and can
 * reach nothing of tools: they are two runtimes that share no object. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <quickjs.h>

#include "contexts/javascript/js_exit.h"
#include "contexts/javascript/js_origin.h"
#include "contexts/javascript/js_realm.h"
#include "contexts/javascript/js_rejections.h"
#include "contexts/javascript/js_timers.h"
#include "contexts/javascript/js_watch.h"
#include "contexts/worker/engine.h"
#include "contexts/worker/worker.h"

enum js_language { JS_LANGUAGE_JAVASCRIPT, JS_LANGUAGE_TYPESCRIPT };

/* Functions of the user realm's prelude that the engine calls; kept from before user code ran. */
#define JS_HOOK_MAP(X)                                                                             \
    X(SHOW, show)                    /* value -> text */                                           \
    X(DESCRIBE, describe)            /* error -> [name, message, text] */                          \
    X(UNCAUGHT, uncaught)            /* error, text in front -> text, none of process.exit() */    \
    X(END, end)                      /* the natural end of a program -> exit code, -1: none */     \
    X(FIRE, fire)                    /* timer */                                                   \
    X(RESOLVE_IMPORT, resolveImport) /* importing file, name -> where it leads */                  \
    X(LOAD_MODULE, loadModule)       /* where, type -> {source} or {names, values} */              \
    X(PRESENT, present)              /* value -> [type, data, type, data...] */                    \
    X(MEMBERS, members)              /* question -> names */                                       \
    X(LOOK, look)                    /* question -> facts */                                       \
    X(ENRICH, enrich)                /* results have more types from now on */                     \
    X(DENY, deny)                    /* no code from strings from now on */

enum js_hook {

#define X(upper, lower) JS_HOOK_##upper,
    JS_HOOK_MAP(X)
#undef X
        JS_HOOKS
};

struct js {
    enum js_language language;
    struct js_realm tools;
    struct js_realm user;
    JSValue hooks[JS_HOOKS];
    struct worker *worker; /* lent for life; NULL in the zygote */
    int64_t born_us;       /* clock_us() when the context began; JavaScript counts from there */
    struct js_origin origin;
    struct js_timers timers;
    struct js_watches watches;
    struct js_fetch *fetch; /* NULL until the first request */
    struct js_rejections rejections;
    struct js_exit exit;
    uint64_t cells;     /* how many have run */
    JSValue reading;    /* a promise: the cell does not end before it is settled */
    uint64_t random[4]; /* state of Math.random */
    bool is_rich;       /* results carry more than Jupyter's plain types */
    bool has_uncaught;  /* an error outside of any cell was told */
};

/* The engine that a context belongs to. */
static inline struct js *js_of(JSContext *ctx)
{
    return JS_GetContextOpaque(ctx);
}

/* Makes both realms, in the zygote. `js` must not move afterwards. */
MUST_CHECK int js_set_up(struct js *js, enum js_language language, struct err *e);

/* For tests: contexts end with their process. */
void js_done(struct js *js);
DEFINE_DROP_VALUE(js, struct js, js_done)

/* Lends the engine's table. */
const struct engine *js_engine_table(enum js_language language);
