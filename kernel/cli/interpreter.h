/* SPDX-License-Identifier: MIT */
/* interpreter.h - which Python a kernel runs, found without running any: from the options, the
 * environment and the pyvenv.cfg beside it. The embedded host is one build of Python, and serves
 * that build and the virtual environments made with it; every other build is named and refused. */
#pragma once

#include <stdbool.h>

#include "base/cleanup.h"

/* The Python that this build of Pandia embeds. */
struct python_build {
    const char *path;    /* its interpreter, e.g. "/usr/bin/python3.11" */
    const char *version; /* "3.11.2" or "3.11" */
};

extern const struct python_build python_of_build;

#define INTERPRETER_ORIGIN_MAP(X)                                                                  \
    X(OPTION, "chosen with --python")                                                              \
    X(VIRTUAL_ENV, "from $VIRTUAL_ENV")                                                            \
    X(CONDA, "from $CONDA_PREFIX")                                                                 \
    X(BUILD, "the build's own")

enum interpreter_origin {

#define X(upper, text) INTERPRETER_FROM_##upper,
    INTERPRETER_ORIGIN_MAP(X)
#undef X
};

enum interpreter_state {
    INTERPRETER_SERVED,  /* of the build's own Python: the embedded host runs it */
    INTERPRETER_FOREIGN, /* another build of Python */
    INTERPRETER_MISSING  /* there is no program at that path */
};

struct interpreter {
    enum interpreter_origin origin;
    enum interpreter_state state;
    char *path;    /* absolute, symbolic links as they are */
    char *prefix;  /* folder of the virtual environment; NULL when it is none */
    char *version; /* e.g. "3.11.2"; NULL when nothing beside it tells */
};

/* Chooses: `option` (a file, or the folder of an environment), else $VIRTUAL_ENV, else
 * $CONDA_PREFIX, else the build's own. Gives `*out`, whatever its state. */
void interpreter_choose(const struct python_build *build, const char *option, char *const *env,
                        struct interpreter *out);

/* Looks at one path, e.g. one that a kernelspec recorded; its origin counts as OPTION. */
void interpreter_inspect(const struct python_build *build, const char *path,
                         struct interpreter *out);

/* Chooses for a kernel that is being started: an unfit environment around it (conda's base is
 * active in many shells) gives way to the build's own, and `*warning`, given, says so; else
 * `*warning` is NULL. What `option` names is never replaced. */
void interpreter_choose_lenient(const struct python_build *build, const char *option,
                                char *const *env, struct interpreter *out, char **warning);

/* Gives one line with what is wrong and the remedy; NULL when it is served. */
MUST_CHECK char *interpreter_problem(const struct python_build *build,
                                     const struct interpreter *in);

const char *interpreter_origin_text(enum interpreter_origin origin);

void interpreter_done(struct interpreter *in);
DEFINE_DROP_VALUE(interpreter, struct interpreter, interpreter_done)
