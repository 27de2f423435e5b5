/* SPDX-License-Identifier: MIT */
/* js_fs.h - files for the prelude: `native.fs`, one function per call of the system. They give what
 * the call gives, or minus errno; prelude/user/node/fs.js makes Node's errors of that. */
#pragma once

#include "contexts/javascript/js_realm.h"

int js_fs_install(struct js_realm *r);
int js_fs_names_install(struct js_realm *r);
