/* SPDX-License-Identifier: MIT */
/* js_engine.c - struct engine, filled in for JavaScript and TypeScript: the life of zygote and
 * context. */
#include <stdio.h>
#include <sys/resource.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "contexts/javascript/js.h"
#include "contexts/javascript/js_cell.h"
#include "contexts/javascript/js_display.h"
#include "contexts/javascript/js_env.h"
#include "contexts/javascript/js_image.h"
#include "contexts/javascript/js_input.h"
#include "contexts/javascript/js_interrupt.h"
#include "contexts/javascript/js_introspect.h"
#include "contexts/javascript/js_loop.h"
#include "contexts/javascript/js_modules.h"
#include "contexts/javascript/js_native.h"
#include "contexts/javascript/js_node.h"
#include "contexts/javascript/js_pack.h"
#include "contexts/javascript/js_random.h"
#include "contexts/javascript/js_source.h"
#include "contexts/javascript/js_typescript.h"
#include "contexts/javascript/js_value.h"
#include "contexts/wire/msg.h"

/* 8 MB are about as many calls as Node allows. Tools are called from the depth of user code. */
#define USER_STACK_BYTES   (8UL * MIB)
#define TOOLS_STACK_BYTES  (24UL * MIB)
#define SYSTEM_STACK_BYTES (64UL * MIB)

/* How much garbage may pile up before cycles are looked for, beyond what the zygote has. */
#define USER_GC_BYTES  (8UL * MIB)
#define TOOLS_GC_BYTES (64UL * MIB)

/* The kernel lets the stack of the main thread grow to the limit as it is at that moment. */
static void raise_stack_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur >= SYSTEM_STACK_BYTES) {
        return;
    }
    limit.rlim_cur = limit.rlim_max < SYSTEM_STACK_BYTES ? limit.rlim_max : SYSTEM_STACK_BYTES;
    (void)setrlimit(RLIMIT_STACK, &limit); /* less depth is all that comes of it */
}

static int keep_hooks(struct js *js)
{
    static const char *const names[JS_HOOKS] = {

#define X(upper, lower) [JS_HOOK_##upper] = #lower,
        JS_HOOK_MAP(X)
#undef X
    };
    _cleanup_(drop_js_ref) struct js_ref boot =
        JS_REF(js->user.ctx, js_realm_require(&js->user, "boot"));
    if (JS_IsException(boot.v)) {
        return -1;
    }
    for (size_t i = 0; i < JS_HOOKS; i++) {
        js->hooks[i] = JS_GetPropertyStr(js->user.ctx, boot.v, names[i]);
        if (!JS_IsFunction(js->user.ctx, js->hooks[i])) {
            JS_ThrowInternalError(js->user.ctx, "boot.js exports no %s", names[i]);
            return -1;
        }
    }
    return 0;
}

static int set_up_user(struct js *js)
{
    static int (*const installs[])(struct js_realm *) = {
        js_native_install, js_watch_install, js_typescript_install, js_display_install,
        js_image_install,  js_input_install, js_exit_install,
    };
    js_interrupt_watch(js->tools.rt);
    js_interrupt_watch(js->user.rt);
    js_rejections_watch(js);
    if (js_random_install(js) < 0 || js_modules_install(js) < 0 || js_node_install(js) < 0) {
        return -1;
    }
    for (size_t i = 0; i < ARRAY_LEN(installs); i++) {
        if (installs[i](&js->user) < 0) {
            return -1;
        }
    }
    if (js_realm_keep_globals(&js->user) < 0) {
        return -1;
    }
    return keep_hooks(js);
}

int js_set_up(struct js *js, enum js_language language, struct err *e)
{
    *js = (struct js){.language = language,
                      .reading = JS_UNDEFINED,
                      .exit = {.error = JS_UNDEFINED, .resolve = JS_UNDEFINED}};
    for (size_t i = 0; i < JS_HOOKS; i++) {
        js->hooks[i] = JS_UNDEFINED;
    }
    raise_stack_limit();
    if (js_realm_open(&js->tools, "tools", js, e) < 0 ||
        js_realm_open(&js->user, "user", js, e) < 0) {
        return -1;
    }
    if (js_introspect_install(js) < 0 || js_realm_keep_globals(&js->tools) < 0) {
        return js_realm_fail(&js->tools, e);
    }
    if (set_up_user(js) < 0) {
        return js_realm_fail(&js->user, e);
    }
    js_realm_limit(&js->tools, (struct js_realm_limits){.stack_bytes = TOOLS_STACK_BYTES,
                                                        .gc_growth_bytes = TOOLS_GC_BYTES});
    js_realm_limit(&js->user, (struct js_realm_limits){.stack_bytes = USER_STACK_BYTES,
                                                       .gc_growth_bytes = USER_GC_BYTES});
    return 0;
}

void js_done(struct js *js)
{
    if (js->user.ctx != NULL) {
        js_timers_clear(js);
        js_node_clear(js);
        js_watch_clear(js);
        js_rejections_clear(js);
        js_input_clear(js);
        js_exit_clear(js);
        for (size_t i = 0; i < JS_HOOKS; i++) {
            JS_FreeValue(js->user.ctx, js->hooks[i]);
        }
    }
    js_realm_close(&js->user);
    js_realm_close(&js->tools);
}

static void describe(void *state, struct wire_hello *hello)
{
    (void)state;
    (void)snprintf(hello->language_version, sizeof hello->language_version, "%s", JS_GetVersion());
    (void)snprintf(hello->host, sizeof hello->host, "quickjs");
}

/* Parsers are large: they are loaded when nobody waits, or by the first cell that needs them. */
static bool preload_step(void *state)
{
    struct js *js = state;
    JSContext *ctx = js->tools.ctx;
    JSValueConst argv[] = {JS_NewBool(ctx, js->language == JS_LANGUAGE_TYPESCRIPT)};
    JS_FreeValue(ctx, js_realm_call(&js->tools, "cell", "loadAhead", 1, argv));
    js_value_clear(ctx); /* the cell that needs it says what is wrong */
    return false;
}

static void after_fork_child(void *state)
{
    js_random_seed(state);
}

/* Calls a hook that takes nothing and cannot fail but for lack of memory. */
static int change(struct js *js, enum js_hook hook, struct err *e)
{
    _cleanup_(drop_js_ref) struct js_ref done =
        JS_REF(js->user.ctx, JS_Call(js->user.ctx, js->hooks[hook], JS_UNDEFINED, 0, NULL));
    return JS_IsException(done.v) ? js_realm_fail(&js->user, e) : 0;
}

/* Options beyond those of every language. The broker has checked them; a caller may be another. */
static int apply_options(struct js *js, struct slice options, struct err *e)
{
    struct slice codegen = jscan_get(options, "codegen");
    bool denied = jscan_string_is(codegen, "deny");
    (void)jscan_bool(jscan_get(options, "rich"), &js->is_rich); /* absent: it is not */
    if (codegen.len > 0 && !denied && !jscan_string_is(codegen, "allow")) {
        return err_set(e, ERR_INPUT, "codegen must be \"allow\" or \"deny\"");
    }
    if (js->is_rich && change(js, JS_HOOK_ENRICH, e) < 0) {
        return -1;
    }
    return denied ? change(js, JS_HOOK_DENY, e) : 0;
}

static int open_context(void *state, struct worker *worker, struct slice options, struct err *e)
{
    struct js *js = state;
    struct slice memory = jscan_get(options, "memory_bytes");
    int64_t bytes = 0;
    js->worker = worker;
    if (memory.len > 0 && (!jscan_int(memory, &bytes) || bytes < (int64_t)CONTEXT_MEMORY_MIN)) {
        return err_set(e, ERR_INPUT, "memory_bytes must be a number of at least %lu",
                       CONTEXT_MEMORY_MIN);
    }
    if (bytes > 0) { /* for what the context makes; what it has from the zygote comes on top */
        js_memory_limit(&js->user.memory, (size_t)bytes);
    }
    js->born_us = clock_us();
    js_node_restrict(js, options);
    return apply_options(js, options, e);
}

static void execute(void *state, const struct exec_request *request, struct exec_outcome *out)
{
    _cleanup_(drop_buf) struct buf before = BUF_INIT(SIZE_MAX); /* as large as the environment */
    js_env_borrow(request->env, &before);
    js_cell_execute(state, request, out);
    js_env_restore(&before);
}

static void is_complete(void *state, struct slice code, struct buf *reply)
{
    js_interrupt_clear();
    js_source_is_complete(state, code, reply);
}

static void complete(void *state, struct slice code, size_t cursor, struct buf *reply)
{
    js_interrupt_clear();
    js_introspect_complete(state, code, cursor, reply);
}

static void inspect(void *state, struct slice code, size_t cursor, int detail, struct buf *reply)
{
    js_interrupt_clear();
    js_introspect_inspect(state, code, cursor, detail, reply);
}

static void wait_for(void *state, int fd)
{
    js_loop_idle(state, fd);
}

const struct engine *js_engine_table(enum js_language language)
{
#define TABLE(name)                                                                                \
    {                                                                                              \
        .language = (name), .notes_sigint = true, .describe = describe,                            \
        .preload_step = preload_step, .after_fork_child = after_fork_child, .open = open_context,  \
        .execute = execute, .is_complete = is_complete, .complete = complete, .inspect = inspect,  \
        .wait = wait_for,                                                                          \
    }
    static const struct engine tables[] = {
        [JS_LANGUAGE_JAVASCRIPT] = TABLE("javascript"),
        [JS_LANGUAGE_TYPESCRIPT] = TABLE("typescript"),
    };
#undef TABLE
    return &tables[language];
}
