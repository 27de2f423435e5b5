/* SPDX-License-Identifier: MIT */
/* jupyter_paths.h - where Jupyter keeps and looks for kernelspecs, by jupyter_core's rules on
 * Linux. Not here: what is in a kernelspec (kernelspec.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "kernel/cli/options.h"
#include "kernel/cli/words.h"

/* The place a user asked for; at most one of the three. */
struct jupyter_where {
    bool user;
    bool sys_prefix;
    const char *prefix;
};

/* The three options of it, for a values struct `type` whose member `where` is the above. */
#define JUPYTER_WHERE_OPTIONS(type)                                                                \
    {.name = "user",                                                                               \
     .kind = OPTION_FLAG,                                                                          \
     .help = "For this user: $JUPYTER_DATA_DIR, else ~/.local/share/jupyter (the default).",       \
     .offset = offsetof(type, where.user)},                                                        \
        {.name = "prefix",                                                                         \
         .kind = OPTION_TEXT,                                                                      \
         .argument = "DIR",                                                                        \
         .help = "In DIR/share/jupyter.",                                                          \
         .offset = offsetof(type, where.prefix)},                                                  \
    {                                                                                              \
        .name = "sys-prefix", .kind = OPTION_FLAG,                                                 \
        .help = "In the active environment: $VIRTUAL_ENV, else $CONDA_PREFIX.",                    \
        .offset = offsetof(type, where.sys_prefix)                                                 \
    }

/* Gives the folder `kernels` of that place, absolute; it need not exist. ERR_INPUT when the
 * choice is contradictory or has nothing to stand on. */
MUST_CHECK int jupyter_kernels_folder(const struct jupyter_where *where, char *const *env,
                                      char **out, struct err *e);

/* Adds to `out` every `kernels` folder that Jupyter searches from here, first wins. */
void jupyter_search(char *const *env, struct words *out);

/* Accepts Jupyter's kernel names ([A-Za-z0-9._-]+); gives the lower-case form it files them by. */
MUST_CHECK int jupyter_kernel_name(const char *name, char **out, struct err *e);
