/* SPDX-License-Identifier: MIT */
/* cleanup.h - ownership bound to scope: `_cleanup_(drop_x)` frees at the end of the block,
 * `take(p)` lets a value leave it. Also the attributes every header uses. */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(fn)              __attribute__((__cleanup__(fn)))
#define MUST_CHECK                 __attribute__((__warn_unused_result__))
#define PRINTF_LIKE(format, first) __attribute__((__format__(__printf__, format, first)))
#define UNUSED                     __attribute__((__unused__))

#define take(p)                                                                                    \
    (__extension__({                                                                               \
        __typeof__(p) taken_ = (p);                                                                \
        (p) = NULL;                                                                                \
        taken_;                                                                                    \
    }))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Defines drop_NAME() for use with _cleanup_ from a destructor that accepts NULL. */
#define DEFINE_DROP(name, type, destructor)                                                        \
    static inline void drop_##name(type **p)                                                       \
    {                                                                                              \
        destructor(*p);                                                                            \
    }

/* The same for objects that live in the scope itself (x_init/x_done). */
#define DEFINE_DROP_VALUE(name, type, destructor)                                                  \
    static inline void drop_##name(type *p)                                                        \
    {                                                                                              \
        destructor(p);                                                                             \
    }

static inline void drop_free(void *p)
{
    free(*(void **)p);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the attribute passes a plain pointer. */
static inline void drop_fd(const int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
}

/* Gives the descriptor away; the variable no longer owns it. */
static inline int take_fd(int *fd)
{
    int taken = *fd;
    *fd = -1;
    return taken;
}
