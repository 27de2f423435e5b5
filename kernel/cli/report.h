/* SPDX-License-Identifier: MIT */
/* report.h - a list of findings: each holds, holds with a flaw, or fails, and may have a remedy.
 * Not here: what is looked at (probes.h, cmd_doctor.c). */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/json.h"

#define FINDING_LEVEL_MAP(X)                                                                       \
    X(OK, "ok")     /* as it should be */                                                          \
    X(WARN, "warn") /* works, but something is missing */                                          \
    X(FAIL, "fail") /* something that is needed does not hold */

enum finding_level {

#define X(upper, text) FINDING_##upper,
    FINDING_LEVEL_MAP(X)
#undef X
};

struct finding {
    enum finding_level level;
    char *what;
    char *detail;
    char *remedy; /* NULL: none needed, or none known */
};

struct report {
    struct finding *items;
    size_t count;
};

/* Appends a finding; copies all texts. `remedy` may be NULL. */
void report_add(struct report *r, enum finding_level level, const char *what, const char *remedy,
                const char *format, ...) PRINTF_LIKE(5, 6);

/* The worst level in it; OK when it is empty. */
enum finding_level report_worst(const struct report *r);

/* Writes "level  what: detail" lines, each remedy on a line below. */
void report_print(const struct report *r, FILE *out);

/* Gives {"ok": ..., "findings": [{"level", "what", "detail", "remedy"}]}. */
MUST_CHECK json_t *report_json(const struct report *r);

void report_done(struct report *r);
DEFINE_DROP_VALUE(report, struct report, report_done)
