/* SPDX-License-Identifier: MIT */
#include "mime/type.h"

/* RFC 6838 bounds each half of a name. */
enum { NAME_HALF_MAX = 127 };

static const struct mime_info types[] = {
#define X(upper, name, form, label, method)                                                        \
    [MIME_TYPE_##upper] = {name, MIME_##form, label, method},
    MIME_TYPE_MAP(X)
#undef X
};

const struct mime_info *mime_type_info(enum mime_type type)
{
    return &types[type];
}

const struct mime_info *mime_type_find(struct slice name)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (slice_is(name, types[i].name)) {
            return &types[i];
        }
    }
    return NULL;
}

/* What a name's ends say about types that are not in the table; the first match counts. */
static const struct {
    const char *prefix;
    const char *suffix;
    enum mime_form form;
} shapes[] = {
    {"", "+json", MIME_JSON},    {"text/", "", MIME_TEXT},    {"", "+xml", MIME_TEXT},
    {"image/", "", MIME_BINARY}, {"audio/", "", MIME_BINARY}, {"video/", "", MIME_BINARY},
};

static bool starts_with(struct slice s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && memcmp(s.data, prefix, len) == 0;
}

static bool ends_with(struct slice s, const char *suffix)
{
    size_t len = strlen(suffix);
    return s.len >= len && memcmp(s.data + s.len - len, suffix, len) == 0;
}

enum mime_form mime_form_of(struct slice name)
{
    if (name.len == 0) {
        return MIME_TEXT;
    }
    const struct mime_info *known = mime_type_find(name);
    if (known != NULL) {
        return known->form;
    }
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        if (starts_with(name, shapes[i].prefix) && ends_with(name, shapes[i].suffix)) {
            return shapes[i].form;
        }
    }
    return MIME_TEXT;
}

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.' || byte == '_';
}

static bool is_name_half(const char *data, size_t len)
{
    if (len == 0 || len > NAME_HALF_MAX) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (!is_name_byte(data[i])) {
            return false;
        }
    }
    return true;
}

bool mime_name_is_valid(struct slice name)
{
    const char *slash = name.len > 0 ? memchr(name.data, '/', name.len) : NULL;
    if (slash == NULL) {
        return false;
    }
    size_t first = (size_t)(slash - name.data);
    return is_name_half(name.data, first) && is_name_half(slash + 1, name.len - first - 1);
}
