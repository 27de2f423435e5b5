/* SPDX-License-Identifier: MIT */
#include "contexts/worker/sigint.h"

static void do_nothing(int signo)
{
    (void)signo; /* system calls in progress still end with EINTR, which everyone here handles */
}

void sigint_init(struct sigint *s)
{
    *s = (struct sigint){.armed = true};
    sigint_disarm(s);
}

void sigint_arm(struct sigint *s)
{
    if (!s->armed) {
        s->armed = true;
        (void)sigaction(SIGINT, &s->theirs, NULL); /* fails only for bad arguments */
    }
}

void sigint_disarm(struct sigint *s)
{
    if (s->armed) {
        struct sigaction quiet = {.sa_handler = do_nothing};
        s->armed = false;
        (void)sigaction(SIGINT, &quiet, &s->theirs);
    }
}
