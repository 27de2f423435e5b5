/* SPDX-License-Identifier: MIT */
/* map.h - hash map from text keys to pointers (numbers: nmap.h). Keys are copied; values are
 * borrowed unless a destructor is given. The hash is seeded per map from the system's random
 * source, because peers choose keys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct map;

/* `free_value` may be NULL: then values are only borrowed. */
struct map *map_new(void (*free_value)(void *));
void map_free(struct map *map);
DEFINE_DROP(map, struct map, map_free)

/* Puts `value` under `key`; a value that was there before is freed with the map's destructor. */
void map_put(struct map *map, const char *key, void *value);

/* Lends the value, NULL when absent. */
void *map_get(const struct map *map, const char *key);

/* Removes the entry without freeing the value; gives it, NULL when absent. */
void *map_remove(struct map *map, const char *key);

size_t map_len(const struct map *map);

/* Walks in no particular order: start with `*cursor = 0`; false at the end. The map must not
 * change meanwhile. `key` and `value` may be NULL. */
bool map_next(const struct map *map, size_t *cursor, const char **key, void **value);

/* How many entries a lookup of `key` is compared with, for tests: it must not grow with the map. */
size_t map_steps(const struct map *map, const char *key);
