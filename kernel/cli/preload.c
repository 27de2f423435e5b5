/* SPDX-License-Identifier: MIT */
#include "kernel/cli/preload.h"

#include <ctype.h>
#include <string.h>

#include "base/bounds.h"
#include "base/buf.h"
#include "base/mem.h"

/* Words of letters, digits and underscores, joined by dots; none begins with a digit. Python allows
 * other letters too, but no package is called so. */
static bool is_module_name(const char *name)
{
    bool first = true; /* of a word */
    for (const char *c = name; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        if (*c == '.' && !first) {
            first = true;
        } else if (byte < 0x80 && (isalpha(byte) || *c == '_' || (isdigit(byte) && !first))) {
            first = false;
        } else {
            return false;
        }
    }
    return !first;
}

static int add(const char *name, struct words *out, struct err *e)
{
    if (!is_module_name(name) || strlen(name) > MODULE_NAME_MAX) {
        return err_set(e, ERR_INPUT,
                       "--preload: '%.80s' is no module name: write --preload numpy,pandas", name);
    }
    if (words_has(out, name)) {
        return 0;
    }
    if (out->count >= PRELOAD_MAX) {
        return err_set(e, ERR_INPUT, "--preload: more than %lu modules: leave some out",
                       PRELOAD_MAX);
    }
    words_add(out, name);
    return 0;
}

int preload_parse(const struct words *given, struct words *out, struct err *e)
{
    for (size_t i = 0; i < given->count; i++) {
        _cleanup_(drop_free) char *list = xstrdup(given->items[i]);
        char *rest = list;
        for (char *name = strsep(&rest, ","); name != NULL; name = strsep(&rest, ",")) {
            if (add(name, out, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

char *preload_join(const struct words *names)
{
    struct buf list = BUF_INIT(PRELOAD_MAX * (MODULE_NAME_MAX + 1));
    for (size_t i = 0; i < names->count; i++) {
        buf_addf(&list, "%s%s", i > 0 ? "," : "", names->items[i]);
    }
    return buf_take(&list);
}
