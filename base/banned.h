/* SPDX-License-Identifier: MIT */
/* banned.h - libc calls nobody here may use; force-included into every file of ours.
 * The bounded replacements are buf.h (building), snprintf (fixed text) and json/text (parsing). */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(fn) sorry_##fn##_is_banned

#undef strcpy
#define strcpy(a, b) BANNED(strcpy)
#undef strcat
#define strcat(a, b) BANNED(strcat)
#undef strncpy
#define strncpy(a, b, c) BANNED(strncpy)
#undef strncat
#define strncat(a, b, c) BANNED(strncat)
#undef strtok
#define strtok(a, b) BANNED(strtok)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef gmtime
#define gmtime(a) BANNED(gmtime)
#undef localtime
#define localtime(a) BANNED(localtime)
#undef atoi
#define atoi(a) BANNED(atoi)
#undef atol
#define atol(a) BANNED(atol)
