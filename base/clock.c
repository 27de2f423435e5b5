/* SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <stdio.h>
#include <time.h>

int64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

/* Writes `value` as `width` decimal digits. Every message carries a date, and printf would be
 * the dearest part of making it. */
static void put_digits(char *out, int width, long value)
{
    for (int i = width - 1; i >= 0; i--) {
        out[i] = (char)('0' + value % 10);
        value /= 10;
    }
}

int64_t clock_epoch_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void put_iso(const struct timespec *when, char out[CLOCK_ISO_SIZE])
{
    struct tm tm;
    gmtime_r(&when->tv_sec, &tm);

    static const char shape[CLOCK_ISO_SIZE] = "YYYY-MM-DDTHH:MM:SS.uuuuuuZ";
    for (int i = 0; i < CLOCK_ISO_SIZE; i++) {
        out[i] = shape[i];
    }
    put_digits(out, 4, tm.tm_year + 1900L);
    put_digits(out + 5, 2, tm.tm_mon + 1L);
    put_digits(out + 8, 2, tm.tm_mday);
    put_digits(out + 11, 2, tm.tm_hour);
    put_digits(out + 14, 2, tm.tm_min);
    put_digits(out + 17, 2, tm.tm_sec);
    put_digits(out + 20, 6, when->tv_nsec / 1000);
}

void clock_iso_utc(char out[CLOCK_ISO_SIZE])
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    put_iso(&now, out);
}

void clock_iso_of(int64_t epoch_ms, char out[CLOCK_ISO_SIZE])
{
    struct timespec when = {.tv_sec = epoch_ms / 1000, .tv_nsec = epoch_ms % 1000 * 1000000};
    put_iso(&when, out);
}

/* The digits behind the point, to the millisecond; moves `*text` behind the last one. */
static int64_t parse_fraction(const char **text)
{
    int64_t ms = 0;
    if (**text != '.') {
        return 0;
    }
    (*text)++;
    for (int64_t unit = 100; **text >= '0' && **text <= '9'; unit /= 10) {
        ms += (**text - '0') * unit;
        (*text)++;
    }
    return ms;
}

int clock_parse_iso(const char *text, int64_t *epoch_ms, struct err *e)
{
    struct tm day = {0};
    struct tm zone = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &day);
    if (rest == NULL) {
        return err_set(e, ERR_INPUT, "'%.60s' is no date in the form of ISO 8601", text);
    }
    int64_t ms = parse_fraction(&rest);
    if (*rest != '\0') {
        rest = strptime(rest, "%z", &zone);
    }
    if (rest == NULL || *rest != '\0') {
        return err_set(e, ERR_INPUT, "'%.60s' has something else than a zone at its end", text);
    }
    *epoch_ms = ((int64_t)timegm(&day) - zone.tm_gmtoff) * 1000 + ms;
    return 0;
}
