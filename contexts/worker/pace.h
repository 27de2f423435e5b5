/* SPDX-License-Identifier: MIT */
/* pace.h - how long output waits for company: the first of a cell just long enough for the end of
 * the line and of a short cell, the rest longer; what user code flushes goes at once, unless it
 * does so all the time: programs that flush after every line must not make a message of every line.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct pace {
    bool fresh;       /* nothing of this execution has waited yet */
    int64_t due_us;   /* when what waits must leave; 0: nothing waits */
    int64_t sent_us;  /* when something was sent last */
    int64_t timer_us; /* when the timer will wake the flusher; 0: it is not set */
    int timer_fd;     /* owned, -1 when closed */
};

/* Without a timer: nobody is woken before pace_make_timer. */
void pace_init(struct pace *p);
void pace_close(struct pace *p);

/* Makes the timer; without one everything else still works. */
void pace_make_timer(struct pace *p);

/* A new execution begins. */
void pace_begin(struct pace *p);

/* Something begins to wait, or waits already; all that waited has been sent. */
void pace_wait(struct pace *p);
void pace_sent(struct pace *p);

/* User code asks for a flush. True when what waits is to be sent at once; else it is due soon. */
bool pace_hint(struct pace *p);

/* The timer may have woken the caller. True when what waits is due. */
bool pace_tick(struct pace *p);
