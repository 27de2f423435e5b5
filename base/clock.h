/* SPDX-License-Identifier: MIT */
/* clock.h - time for deadlines (monotonic) and for people (UTC). */
#pragma once

#include <stdint.h>

#include "base/err.h"

/* Monotonic time. */
int64_t clock_ms(void);
int64_t clock_us(void);

/* Time of day, in milliseconds since the epoch. */
int64_t clock_epoch_ms(void);

/* "2026-01-31T12:00:00.123456Z" and its NUL. */
enum { CLOCK_ISO_SIZE = 28 };

/* Writes the present moment in UTC as ISO 8601 with microseconds. */
void clock_iso_utc(char out[CLOCK_ISO_SIZE]);

/* The same for a moment of clock_epoch_ms. */
void clock_iso_of(int64_t epoch_ms, char out[CLOCK_ISO_SIZE]);

/* Reads an ISO 8601 moment, to the millisecond, as what clock_epoch_ms gives; without a zone it is
 * UTC. ERR_INPUT when it is none. */
MUST_CHECK int clock_parse_iso(const char *text, int64_t *epoch_ms, struct err *e);
