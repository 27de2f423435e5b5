/* SPDX-License-Identifier: MIT */
/* will.h - what a context would take with it by dying now: the text and the frames it holds back
 * for company. They lie in memory that outlives it (a memfd made by the broker), so that output
 * before a crash, an os._exit or a kill -9 is not lost. The broker trusts nothing of it. */
#pragma once

#include <stdint.h>

#define WILL_TEXT_MAX     (96UL * 1024)
#define WILL_FRAMES_MAX   (192UL * 1024)
#define WILL_CAPTURED_MAX (16UL * 1024)

enum will_farewell { WILL_SAYS_NOTHING, WILL_WIRE_CLOSED };

struct will {
    uint64_t exec;            /* execution that the text belongs to */
    uint32_t stream;          /* 0: stdout, 1: stderr */
    uint32_t held;            /* will_held(): where text is. One word, so that a death at any moment
                               * finds bytes from a pipe in one place, never in two or none */
    uint32_t frames_len;      /* encoded frames that came before the text */
    uint32_t farewell;        /* enum will_farewell: why it ends by itself */
    char text[WILL_TEXT_MAX]; /* UTF-8 */
    char frames[WILL_FRAMES_MAX];
    char taken[WILL_CAPTURED_MAX]; /* those bytes, zeros behind them: read here, so that a death
                                    * between the pipe and the text loses nothing */
};

enum { WILL_CAPTURED_SHIFT = 24 };

/* `text_len`: bytes in `text`; `captured`: 1, 2 while bytes of descriptor 1 or 2 are being taken
 * in, else 0. */
static inline uint32_t will_held(uint32_t text_len, uint32_t captured)
{
    return text_len | captured << WILL_CAPTURED_SHIFT;
}

static inline uint32_t will_text_len(uint32_t held)
{
    return held & ((1U << WILL_CAPTURED_SHIFT) - 1);
}

static inline uint32_t will_captured(uint32_t held)
{
    return held >> WILL_CAPTURED_SHIFT;
}
