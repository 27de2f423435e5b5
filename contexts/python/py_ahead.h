/* SPDX-License-Identifier: MIT */
/* py_ahead.h - what a zygote loads before anybody asks, so that contexts need not, and how it
 * keeps its memory shared. */
#pragma once

#include "contexts/python/py.h"

/* One step while the zygote is idle; false when none is left. */
bool py_ahead_step(struct py *py);

/* After all loading: collects what it left, then freezes. */
void py_ahead_settle(struct py *py);

/* Before a fork: objects that exist now are left alone by the collector of every context, which
 * would otherwise write to, and so copy, all of their pages. */
void py_ahead_freeze(struct py *py);
