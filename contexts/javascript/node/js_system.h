/* SPDX-License-Identifier: MIT */
/* js_system.h - what process, os and crypto ask of the machine: `native.system`. */
#pragma once

#include "contexts/javascript/js_realm.h"

int js_system_install(struct js_realm *r);
int js_crypto_install(struct js_realm *r);
