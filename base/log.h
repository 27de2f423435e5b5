/* SPDX-License-Identifier: MIT */
/* log.h - one logfmt line per event: ts=... lvl=info mod=pool msg="context ready" ctx=... ms=3.1
 * Who logs: cli, zmq, pool, and workers about themselves. Libraries return errors instead.
 * error = someone must act, warn = we coped (say how), info = life cycle, debug = the rest.
 * User code and its output never appear above debug. */
#pragma once

#include "base/cleanup.h"

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* Parses "error", "warn", "info", "debug"; returns -1 for anything else. */
int log_level_parse(const char *name, enum log_level *out);

void log_set_level(enum log_level level);

/* Sends lines to `fd` instead of standard error. */
void log_set_fd(int fd);

/* Writes one line. `fields` is a printf format of ready key=value pairs, or "" for none; values
 * that may hold spaces or quotes go through %s inside double quotes: quotes in a value become
 * single ones, control bytes anywhere question marks. Long lines are cut. */
void log_line(enum log_level level, const char *mod, const char *msg, const char *fields, ...)
    PRINTF_LIKE(4, 5);

#define log_error(mod, msg, ...) log_line(LOG_LEVEL_ERROR, mod, msg, __VA_ARGS__)
#define log_warn(mod, msg, ...)  log_line(LOG_LEVEL_WARN, mod, msg, __VA_ARGS__)
#define log_info(mod, msg, ...)  log_line(LOG_LEVEL_INFO, mod, msg, __VA_ARGS__)
#define log_debug(mod, msg, ...) log_line(LOG_LEVEL_DEBUG, mod, msg, __VA_ARGS__)
