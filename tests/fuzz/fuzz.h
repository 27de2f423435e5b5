/* SPDX-License-Identifier: MIT */
/* fuzz.h - the one function of a fuzz target. libFuzzer calls it in the fuzz preset, replay.c in
 * all others. A broken promise is an assert. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Runs the target on `data` (borrowed); returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
