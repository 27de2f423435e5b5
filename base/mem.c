/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void *or_die(void *p)
{
    if (p == NULL) {
        static const char text[] = "pandia: out of memory\n";
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1); /* last words only */
        (void)ignored;
        abort();
    }
    return p;
}

void *xmalloc(size_t size)
{
    return or_die(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
    return or_die(calloc(count ? count : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t count, size_t size)
{
    size_t total = 0;
    if (__builtin_mul_overflow(count, size, &total)) {
        return or_die(NULL);
    }
    return or_die(realloc(p, total ? total : 1));
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t len)
{
    char *copy = xmalloc(len + 1);
    if (len > 0) {
        memcpy(copy, text, len);
    }
    copy[len] = '\0';
    return copy;
}

char *xasprintf(const char *format, ...)
{
    va_list args;
    char *text = NULL;

    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    return or_die(n < 0 ? NULL : text);
}
