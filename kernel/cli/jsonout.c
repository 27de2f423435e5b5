/* SPDX-License-Identifier: MIT */
#include "kernel/cli/jsonout.h"

#include "base/bounds.h"
#include "base/text.h"

json_t *jsonout_text(const char *text)
{
    if (text == NULL) {
        return json_null();
    }
    _cleanup_(drop_buf) struct buf repaired = BUF_INIT(CONFIG_FILE_MAX);
    (void)text_add_utf8(&repaired, slice_of(text)); /* above the ceiling: empty */
    return json_string(buf_text(&repaired));
}

void jsonout_write(FILE *out, const json_t *value)
{
    (void)json_dumpf(value, out, JSON_INDENT(2)); /* fails only with the stream */
    fprintf(out, "\n");
}
