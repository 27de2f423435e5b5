/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"

enum { LINE_SIZE = 1024 };

/* The sink is process-wide on purpose: it is set once at start, and handing it to every
 * function that may ever log would put it into every signature. */
static struct {
    enum log_level level;
    int fd;
} sink = {.level = LOG_LEVEL_WARN, .fd = STDERR_FILENO};

static const char *const level_names[] = {"error", "warn", "info", "debug"};

int log_level_parse(const char *name, enum log_level *out)
{
    for (size_t i = 0; i < ARRAY_LEN(level_names); i++) {
        if (strcmp(name, level_names[i]) == 0) {
            *out = (enum log_level)i;
            return 0;
        }
    }
    return -1;
}

void log_set_level(enum log_level level)
{
    sink.level = level;
}

void log_set_fd(int fd)
{
    sink.fd = fd;
}

/* A peer's text must not be able to start a new line or colour the terminal. */
static void defuse(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            *text = '?';
        }
    }
}

/* Formats the fields twice, the second time with the format's own quotes replaced: a quote that is
 * there both times came with a value, and could forge fields; it becomes a single one. */
PRINTF_LIKE(3, 0) static void add_fields(char *out, size_t size, const char *fields, va_list args)
{
    char format[LINE_SIZE];
    char marked[LINE_SIZE];
    size_t len = strlen(fields);
    assert(len < sizeof format && size <= sizeof marked);
    for (size_t i = 0; i <= len; i++) {
        format[i] = fields[i] == '"' ? '?' : fields[i];
    }
    va_list again;
    va_copy(again, args);
    (void)vsnprintf(out, size, fields, args); /* cut lines are fine */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* it differs from `fields` in quotes only */
    (void)vsnprintf(marked, size, format, again);
#pragma GCC diagnostic pop
    va_end(again);
    for (size_t i = 0; out[i] != '\0'; i++) {
        if (out[i] == '"' && marked[i] == '"') {
            out[i] = '\'';
        }
    }
}

void log_line(enum log_level level, const char *mod, const char *msg, const char *fields, ...)
{
    if (level > sink.level) {
        return;
    }
    char ts[CLOCK_ISO_SIZE];
    char line[LINE_SIZE];
    clock_iso_utc(ts);
    int n = snprintf(line, sizeof line - 1, "ts=%s lvl=%s mod=%s msg=\"%s\" ", ts,
                     level_names[level], mod, msg);
    size_t used = n < 0 ? 0 : (size_t)n < sizeof line - 2 ? (size_t)n : sizeof line - 2;

    va_list args;
    va_start(args, fields);
    add_fields(line + used, sizeof line - 1 - used, fields, args);
    va_end(args);
    defuse(line);
    used = strlen(line);
    while (used > 0 && line[used - 1] == ' ') {
        used--;
    }
    line[used++] = '\n';
    ssize_t ignored = write(sink.fd, line, used); /* nobody to tell when the log itself fails */
    (void)ignored;
}
