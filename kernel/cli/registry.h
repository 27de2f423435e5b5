/* SPDX-License-Identifier: MIT */
/* registry.h - the pandia kernels that are registered with Jupyter, wherever it looks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "kernel/cli/interpreter.h"
#include "kernel/cli/kernelspec.h"

struct registered {
    char *name; /* of the kernel, as Jupyter knows it */
    char *folder;
    struct kernelspec spec;
    bool shadowed;        /* a kernel of that name stands earlier in the search */
    bool program_ok;      /* its argv[0] can be run */
    char *python_problem; /* interpreter_problem of the recorded one; NULL: none, or served */
};

struct registry {
    struct registered *items; /* in the order of the search, then by name */
    size_t count;
};

/* Looks through the folders of `env`. Gives `*out`. */
void registry_read(const struct python_build *build, char *const *env, struct registry *out);

void registry_done(struct registry *r);
DEFINE_DROP_VALUE(registry, struct registry, registry_done)

/* Gives the list as a JSON array. */
MUST_CHECK json_t *registry_json(const struct registry *r);
