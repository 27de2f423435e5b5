/* SPDX-License-Identifier: MIT */
/* place.h - where this program lies, and with it its workers and data: BIN/pandia,
 * BIN/../libexec/pandia, BIN/../share/pandia, in a build tree as in an installation.
 * Not here: which interpreter a worker serves (interpreter.h). */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "kernel/core/languages.h"

struct place {
    char *binary;  /* this program, absolute */
    char *libexec; /* folder of the workers */
    char *share;   /* folder of the kernelspec templates and other data */
};

/* Finds the place of the running program (/proc/self/exe). Gives `*out`, for place_done. */
MUST_CHECK int place_find(struct place *out, struct err *e);

/* The place that belongs to a program at `binary`. Gives `*out`. */
void place_of(const char *binary, struct place *out);

void place_done(struct place *p);
DEFINE_DROP_VALUE(place, struct place, place_done)

/* Gives the path of the language's worker, whether it is there or not. */
MUST_CHECK char *place_worker(const struct place *p, const struct language *language);

/* True when the worker is there and may be run: this build has the language. */
bool place_has(const struct place *p, const struct language *language);

/* Fails with ERR_STATE, naming file and remedy, when the language's worker cannot be run. */
MUST_CHECK int place_check(const struct place *p, const struct language *language, struct err *e);

/* Gives the folder of the language's kernelspec template. */
MUST_CHECK char *place_template(const struct place *p, const struct language *language);
