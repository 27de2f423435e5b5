/* SPDX-License-Identifier: MIT */
#include "kernel/core/door.h"

#include <assert.h>

#include "base/mem.h"
#include "kernel/core/broker_impl.h"

static_assert(DOORS_MAX <= READERS_MAX, "every door is a reader of contexts");

int door_open(struct broker *b, const struct door_events *events, void *arg, struct door **out,
              struct err *e)
{
    if (b->door_count == DOORS_MAX) {
        return err_set(e, ERR_LIMIT, "%d doors are open, which is the limit", DOORS_MAX);
    }
    struct door *d = xcalloc(1, sizeof *d);
    *d =
        (struct door){.broker = b, .events = events, .arg = arg, .number = (unsigned)b->door_count};
    b->doors[b->door_count++] = d;
    *out = d;
    return 0;
}

void door_hold(struct door *d)
{
    d->is_held = true;
}

void door_release(struct door *d)
{
    d->is_held = false;
    pool_resume(d->broker->pool, d->number);
}

bool door_hears(const struct door *d, const struct context *c)
{
    return (context_readers(c) & 1U << d->number) != 0;
}
