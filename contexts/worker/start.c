/* SPDX-License-Identifier: MIT */
/* start.c - what START says about a new context, as far as every language needs it:
 *   {"context": id, "cwd": path?, "env": {name: text or null}?}
 * Engines get the same text and take what is theirs. */
#include <limits.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "contexts/worker/state.h"

/* Decodes a string that the system can take: without NULs. */
static int read_text(struct slice value, struct buf *out, const char *what, struct err *e)
{
    buf_clear(out);
    if (jscan_string(value, out) < 0 || strlen(buf_text(out)) != out->len) {
        return err_set(e, ERR_INPUT, "%s must be a string without NULs", what);
    }
    return 0;
}

static int enter_directory(struct slice value, struct err *e)
{
    _cleanup_(drop_buf) struct buf path = BUF_INIT(PATH_MAX);
    if (read_text(value, &path, "cwd", e) < 0) {
        return -1;
    }
    if (chdir(buf_text(&path)) < 0) {
        return err_sys(e, "cwd '%s'", buf_text(&path));
    }
    return 0;
}

/* Appends the text of `value`, which the system must be able to take. */
static int add_text(struct slice value, struct buf *block, const char *what, struct err *e)
{
    size_t start = block->len;
    if (jscan_string(value, block) < 0 ||
        memchr(buf_text(block) + start, '\0', block->len - start) != NULL) {
        return err_set(e, ERR_INPUT, "%s must be a string without NULs", what);
    }
    return 0;
}

/* Appends "NAME=value" with its NUL to `block`; a null unsets the variable at once. */
static int add_variable(struct slice key, struct slice value, struct buf *block, struct err *e)
{
    size_t start = block->len;
    if (add_text(key, block, "a name in env", e) < 0) {
        return -1;
    }
    const char *name = buf_text(block) + start;
    if (block->len == start || strchr(name, '=') != NULL) {
        return err_set(e, ERR_INPUT, "env '%s': a name is not empty and has no '='", name);
    }
    if (jscan_kind(value) == JSCAN_NULL) {
        int failed = unsetenv(name);
        buf_truncate(block, start);
        return failed < 0 ? err_sys(e, "unsetenv") : 0;
    }
    buf_add_byte(block, '=');
    if (add_text(value, block, "a value in env", e) < 0) {
        return -1;
    }
    buf_add_byte(block, '\0');
    return buf_check(block, e);
}

/* Hands all of the block to the environment, which keeps it. */
static int put_variables(struct buf *block, struct err *e)
{
    size_t len = block->len;
    char *at = buf_take(block);
    for (char *end = at + len; at < end; at += strlen(at) + 1) {
        if (putenv(at) != 0) {
            return err_sys(e, "env '%s'", at);
        }
    }
    return 0;
}

/* In one block: setenv would put each text into another hole of the zygote's heap, and the context
 * would have a page of its own for each of them. */
static int set_environment(struct slice object, struct err *e)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    if (jscan_kind(object) != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "env must be an object");
    }
    _cleanup_(drop_buf) struct buf block = BUF_INIT(START_OPTIONS_MAX);
    (void)buf_reserve(&block, object.len); /* one piece, in most cases */
    jscan_iter_init(&it, object);
    while (jscan_next(&it, &key, &value)) {
        if (add_variable(key, value, &block, e) < 0) {
            return -1;
        }
    }
    return block.len > 0 ? put_variables(&block, e) : 0;
}

int start_apply(struct slice options, struct err *e)
{
    if (options.len == 0) {
        return 0;
    }
    if (jscan_check(options, JSCAN_LENIENT, JSON_DEPTH_MAX, e) < 0) {
        return err_wrap(e, "options");
    }
    struct slice cwd = jscan_get(options, "cwd");
    struct slice env = jscan_get(options, "env");
    if (cwd.len > 0 && jscan_kind(cwd) != JSCAN_NULL && enter_directory(cwd, e) < 0) {
        return -1;
    }
    if (env.len > 0 && jscan_kind(env) != JSCAN_NULL && set_environment(env, e) < 0) {
        return -1;
    }
    return 0;
}
