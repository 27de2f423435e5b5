/* SPDX-License-Identifier: MIT */
/* js_memory.h - the heap of a runtime under a limit. Where QuickJS's own limit is reached there is
 * no memory left for the error that says so, and the program catches `null`; here each refusal
 * leaves a little room behind it for that error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <quickjs.h>

struct js_memory {
    size_t used;
    size_t limit;  /* 0: none */
    size_t room;   /* beyond the limit, for errors */
    bool was_full; /* something was refused; whoever looks at it resets it */
};

/* Makes a runtime that allocates by `memory`, which is lent for its life. */
JSRuntime *js_memory_runtime(struct js_memory *memory);

/* Allows `bytes` more than is used now. */
void js_memory_limit(struct js_memory *memory, size_t bytes);
