/* SPDX-License-Identifier: MIT */
/* specdir.h - puts finished folders into Jupyter's `kernels` folder, all or none, and takes them
 * out again. Nobody ever sees a half-written kernelspec: new ones are made in a hidden folder in
 * the same place (which has no kernel.json of its own, so Jupyter does not list it) and moved by
 * rename. Not here: what is in them (kernelspec.h). */
#pragma once

#include "base/err.h"

struct specdir_change;

/* Begins a change of `kernels`, making that folder when it is not there. Gives `*out`. */
MUST_CHECK int specdir_begin(const char *kernels, struct specdir_change **out, struct err *e);

/* Makes the empty folder that shall become `kernels/name`. Lends its present path. */
MUST_CHECK int specdir_stage(struct specdir_change *c, const char *name, const char **folder,
                             struct err *e);

/* Moves every staged folder into its place; what was there before goes. On failure all is as
 * before. */
MUST_CHECK int specdir_commit(struct specdir_change *c, struct err *e);

/* Removes what is hidden; without a commit also the folders specdir_begin made. */
void specdir_free(struct specdir_change *c);
DEFINE_DROP(specdir, struct specdir_change, specdir_free)

/* Removes `kernels/name` as one step for everybody who looks. */
MUST_CHECK int specdir_remove(const char *kernels, const char *name, struct err *e);
