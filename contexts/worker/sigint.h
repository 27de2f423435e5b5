/* SPDX-License-Identifier: MIT */
/* sigint.h - SIGINT counts only while a cell runs. Between cells a handler that does nothing takes
 * its place: an interrupt that comes a moment too late must not hit the next cell. It is a handler
 * and not SIG_IGN, which programs started by the context would inherit. */
#pragma once

#include <signal.h>
#include <stdbool.h>

struct sigint {
    struct sigaction theirs; /* what the language, or user code, wants while a cell runs */
    bool armed;
};

/* Keeps the present disposition as the language's, and disarms. */
void sigint_init(struct sigint *s);

void sigint_arm(struct sigint *s);

/* What user code set meanwhile is kept for the next cell. */
void sigint_disarm(struct sigint *s);
