/* SPDX-License-Identifier: MIT */
/* kernelspec.h - what is in a kernelspec: making one from its template, and reading one back.
 * `metadata.pandia` in kernel.json is the mark by which we know our own.
 * Not here: putting the folder in its place (specdir.h), where that is (jupyter_paths.h). */
#pragma once

#include "base/err.h"

/* What a new kernelspec shall say. Borrows all. */
struct kernelspec_order {
    const char *template_folder;
    const char *program;      /* argv[0]: this binary, absolute */
    const char *language;     /* e.g. "python" */
    const char *python;       /* interpreter to record; NULL: none */
    const char *preload;      /* modules, comma-separated; NULL: none */
    const char *display_name; /* NULL: the template's */
};

/* Fills the empty folder `folder`: the template's files, and kernel.json tailored to the order. */
MUST_CHECK int kernelspec_fill(const struct kernelspec_order *order, const char *folder,
                               struct err *e);

/* What an own kernelspec says; members are NULL where it does not. */
struct kernelspec {
    char *display_name;
    char *program;
    char *language;
    char *version; /* of the pandia that wrote it */
    char *python;  /* interpreter recorded */
};

enum kernelspec_owner {
    KERNELSPEC_ABSENT, /* nothing has that name */
    KERNELSPEC_OURS,
    KERNELSPEC_FOREIGN /* somebody else's, or no kernelspec at all */
};

/* Says whose the folder is; for an own one gives `*out` (which may be NULL). */
enum kernelspec_owner kernelspec_read(const char *folder, struct kernelspec *out);

void kernelspec_done(struct kernelspec *k);
DEFINE_DROP_VALUE(kernelspec, struct kernelspec, kernelspec_done)
