/* SPDX-License-Identifier: MIT */
/* js_fetch.h - requests over HTTP for the prelude: `native.http`. libcurl does the work, on the
 * descriptors that the loop watches; it is loaded by the first request of a context, so that others
 * pay nothing for it and the zygote forks without it. */
#pragma once

#include "contexts/javascript/js_realm.h"

struct js;
struct js_fetch;

int js_fetch_install(struct js_realm *r);

void js_fetch_clear(struct js *js);
