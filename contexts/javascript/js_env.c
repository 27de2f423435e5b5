/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_env.h"

#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"
#include "base/jscan.h"

static bool is_remembered(const char *name, const struct buf *before)
{
    size_t len = strlen(name);
    const char *end = buf_text(before) + before->len;
    for (const char *at = buf_text(before); at < end; at += strlen(at) + 1) {
        if (strncmp(at, name, len) == 0 && (at[len] == '=' || at[len] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Appends "NAME=value" or, of a variable that is not set, "NAME", with its NUL. */
static void remember(const char *name, struct buf *before)
{
    const char *value = getenv(name);
    if (is_remembered(name, before)) {
        return; /* JSON may name a thing twice; the first memory is the true one */
    }
    buf_add_text(before, name);
    if (value != NULL) {
        buf_add_byte(before, '=');
        buf_add_text(before, value);
    }
    buf_add_byte(before, '\0');
}

void js_env_borrow(struct slice object, struct buf *before)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(START_OPTIONS_MAX);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(START_OPTIONS_MAX);
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    jscan_iter_init(&it, object);
    while (jscan_next(&it, &key, &value)) {
        buf_clear(&name);
        buf_clear(&text);
        if (jscan_string(key, &name) < 0) {
            continue; /* cannot be: their sender has the same ceiling */
        }
        remember(buf_text(&name), before);
        if (jscan_string(value, &text) == 0) {
            (void)setenv(buf_text(&name), buf_text(&text), 1); /* names were checked */
        } else {
            (void)unsetenv(buf_text(&name)); /* as above */
        }
    }
}

void js_env_restore(const struct buf *before)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(START_OPTIONS_MAX);
    size_t entry_len = 0;
    for (size_t at = 0; at < before->len; at += entry_len + 1) {
        const char *entry = buf_text(before) + at;
        const char *value = strchr(entry, '=');
        entry_len = strlen(entry);
        if (value == NULL) {
            (void)unsetenv(entry); /* it was a name before */
            continue;
        }
        buf_clear(&name);
        buf_add(&name, entry, (size_t)(value - entry));
        (void)setenv(buf_text(&name), value + 1, 1); /* as above */
    }
}
