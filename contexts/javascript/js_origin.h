/* SPDX-License-Identifier: MIT */
/* js_origin.h - whom code works for: the cell that runs, or the one that started the timer, process
 * or request which calls it now. What it prints goes there; an interrupt of that cell ends it. */
#pragma once

#include <stdint.h>

struct js_origin {
    uint64_t cell; /* counts executions */
    uint64_t exec; /* their number for the worker; LATEST_EXEC: of a silent one */
};
