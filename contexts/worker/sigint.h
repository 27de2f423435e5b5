/* SPDX-License-Identifier: MIT */
/* sigint.h - SIGINT counts only while a cell runs. Between cells a handler that does nothing takes
 * its place: an interrupt that comes a moment too late must not hit the next cell. It is a handler
 * and not SIG_IGN, which programs started by the context would inherit.
 * A language whose own handler only notes the signal, and which forgets the note when a request
 * begins, needs no such change: its handler stays, and a cell costs two system calls less. */
#pragma once

#include <signal.h>
#include <stdbool.h>

struct sigint {
    struct sigaction theirs; /* what the language, or user code, wants while a cell runs */
    bool armed;
    bool steady; /* the language's handler stays in place */
};

enum sigint_manner { SIGINT_CHANGES, SIGINT_STAYS };

/* Keeps the present disposition as the language's, and disarms. */
void sigint_init(struct sigint *s, enum sigint_manner manner);

void sigint_arm(struct sigint *s);

/* What user code set meanwhile is kept for the next cell. */
void sigint_disarm(struct sigint *s);
