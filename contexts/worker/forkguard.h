/* SPDX-License-Identifier: MIT */
/* forkguard.h - makes fork() in user code safe: no thread of ours is alive across it, no lock is
 * held, and the copy it makes never writes a frame nor sends a text twice. */
#pragma once

struct worker;

/* Registers the handlers for the rest of the process's life. Lends `worker`. Once. */
void forkguard_install(struct worker *worker);
