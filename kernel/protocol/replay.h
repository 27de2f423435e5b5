/* SPDX-License-Identifier: MIT */
/* replay.h - remembers the last REPLAY_REMEMBERED digests exactly, in fixed memory and constant
 * time. Not here: whether a digest is authentic (sign.h). */
#pragma once

#include <stdbool.h>

#include "base/cleanup.h"

enum { REPLAY_DIGEST_SIZE = 32 };

struct replay;

/* About 2.5 MiB, of which the system hands out the pages as they are first used. */
struct replay *replay_new(void);
void replay_free(struct replay *r);
DEFINE_DROP(replay, struct replay, replay_free)

/* Remembers `digest`, forgetting the oldest one when the memory is full. False when it is
 * remembered already; then nothing changes. */
bool replay_add(struct replay *r, const unsigned char digest[REPLAY_DIGEST_SIZE]);
