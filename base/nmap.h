/* SPDX-License-Identifier: MIT */
/* nmap.h - hash map from numbers (pids, tickets) to pointers, which are borrowed. For text keys:
 * map.h. The hash is seeded per map, because another process may choose the numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct nmap;

struct nmap *nmap_new(void);
void nmap_free(struct nmap *map);
DEFINE_DROP(nmap, struct nmap, nmap_free)

/* Puts `value`, which is not NULL, under `key`, in place of what was there. */
void nmap_put(struct nmap *map, uint64_t key, void *value);

/* Lends the value, NULL when absent. */
void *nmap_get(const struct nmap *map, uint64_t key);

/* Removes the entry; gives its value, NULL when absent. */
void *nmap_remove(struct nmap *map, uint64_t key);

size_t nmap_len(const struct nmap *map);

/* Walks in no particular order: start with `*cursor = 0`; false at the end. The map must not
 * change meanwhile. `key` and `value` may be NULL. */
bool nmap_next(const struct nmap *map, size_t *cursor, uint64_t *key, void **value);

/* How many entries a lookup of `key` is compared with, for tests: it must not grow with the map. */
size_t nmap_steps(const struct nmap *map, uint64_t key);
