/* SPDX-License-Identifier: MIT */
/* death.h - why a context ended, in words people and programs can use. */
#pragma once

#include <stdbool.h>

/* What the broker itself knows or decided, before the reaper's status says more. */
enum verdict {
    VERDICT_NONE,            /* it died by itself: the status tells */
    VERDICT_UNINTERRUPTIBLE, /* did not stop on interrupt, was killed */
    VERDICT_PROTOCOL,        /* sent what is not our protocol, was killed */
    VERDICT_TIMEOUT,         /* ran past its time, did not stop on interrupt, was killed */
    VERDICT_STOPPED,         /* asked to end: restart, delete, shutdown */
    VERDICT_NOT_STARTED      /* never became ready */
};

struct death {
    enum verdict verdict;
    bool has_status;
    int status;        /* as waitpid gives it */
    const char *ename; /* static text, e.g. "ContextCrashed" */
    char text[240];    /* e.g. "killed by SIGSEGV (Segmentation fault)" */
    bool is_told;      /* a cell ran, and its error says it to everybody */
};

/* Puts verdict and status into words. `detail` (may be NULL) is added to the text. */
void death_describe(struct death *out, enum verdict verdict, const int *status, const char *detail);
