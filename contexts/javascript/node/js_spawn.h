/* SPDX-License-Identifier: MIT */
/* js_spawn.h - child processes for the prelude: `native.child`. */
#pragma once

#include "contexts/javascript/js_realm.h"

int js_spawn_install(struct js_realm *r);
