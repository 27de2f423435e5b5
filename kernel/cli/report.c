/* SPDX-License-Identifier: MIT */
#include "kernel/cli/report.h"

#include <stdarg.h>

#include "base/mem.h"
#include "kernel/cli/jsonout.h"

static const char *level_text(enum finding_level level)
{
    switch (level) {
#define X(upper, text)                                                                             \
    case FINDING_##upper:                                                                          \
        return text;
        FINDING_LEVEL_MAP(X)
#undef X
    }
    return "";
}

void report_add(struct report *r, enum finding_level level, const char *what, const char *remedy,
                const char *format, ...)
{
    char *detail = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&detail, format, args) < 0) {
        abort(); /* out of memory, as in mem.h */
    }
    va_end(args);
    r->items = xrealloc(r->items, r->count + 1, sizeof *r->items);
    r->items[r->count] = (struct finding){.level = level,
                                          .what = xstrdup(what),
                                          .detail = detail,
                                          .remedy = remedy != NULL ? xstrdup(remedy) : NULL};
    r->count += 1;
}

enum finding_level report_worst(const struct report *r)
{
    enum finding_level worst = FINDING_OK;
    for (size_t i = 0; i < r->count; i++) {
        worst = r->items[i].level > worst ? r->items[i].level : worst;
    }
    return worst;
}

void report_print(const struct report *r, FILE *out)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct finding *f = &r->items[i];
        fprintf(out, "%-4s  %s: %s\n", level_text(f->level), f->what, f->detail);
        if (f->remedy != NULL) {
            fprintf(out, "      remedy: %s\n", f->remedy);
        }
    }
}

json_t *report_json(const struct report *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->count; i++) {
        const struct finding *f = &r->items[i];
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o}", "level", level_text(f->level),
                                              "what", jsonout_text(f->what), "detail",
                                              jsonout_text(f->detail), "remedy",
                                              jsonout_text(f->remedy))); /* steals */
    }
    return json_pack("{s:b, s:o}", "ok", report_worst(r) != FINDING_FAIL, "findings", list);
}

void report_done(struct report *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->items[i].what);
        free(r->items[i].detail);
        free(r->items[i].remedy);
    }
    free(r->items);
    *r = (struct report){0};
}
