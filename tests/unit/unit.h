/* SPDX-License-Identifier: MIT */
/* unit.h - cmocka in the include order it needs, and the few asserts it lacks. */
#pragma once

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include "base/buf.h"
#include "base/err.h"

/* The call must succeed; on failure the error's text is shown. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        if ((call) < 0) {                                                                          \
            fail_msg("%s: %s", #call, e.text);                                                     \
        }                                                                                          \
    } while (0)

/* The call must fail with `wanted`. */
#define assert_err(call, wanted)                                                                   \
    do {                                                                                           \
        assert_int_equal((call), -1);                                                              \
        assert_int_equal(e.code, (wanted));                                                        \
    } while (0)

#define assert_slice_equal(piece, text)                                                            \
    do {                                                                                           \
        struct slice seen_ = (piece);                                                              \
        assert_int_equal(seen_.len, strlen(text));                                                 \
        assert_memory_equal(seen_.data, text, strlen(text));                                       \
    } while (0)
