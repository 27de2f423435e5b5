/* SPDX-License-Identifier: MIT */
#include "kernel/core/run_options.h"

#include <inttypes.h>

#include "base/bounds.h"
#include "base/jscan.h"

static bool is_absent(struct slice value)
{
    return jscan_kind(value) == JSCAN_NONE || jscan_kind(value) == JSCAN_NULL;
}

static int read_count(struct slice metadata, const char *key, int64_t max, int64_t *out,
                      struct err *e)
{
    struct slice value = jscan_get(metadata, key);
    if (is_absent(value)) {
        return 0;
    }
    int64_t number = 0;
    if (!jscan_int(value, &number) || number < 1 || number > max) {
        return err_set(e, ERR_INPUT, "metadata.%s must be a whole number from 1 to %" PRId64, key,
                       max);
    }
    *out = number;
    return 0;
}

static int check_variable(struct slice key, struct slice value, struct err *e)
{
    _cleanup_(drop_buf) struct buf name = BUF_INIT(MSG_FIELD_MAX);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(START_OPTIONS_MAX);
    if (jscan_string(key, &name) < 0 || name.len == 0 || strlen(buf_text(&name)) != name.len ||
        strchr(buf_text(&name), '=') != NULL) {
        return err_set(e, ERR_INPUT, "env: '%.60s' is no name of a variable", buf_text(&name));
    }
    if (jscan_kind(value) == JSCAN_NULL) {
        return 0;
    }
    if (jscan_string(value, &text) < 0 || strlen(buf_text(&text)) != text.len) {
        return err_set(e, ERR_INPUT, "env: the value of '%.60s' must be a text without NUL",
                       buf_text(&name));
    }
    return 0;
}

int run_options_check_env(struct slice env, struct err *e)
{
    struct jscan_iter it;
    struct slice key;
    struct slice value;
    if (jscan_kind(env) != JSCAN_OBJECT) {
        return err_set(e, ERR_INPUT, "env must be an object of texts");
    }
    if (env.len > START_OPTIONS_MAX / 2) {
        return err_set(e, ERR_LIMIT, "env of %zu bytes, limit %lu", env.len, START_OPTIONS_MAX / 2);
    }
    jscan_iter_init(&it, env);
    while (jscan_next(&it, &key, &value)) {
        if (check_variable(key, value, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int run_options_read(struct slice metadata, struct job_request *request, struct err *e)
{
    int64_t output_bytes = 0;
    if (read_count(metadata, "timeout_ms", TIMEOUT_MAX_MS, &request->timeout_ms, e) < 0 ||
        read_count(metadata, "queue_timeout_ms", TIMEOUT_MAX_MS, &request->queue_timeout_ms, e) <
            0 ||
        read_count(metadata, "output_bytes", INT64_MAX / 2, &output_bytes, e) < 0) {
        return -1;
    }
    request->output_bytes = (size_t)output_bytes;
    struct slice env = jscan_get(metadata, "env");
    if (is_absent(env)) {
        return 0;
    }
    if (run_options_check_env(env, e) < 0) {
        return err_wrap(e, "metadata");
    }
    request->env = env;
    return 0;
}
