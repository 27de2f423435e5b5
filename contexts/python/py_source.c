/* SPDX-License-Identifier: MIT */
#include "contexts/python/py_source.h"

/* Offset of the first byte of a line; the length of the code when there is no such line. */
static size_t line_start(struct slice code, size_t line)
{
    size_t at = 0;
    for (size_t number = 1; number < line && at < code.len; number++) {
        while (at < code.len && code.data[at] != '\n' && code.data[at] != '\r') {
            at++;
        }
        bool both = at + 1 < code.len && code.data[at] == '\r' && code.data[at + 1] == '\n';
        at += both ? 2 : 1;
    }
    return at < code.len ? at : code.len;
}

bool source_is_quiet(struct slice code, size_t line, size_t column)
{
    if (memchr(code.data, ';', code.len) == NULL) {
        return false;
    }
    size_t at = 0;
    if (__builtin_add_overflow(line_start(code, line), column, &at)) {
        return false;
    }
    while (at < code.len &&
           (code.data[at] == ' ' || code.data[at] == '\t' || code.data[at] == '\f')) {
        at++;
    }
    return at < code.len && code.data[at] == ';';
}
