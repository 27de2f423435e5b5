/* SPDX-License-Identifier: MIT */
/* js_exit.h - process.exit(): it cannot end the process of a context, so it throws an error that
 * ends what runs, and leaves the exit code here. */
#pragma once

#include <quickjs.h>

#include "contexts/javascript/js_realm.h"

struct js;

struct js_exit {
    JSValue error;   /* the last one that process.exit() threw; undefined: none in this cell */
    JSValue resolve; /* settles the promise of js_exit_await; undefined: nobody waits */
    int code;        /* 0 to 255 */
};

/* Gives modules of the realm native.exiting(error, code). */
int js_exit_install(struct js_realm *r);

/* A cell begins: it has asked for nothing yet. */
void js_exit_clear(struct js *js);

/* The exit code that `error` asks for; -1: it is not the one of process.exit(). */
int js_exit_code_of(struct js *js, JSValueConst error);

/* Gives a promise that the next process.exit() settles; an exception is pending when it is one. */
JSValue js_exit_await(struct js *js);
