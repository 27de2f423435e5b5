/* SPDX-License-Identifier: MIT */
/* js_rejections.h - promises that were rejected and that nobody handles. */
#pragma once

#include <stddef.h>

#include <quickjs.h>

struct js;

struct js_rejection {
    JSValue promise;
    JSValue reason;
};

struct js_rejections {
    struct js_rejection *items;
    size_t count;
    size_t cap;
};

/* Starts listening to the runtime. */
void js_rejections_watch(struct js *js);

/* Takes one promise off the list: somebody looks at it. */
void js_rejections_forget(struct js *js, JSValueConst promise);

/* Writes what is on the list to stderr and empties it. */
void js_rejections_report(struct js *js);

void js_rejections_clear(struct js *js);
