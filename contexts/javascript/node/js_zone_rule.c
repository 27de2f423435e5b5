/* SPDX-License-Identifier: MIT */
/* js_zone_rule.c - POSIX.1-2017, 8.3, "TZ", and RFC 8536, 3.3.1. */
#include "contexts/javascript/node/js_zone_rule.h"

#include <ctype.h>

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

/* Of a rule that has a summer time and does not say when: as in America. */
static const char usual_changes[] = ",M3.2.0,M11.1.0";

/* How the day of a change is written. */
enum day_form {
    DAY_OF_MONTH, /* M3.5.0: month, week (5: the last), weekday */
    DAY_NO_LEAP,  /* J60: 1 to 365, without the 29th of February */
    DAY_OF_YEAR   /* 59: 0 to 365 */
};

struct change {
    enum day_form form;
    int month;
    int week;
    int day;
    int time_s; /* local time of that day */
};

struct rule {
    struct zone_moment standard;
    struct zone_moment summer;
    bool has_summer;
    struct change start; /* of the summer time */
    struct change end;
};

/* What is left to read. */
struct reader {
    const char *at;
    const char *end;
};

static bool skip(struct reader *r, char wanted)
{
    if (r->at == r->end || *r->at != wanted) {
        return false;
    }
    r->at++;
    return true;
}

static bool read_number(struct reader *r, int most, int *out)
{
    int number = 0;
    const char *first = r->at;
    while (r->at < r->end && isdigit((unsigned char)*r->at) && r->at - first < 3) {
        number = number * 10 + (*r->at++ - '0');
    }
    *out = number;
    return r->at > first && number <= most;
}

/* [+-]hh[:mm[:ss]] in seconds. */
static bool read_time(struct reader *r, int most_hours, int *out)
{
    int hours = 0;
    int minutes = 0;
    int seconds = 0;
    bool is_negative = skip(r, '-');
    if (!is_negative) {
        (void)skip(r, '+'); /* may be left out */
    }
    if (!read_number(r, most_hours, &hours) ||
        (skip(r, ':') &&
         (!read_number(r, 59, &minutes) || (skip(r, ':') && !read_number(r, 59, &seconds))))) {
        return false;
    }
    int time = hours * HOUR + minutes * MINUTE + seconds;
    *out = is_negative ? -time : time;
    return true;
}

static bool is_letter(char byte, bool is_quoted)
{
    return isalpha((unsigned char)byte) ||
           (is_quoted && (isdigit((unsigned char)byte) || byte == '+' || byte == '-'));
}

/* "CET", or "<-03>" where it has more than letters. */
static bool read_abbreviation(struct reader *r, char out[ZONE_ABBREVIATION_MAX])
{
    bool is_quoted = skip(r, '<');
    const char *first = r->at;
    while (r->at < r->end && is_letter(*r->at, is_quoted)) {
        r->at++;
    }
    size_t len = (size_t)(r->at - first);
    if (len < 3 || len >= ZONE_ABBREVIATION_MAX || (is_quoted && !skip(r, '>'))) {
        return false;
    }
    memcpy(out, first, len);
    out[len] = '\0';
    return true;
}

static bool read_day(struct reader *r, struct change *out)
{
    if (skip(r, 'M')) {
        out->form = DAY_OF_MONTH;
        return read_number(r, 12, &out->month) && out->month >= 1 && skip(r, '.') &&
               read_number(r, 5, &out->week) && out->week >= 1 && skip(r, '.') &&
               read_number(r, 6, &out->day);
    }
    out->form = skip(r, 'J') ? DAY_NO_LEAP : DAY_OF_YEAR;
    return read_number(r, 365, &out->day) && (out->form == DAY_OF_YEAR || out->day >= 1);
}

/* ",M3.5.0/3" */
static bool read_change(struct reader *r, struct change *out)
{
    enum { MOST_HOURS = 167 }; /* RFC 8536: a week either way */

    out->time_s = 2 * HOUR;
    return skip(r, ',') && read_day(r, out) &&
           (!skip(r, '/') || read_time(r, MOST_HOURS, &out->time_s));
}

static bool read_changes(struct reader *r, struct rule *out)
{
    struct reader usual = {usual_changes, usual_changes + sizeof usual_changes - 1};
    struct reader *from = r->at == r->end ? &usual : r;
    return read_change(from, &out->start) && read_change(from, &out->end) && r->at == r->end;
}

/* A name and how far it is behind Greenwich; summer time may leave that out. */
static bool read_rule(struct slice text, struct rule *out)
{
    enum { MOST_HOURS = 24 };

    struct reader r = {text.data, text.data + text.len};
    int behind = 0;
    if (!read_abbreviation(&r, out->standard.abbreviation) || !read_time(&r, MOST_HOURS, &behind)) {
        return false;
    }
    out->standard.offset_s = -behind;
    out->has_summer = r.at < r.end;
    if (!out->has_summer) {
        return true;
    }
    if (!read_abbreviation(&r, out->summer.abbreviation)) {
        return false;
    }
    behind -= HOUR;
    if (r.at < r.end && *r.at != ',' && !read_time(&r, MOST_HOURS, &behind)) {
        return false;
    }
    out->summer.offset_s = -behind;
    return read_changes(&r, out);
}

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Rounds down, also below zero. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Days from 1970 to the first of January. */
static int64_t days_before_year(int64_t year)
{
    int64_t last = year - 1;
    int64_t leaps = floor_div(last, 4) - floor_div(last, 100) + floor_div(last, 400);
    return 365 * (year - 1970) + leaps - 477; /* leap years before 1970 */
}

static int64_t year_of(int64_t when)
{
    int64_t days = floor_div(when, DAY);
    int64_t year = 1970 + floor_div(days * 400, 146097); /* days of 400 years; nearly right */
    while (days_before_year(year) > days) {
        year--;
    }
    while (days_before_year(year + 1) <= days) {
        year++;
    }
    return year;
}

/* Days from the first of January to the day of a change. */
static int64_t day_in_year(const struct change *c, int64_t year)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    if (c->form == DAY_OF_YEAR) {
        return c->day;
    }
    if (c->form == DAY_NO_LEAP) {
        return c->day - 1 + (is_leap(year) && c->day > before[2]);
    }
    int64_t first = before[c->month - 1] + (is_leap(year) && c->month > 2);
    int64_t length = before[c->month] - before[c->month - 1] + (is_leap(year) && c->month == 2);
    int64_t since = days_before_year(year) + first + 4; /* 1970 began with a thursday */
    int64_t weekday = since - 7 * floor_div(since, 7);
    int64_t day = (c->day - weekday + 7) % 7 + (int64_t)7 * (c->week - 1);
    return first + (day < length ? day : day - 7);
}

/* The moment of a change, when clocks show `offset_s` until then. */
static int64_t moment_of(const struct change *c, int64_t year, int32_t offset_s)
{
    return (days_before_year(year) + day_in_year(c, year)) * DAY + c->time_s - offset_s;
}

/* In the south summer begins in one year and ends in the next. */
static bool is_summer(const struct rule *rule, int64_t when)
{
    int64_t year = year_of(when + rule->standard.offset_s);
    int64_t start = moment_of(&rule->start, year, rule->standard.offset_s);
    int64_t end = moment_of(&rule->end, year, rule->summer.offset_s);
    return start < end ? when >= start && when < end : when >= start || when < end;
}

bool zone_rule_at(struct slice rule, int64_t when, struct zone_moment *out)
{
    struct rule parts = {0};
    if (!read_rule(rule, &parts)) {
        return false;
    }
    *out = parts.has_summer && is_summer(&parts, when) ? parts.summer : parts.standard;
    return true;
}
