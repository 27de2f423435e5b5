/* SPDX-License-Identifier: MIT */
/* id.h - random identifiers. */
#pragma once

/* A version 4 UUID in its usual 36 characters, and a NUL. */
enum { ID_SIZE = 37 };

/* Writes a new UUID from the system's random source; aborts when there is none. */
void id_new(char out[ID_SIZE]);
