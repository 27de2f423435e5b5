/* SPDX-License-Identifier: MIT */
/* preload.h - the warm zygote's work before its hello: loads a list of modules, one by one, and
 * reports to the broker how each fares. A module that fails is left out; one that would make forks
 * unsafe ends the process, and the broker starts another without it.
 * Not here: what loading means (the engine), who is started again (pool/nursery.h). */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct preload_loader {
    /* Loads one module; false with the reason in `why`. */
    bool (*load)(void *state, const char *module, struct buf *why);
    /* Waits so long that threads of the language can come to their end. May be NULL. */
    void (*rest)(void *state, int ms);
    /* Appends the names of the language's threads, comma-separated. May be NULL. */
    void (*name_threads)(void *state, struct buf *names);
};

/* Loads the comma-separated `list`. Returns 0, or -1 when this process may not go on to fork: the
 * broker knows why. */
MUST_CHECK int preload_run(const struct preload_loader *loader, void *state, const char *list);

/* Keeps what contexts allocate together: takes the free pieces that lie between used ones in the
 * heap, for good. A context would be given them first, and each piece it writes to costs it a page
 * that it shared with the zygote. What it allocates then comes from the end of the heap, side by
 * side. For every zygote, once, when it has loaded everything; with another malloc than glibc's it
 * does nothing. */
void holes_fill(void);
