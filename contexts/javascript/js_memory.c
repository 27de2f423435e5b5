/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/js_memory.h"

#include <malloc.h>
#include <stdlib.h>

#include "base/bounds.h"

/* Room for an error with its stack, and for how many of them until only `null` is left. */
#define ROOM_STEP (64UL * KIB)
#define ROOM_MAX  (4UL * MIB)

/* Whether `more` bytes can be had. */
static bool allow(struct js_memory *m, size_t more)
{
    if (m->limit == 0) {
        return true;
    }
    if (m->used < m->limit / 2) {
        m->room = 0; /* the crisis is over */
    }
    if (more <= m->limit + m->room && m->used <= m->limit + m->room - more) {
        return true;
    }
    m->was_full = true;
    /* What is used may already lie above the limit: the room begins there. */
    size_t above = m->used > m->limit ? m->used - m->limit : 0;
    m->room = above + ROOM_STEP < ROOM_MAX ? above + ROOM_STEP : ROOM_MAX;
    return false;
}

static void *take_in(struct js_memory *m, void *block)
{
    if (block != NULL) {
        m->used += malloc_usable_size(block);
    } else {
        m->was_full = true;
    }
    return block;
}

static void *memory_calloc(void *opaque, size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || !allow(opaque, bytes)) {
        return NULL;
    }
    return take_in(opaque, calloc(count, size));
}

static void *memory_malloc(void *opaque, size_t size)
{
    return allow(opaque, size) ? take_in(opaque, malloc(size)) : NULL;
}

static void memory_free(void *opaque, void *block)
{
    struct js_memory *m = opaque;
    if (block != NULL) {
        m->used -= malloc_usable_size(block);
    }
    free(block);
}

static void *memory_realloc(void *opaque, void *block, size_t size)
{
    struct js_memory *m = opaque;
    size_t before = block ? malloc_usable_size(block) : 0;
    if (size == 0) {
        memory_free(m, block);
        return NULL;
    }
    if (size > before && !allow(m, size - before)) {
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL) {
        m->used -= before;
        m->used += malloc_usable_size(moved);
    }
    return moved;
}

static size_t memory_usable_size(const void *block)
{
    return malloc_usable_size((void *)(uintptr_t)block);
}

JSRuntime *js_memory_runtime(struct js_memory *memory)
{
    static const JSMallocFunctions functions = {
        .js_calloc = memory_calloc,
        .js_malloc = memory_malloc,
        .js_free = memory_free,
        .js_realloc = memory_realloc,
        .js_malloc_usable_size = memory_usable_size,
    };
    *memory = (struct js_memory){0};
    return JS_NewRuntime2(&functions, memory);
}

void js_memory_limit(struct js_memory *memory, size_t bytes)
{
    memory->limit = memory->used + bytes;
}
