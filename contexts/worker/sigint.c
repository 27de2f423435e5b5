/* SPDX-License-Identifier: MIT */
#include "contexts/worker/sigint.h"

static void do_nothing(int signo)
{
    (void)signo; /* system calls in progress still end with EINTR, which everyone here handles */
}

void sigint_init(struct sigint *s, enum sigint_manner manner)
{
    *s = (struct sigint){.armed = true, .steady = manner == SIGINT_STAYS};
    sigint_disarm(s);
}

void sigint_arm(struct sigint *s)
{
    if (!s->armed && !s->steady) {
        s->armed = true;
        (void)sigaction(SIGINT, &s->theirs, NULL); /* fails only for bad arguments */
    }
}

void sigint_disarm(struct sigint *s)
{
    if (s->armed && !s->steady) {
        struct sigaction quiet = {.sa_handler = do_nothing};
        s->armed = false;
        (void)sigaction(SIGINT, &quiet, &s->theirs);
    }
}
