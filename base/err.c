/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, enum err_code code, const char *format, ...)
{
    if (e == NULL) {
        return -1;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(e->text, sizeof e->text, format, args); /* a cut text is still a text */
    va_end(args);
    e->code = code;
    e->sys = 0;
    return -1;
}

int err_sys(struct err *e, const char *format, ...)
{
    int saved = errno;
    if (e == NULL) {
        return -1;
    }
    va_list args;
    va_start(args, format);
    (void)vsnprintf(e->text, sizeof e->text, format, args); /* a cut text is still a text */
    va_end(args);
    size_t used = strlen(e->text);
    (void)snprintf(e->text + used, sizeof e->text - used, ": %s", strerror(saved));
    e->code = ERR_SYS;
    e->sys = saved;
    errno = saved; /* a caller further up may report it again */
    return -1;
}

int err_wrap(struct err *e, const char *format, ...)
{
    if (e == NULL) {
        return -1;
    }
    char inner[sizeof e->text];
    memcpy(inner, e->text, sizeof inner);

    va_list args;
    va_start(args, format);
    (void)vsnprintf(e->text, sizeof e->text, format, args); /* a cut text is still a text */
    va_end(args);
    size_t used = strlen(e->text);
    (void)snprintf(e->text + used, sizeof e->text - used, ": %s", inner);
    return -1;
}

const char *err_code_name(enum err_code code)
{
    switch (code) {
    case ERR_OK:
        return "no error";
#define X(upper, text)                                                                             \
    case ERR_##upper:                                                                              \
        return text;
        ERR_CODE_MAP(X)
#undef X
    }
    return "unknown error";
}
