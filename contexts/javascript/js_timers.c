/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_timers.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "contexts/javascript/js.h"

static bool comes_later(const struct js_timer *a, const struct js_timer *b)
{
    return a->due_us != b->due_us ? a->due_us > b->due_us : a->id > b->id;
}

int64_t js_timers_add(struct js *js, JSValue timer, int64_t delay_us)
{
    struct js_timers *t = &js->timers;
    struct js_timer new = {.id = ++t->last_id,
                           .due_us = clock_us() + delay_us,
                           .origin = js->origin,
                           .keeps_alive = true,
                           .timer = timer};
    if (t->count == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 8;
        t->items = xrealloc(t->items, t->cap, sizeof *t->items);
    }
    /* Most timers are the latest of all, which is the front; few stay long enough to matter. */
    size_t low = 0;
    size_t high = t->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (comes_later(&t->items[middle], &new)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    memmove(t->items + low + 1, t->items + low, (t->count - low) * sizeof *t->items);
    t->items[low] = new;
    t->count++;
    return new.id;
}

static struct js_timer *find(struct js_timers *t, int64_t id)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->items[i].id == id) {
            return &t->items[i];
        }
    }
    return NULL;
}

/* Gives the object of the timer that is cut out. */
static JSValue cut(struct js_timers *t, size_t index)
{
    JSValue timer = t->items[index].timer;
    t->count--;
    memmove(t->items + index, t->items + index + 1, (t->count - index) * sizeof *t->items);
    return timer;
}

bool js_timers_remove(struct js *js, int64_t id)
{
    struct js_timer *timer = find(&js->timers, id);
    if (timer == NULL) {
        return false;
    }
    JS_FreeValue(js->user.ctx, cut(&js->timers, (size_t)(timer - js->timers.items)));
    return true;
}

bool js_timers_keep_alive(struct js *js, int64_t id, bool keeps_alive)
{
    struct js_timer *timer = find(&js->timers, id);
    if (timer != NULL) {
        timer->keeps_alive = keeps_alive;
    }
    return timer != NULL;
}

void js_timers_remove_cell(struct js *js, uint64_t cell)
{
    for (size_t i = js->timers.count; i > 0; i--) {
        if (js->timers.items[i - 1].origin.cell == cell) {
            JS_FreeValue(js->user.ctx, cut(&js->timers, i - 1));
        }
    }
}

void js_timers_clear(struct js *js)
{
    while (js->timers.count > 0) {
        JS_FreeValue(js->user.ctx, cut(&js->timers, js->timers.count - 1));
    }
    free(js->timers.items);
    js->timers = (struct js_timers){0};
}

int64_t js_timers_next_us(const struct js_timers *t)
{
    if (t->count == 0) {
        return -1;
    }
    int64_t left = t->items[t->count - 1].due_us - clock_us();
    return left > 0 ? left : 0;
}

bool js_timers_pending(const struct js_timers *t)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->items[i].keeps_alive) {
            return true;
        }
    }
    return false;
}

JSValue js_timers_take_due(struct js *js, int64_t now_us, int64_t last_id)
{
    struct js_timers *t = &js->timers;
    for (size_t i = t->count; i > 0 && t->items[i - 1].due_us <= now_us; i--) {
        if (t->items[i - 1].id <= last_id) {
            js->origin = t->items[i - 1].origin;
            return cut(t, i - 1);
        }
    }
    return JS_UNDEFINED;
}
