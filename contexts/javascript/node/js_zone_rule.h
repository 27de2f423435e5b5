/* SPDX-License-Identifier: MIT */
/* js_zone_rule.h - a time zone as POSIX writes it in TZ: "CET-1CEST,M3.5.0,M10.5.0/3", with the
 * wider hours of RFC 8536. Zone files end with such a rule, for all moments after their table.
 * Pure: reads neither files nor the environment. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

enum { ZONE_ABBREVIATION_MAX = 16 };

/* What clocks show at one moment. */
struct zone_moment {
    int32_t offset_s; /* east of Greenwich */
    char abbreviation[ZONE_ABBREVIATION_MAX];
};

/* `when` is in seconds since 1970, of at most 10^13. False, with `*out` untouched, when the rule is
 * not well-formed. */
MUST_CHECK bool zone_rule_at(struct slice rule, int64_t when, struct zone_moment *out);
