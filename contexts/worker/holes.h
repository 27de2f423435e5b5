/* SPDX-License-Identifier: MIT */
/* holes.h - keeps what contexts allocate together. */
#pragma once

/* Takes the free pieces that lie between used ones in the heap, for good: a context would be given
 * them first, and each piece it writes to costs it a page that it shared with the zygote. What it
 * allocates then comes from the end of the heap, side by side. For the zygote, once, when it has
 * loaded everything; with another malloc than glibc's it does nothing. */
void holes_fill(void);
