/* SPDX-License-Identifier: MIT */
/* js_zone.h - time zones for the prelude, from the system's own data: `native.zone`. */
#pragma once

#include "contexts/javascript/js_realm.h"

int js_zone_install(struct js_realm *r);
