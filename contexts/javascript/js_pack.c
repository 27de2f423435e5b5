/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_pack.h"

#include <stdint.h>
#include <string.h>

/* Both made by js_pack_data.S. */
extern const char js_pack_prelude_begin[];
extern const char js_pack_prelude_end[];
extern const char js_pack_npm_begin[];
extern const char js_pack_npm_end[];

/* An entry: length of the name, length of the code, name, code. */
static struct slice find_in(const char *at, const char *end, struct slice name)
{
    uint32_t lengths[2];
    while ((size_t)(end - at) > sizeof lengths) {
        memcpy(lengths, at, sizeof lengths);
        at += sizeof lengths;
        if (lengths[0] == name.len && memcmp(at, name.data, name.len) == 0) {
            return (struct slice){.data = at + lengths[0], .len = lengths[1]};
        }
        at += (size_t)lengths[0] + lengths[1];
    }
    return SLICE_NONE;
}

struct slice js_pack_find(const char *name)
{
    struct slice found = find_in(js_pack_prelude_begin, js_pack_prelude_end, slice_of(name));
    return found.len > 0 ? found : find_in(js_pack_npm_begin, js_pack_npm_end, slice_of(name));
}

bool js_pack_has(const char *name)
{
    return js_pack_find(name).len > 0;
}
