/* SPDX-License-Identifier: MIT */
/* js_zone_file.h - the content of a file of /usr/share/zoneinfo (TZif, RFC 8536, versions 1 to 4).
 * Pure. The files may be anything: every count and index is checked against the bytes there are. */
#pragma once

#include "contexts/javascript/node/js_zone_rule.h"

/* `when` is in seconds since 1970, of at most 10^13. False, with `*out` untouched, when the bytes
 * are no such file. */
MUST_CHECK bool zone_file_at(struct slice file, int64_t when, struct zone_moment *out);
