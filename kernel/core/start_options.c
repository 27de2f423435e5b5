/* SPDX-License-Identifier: MIT */
#include "kernel/core/start_options.h"

#include "base/bounds.h"
#include "base/jscan.h"
#include "base/mem.h"

static bool is_javascript(const char *language)
{
    return strcmp(language, "javascript") == 0 || strcmp(language, "typescript") == 0;
}

static bool is_any(const char *language)
{
    (void)language;
    return true;
}

static bool is_flag(struct slice value)
{
    bool flag = false;
    return jscan_bool(value, &flag);
}

static bool is_permission(struct slice value)
{
    return jscan_string_is(value, "allow") || jscan_string_is(value, "deny");
}

static bool is_memory(struct slice value)
{
    int64_t bytes = 0;
    return jscan_int(value, &bytes) && bytes >= (int64_t)CONTEXT_MEMORY_MIN;
}

struct option {
    const char *name;
    bool (*is_for)(const char *language);
    const char *languages;
    bool (*is_valid)(struct slice value);
    const char *values;
};

static const struct option options[] = {
    {"rich", is_any, "all", is_flag, "true or false"},
    {"codegen", is_javascript, "javascript and typescript", is_permission,
     "\"allow\" or \"deny\" (no eval, no Function)"},
    {"memory_bytes", is_javascript, "javascript and typescript", is_memory,
     "a number of bytes, at least 1048576"},
    {"network", is_javascript, "javascript and typescript", is_flag, "true or false"},
    {"processes", is_javascript, "javascript and typescript", is_flag, "true or false"},
};

int start_options_write(struct slice content, const char *language, struct buf *out, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        const struct option *option = &options[i];
        struct slice value = jscan_get(content, option->name);
        if (jscan_kind(value) == JSCAN_NONE || jscan_kind(value) == JSCAN_NULL) {
            continue;
        }
        if (!option->is_for(language)) {
            return err_set(e, ERR_INPUT, "%s is an option of %s contexts, not of %.40s",
                           option->name, option->languages, language);
        }
        if (!option->is_valid(value)) {
            return err_set(e, ERR_INPUT, "%s must be %s", option->name, option->values);
        }
        buf_addf(out, "\"%s\": ", option->name);
        buf_add_slice(out, value);
        buf_add_text(out, ", ");
    }
    return buf_check(out, e);
}
