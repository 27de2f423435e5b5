/* SPDX-License-Identifier: MIT */
#include "contexts/pool/death.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static const char *verdict_text(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_NONE:
        return "";
    case VERDICT_UNINTERRUPTIBLE:
        return "did not react to interrupts and was killed";
    case VERDICT_PROTOCOL:
        return "broke the worker protocol and was killed";
    case VERDICT_TIMEOUT:
        return "ran past its time, did not react to interrupts and was killed";
    case VERDICT_STOPPED:
        return "was stopped on request";
    case VERDICT_NOT_STARTED:
        return "could not be started";
    }
    return "";
}

static const char *verdict_ename(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_NONE:
        return "ContextCrashed";
    case VERDICT_UNINTERRUPTIBLE:
        return "ContextKilled";
    case VERDICT_PROTOCOL:
        return "ContextProtocolError";
    case VERDICT_TIMEOUT:
        return "TimeoutError";
    case VERDICT_STOPPED:
        return "ContextStopped";
    case VERDICT_NOT_STARTED:
        return "ContextNotStarted";
    }
    return "ContextCrashed";
}

static void describe_status(struct death *d)
{
    if (!d->has_status) {
        (void)snprintf(d->text, sizeof d->text, "ended, and its status could not be had");
    } else if (WIFSIGNALED(d->status)) {
        int signo = WTERMSIG(d->status);
        const char *abbrev = sigabbrev_np(signo);
        const char *words = sigdescr_np(signo);
        (void)snprintf(d->text, sizeof d->text, "killed by SIG%s (%s)", abbrev ? abbrev : "?",
                       words ? words : "unknown signal");
    } else {
        d->ename = "ContextExited";
        (void)snprintf(d->text, sizeof d->text, "the process ended with exit status %d",
                       WEXITSTATUS(d->status));
    }
}

void death_describe(struct death *out, enum verdict verdict, const int *status, const char *detail)
{
    *out = (struct death){.verdict = verdict,
                          .has_status = status != NULL,
                          .status = status ? *status : 0,
                          .ename = verdict_ename(verdict)};
    if (verdict == VERDICT_NONE) {
        describe_status(out);
    } else {
        (void)snprintf(out->text, sizeof out->text, "the context %s", verdict_text(verdict));
    }
    if (detail != NULL && detail[0] != '\0') {
        size_t used = strlen(out->text);
        (void)snprintf(out->text + used, sizeof out->text - used, ": %s", detail);
    }
}
