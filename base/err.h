/* SPDX-License-Identifier: MIT */
/* err.h - the error out-parameter: lives on the caller's stack, always the last parameter.
 * Setters return -1, so that a failing path is one line: return err_set(e, ERR_LIMIT, "..."); */
#pragma once

#include "base/cleanup.h"

#define ERR_CODE_MAP(X)                                                                            \
    X(SYS, "system call failed")                                                                   \
    X(PROTO, "malformed data")                                                                     \
    X(AUTH, "not authentic")                                                                       \
    X(LIMIT, "limit exceeded")                                                                     \
    X(TIMEOUT, "timed out")                                                                        \
    X(GONE, "peer is gone")                                                                        \
    X(STATE, "not possible now")                                                                   \
    X(ENGINE, "language engine failed")                                                            \
    X(INPUT, "bad input from the user")

enum err_code {
    ERR_OK = 0,

#define X(upper, text) ERR_##upper,
    ERR_CODE_MAP(X)
#undef X
};

struct err {
    enum err_code code;
    int sys;        /* errno of the failed call, else 0 */
    char text[480]; /* paths are long */
};

#define ERR_NONE ((struct err){.code = ERR_OK})

/* Sets code and text; returns -1. A NULL `e` is allowed where nobody wants to know. */
int err_set(struct err *e, enum err_code code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Sets ERR_SYS with "what: strerror(errno)"; returns -1. */
int err_sys(struct err *e, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "context: " before the text that is already there; returns -1. */
int err_wrap(struct err *e, const char *format, ...) PRINTF_LIKE(2, 3);

const char *err_code_name(enum err_code code);
