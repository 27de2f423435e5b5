/* SPDX-License-Identifier: MIT */
/* spawn.h - starts a zygote program: exec'ed, with two descriptors, /dev/null as input and an
 * allow-listed environment. Not here: what it says afterwards (zygote.h). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct spawn_request {
    const char *path;
    const char *const *argv; /* NULL-terminated, argv[0] included */
    int control_fd;          /* becomes descriptor 3 */
    int lifeline_fd;         /* becomes descriptor 4 */
    int output_fd;           /* becomes descriptors 1 and 2 */
    size_t descriptor_limit; /* its soft limit of open descriptors; 0: ours */
};

/* Borrows everything. Gives the pid, a child of this process. */
MUST_CHECK int spawn_program(const struct spawn_request *request, pid_t *out, struct err *e);

/* May a zygote see the environment variable `entry` ("NAME=value")? */
bool spawn_env_allowed(const char *entry);
