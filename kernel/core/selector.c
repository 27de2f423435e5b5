/* SPDX-License-Identifier: MIT */
#include "kernel/core/selector.h"

#include <string.h>

#include "base/jscan.h"
#include "kernel/core/languages.h"
#include "kernel/core/options.h"

/* The first line of a raw JSON string, without the quote before it and blanks behind it. Clients
 * write these characters as themselves, never as \u escapes. */
static struct slice first_line(struct slice raw)
{
    if (raw.len < 2) {
        return SLICE_NONE;
    }
    const char *begin = raw.data + 1;
    const char *end = begin;
    const char *limit = raw.data + raw.len - 1;
    while (end < limit && *end != '\\') {
        end++;
    }
    /* Another escape than an end of line belongs to the line: then it is not one of ours. */
    if (end < limit && end[1] != 'n' && end[1] != 'r') {
        return SLICE_NONE;
    }
    while (end > begin && end[-1] == ' ') {
        end--;
    }
    return (struct slice){.data = begin, .len = (size_t)(end - begin)};
}

static void set_name(struct selection *s, enum select_by by, struct slice name)
{
    s->by = by;
    memcpy(s->name, name.data, name.len);
    s->name[name.len] = '\0';
}

/* `%%context NAME`; 0 when the line is something else. */
static int read_context_line(struct slice line, struct selection *s, struct err *e)
{
    static const char word[] = "%%context";
    size_t len = sizeof word - 1;
    if (line.len < len || memcmp(line.data, word, len) != 0 ||
        (line.len > len && line.data[len] != ' ')) {
        return 0;
    }
    struct slice name = {.data = line.data + len, .len = line.len - len};
    while (name.len > 0 && name.data[0] == ' ') {
        name.data++;
        name.len--;
    }
    if (!options_is_id(name)) {
        return err_set(e, ERR_INPUT,
                       "%%%%context: '%.*s' is no context id; use letters, digits, '.', '_', '-'",
                       (int)(name.len < 60 ? name.len : 60), name.data);
    }
    set_name(s, SELECT_ID, name);
    return 0;
}

/* Whether nothing but blanks stands between a line and the quote that ends its text. */
static bool ends_with(struct slice raw, struct slice line)
{
    const char *rest = line.data + line.len;
    while (*rest == ' ') {
        rest++;
    }
    return rest == raw.data + raw.len - 1;
}

static int read_line(struct slice content, struct selection *s, struct err *e)
{
    struct slice raw = jscan_get(content, "code");
    if (jscan_kind(raw) != JSCAN_STRING) {
        return 0;
    }
    struct slice line = first_line(raw);
    if (line.len == 0) {
        return 0;
    }
    const struct language *language = language_of_line(line);
    if (language != NULL) {
        set_name(s, SELECT_LANGUAGE, slice_of(language->name));
    } else if (read_context_line(line, s, e) < 0) {
        return -1;
    }
    if (s->by != SELECT_DEFAULT) {
        s->line_at = (size_t)(line.data - content.data);
        s->line_len = line.len;
        s->is_bare = ends_with(raw, line);
    }
    return 0;
}

int selector_read(struct slice context, struct slice content, struct selection *out, struct err *e)
{
    struct selection s = {.by = SELECT_DEFAULT};
    if (read_line(content, &s, e) < 0) {
        return -1;
    }
    if (s.by == SELECT_DEFAULT && context.len > 0) {
        set_name(&s, SELECT_ID, context);
    }
    *out = s;
    return 0;
}

void selector_blank(const struct selection *selection, char *content)
{
    if (selection->line_len > 0) {
        memset(content + selection->line_at, ' ', selection->line_len);
    }
}
