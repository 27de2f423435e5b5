/* SPDX-License-Identifier: MIT */
/* nmap.c - open addressing with linear probing, as in map.c; removal moves later entries back, so
 * that there are no tombstones. */
#include "base/nmap.h"

#include <assert.h>
#include <sys/random.h>

#include "base/mem.h"

enum { SLOTS_MIN = 16 };

struct slot {
    uint64_t key;
    void *value; /* NULL: free */
};

struct nmap {
    struct slot *slots;
    size_t mask; /* slots - 1, a power of two less one */
    size_t len;
    uint64_t seed;
};

struct nmap *nmap_new(void)
{
    struct nmap *map = xcalloc(1, sizeof *map);
    map->slots = xcalloc(SLOTS_MIN, sizeof *map->slots);
    map->mask = SLOTS_MIN - 1;
    if (getrandom(&map->seed, sizeof map->seed, 0) != (ssize_t)sizeof map->seed) {
        abort(); /* cannot happen below 256 bytes once the pool is initialised */
    }
    return map;
}

void nmap_free(struct nmap *map)
{
    if (map != NULL) {
        free(map->slots);
        free(map);
    }
}

/* The finalizer of SplitMix64: every bit of the key reaches every bit of the index. */
static size_t home_of(const struct nmap *map, uint64_t key)
{
    uint64_t x = key ^ map->seed;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) & map->mask;
}

/* Index of the slot that holds `key`, or of the free one where it belongs. */
static size_t locate(const struct nmap *map, uint64_t key)
{
    size_t i = home_of(map, key);
    while (map->slots[i].value != NULL && map->slots[i].key != key) {
        i = (i + 1) & map->mask;
    }
    return i;
}

static void grow(struct nmap *map)
{
    struct slot *old = map->slots;
    size_t count = map->mask + 1;
    map->slots = xcalloc(count * 2, sizeof *map->slots);
    map->mask = count * 2 - 1;
    for (size_t i = 0; i < count; i++) {
        if (old[i].value != NULL) {
            map->slots[locate(map, old[i].key)] = old[i];
        }
    }
    free(old);
}

void nmap_put(struct nmap *map, uint64_t key, void *value)
{
    assert(value != NULL);
    if ((map->len + 1) * 4 > (map->mask + 1) * 3) {
        grow(map);
    }
    struct slot *slot = &map->slots[locate(map, key)];
    map->len += slot->value == NULL;
    *slot = (struct slot){.key = key, .value = value};
}

void *nmap_get(const struct nmap *map, uint64_t key)
{
    return map->slots[locate(map, key)].value;
}

void *nmap_remove(struct nmap *map, uint64_t key)
{
    size_t hole = locate(map, key);
    void *value = map->slots[hole].value;
    if (value == NULL) {
        return NULL;
    }
    map->len--;
    /* Whoever probed past the hole moves into it, unless its own place lies behind the hole. */
    for (size_t i = (hole + 1) & map->mask; map->slots[i].value != NULL; i = (i + 1) & map->mask) {
        size_t from_home = (i - home_of(map, map->slots[i].key)) & map->mask;
        if (from_home >= ((i - hole) & map->mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole] = (struct slot){0};
    return value;
}

size_t nmap_len(const struct nmap *map)
{
    return map->len;
}

bool nmap_next(const struct nmap *map, size_t *cursor, uint64_t *key, void **value)
{
    for (size_t i = *cursor; i <= map->mask; i++) {
        const struct slot *slot = &map->slots[i];
        if (slot->value == NULL) {
            continue;
        }
        if (key != NULL) {
            *key = slot->key;
        }
        if (value != NULL) {
            *value = slot->value;
        }
        *cursor = i + 1;
        return true;
    }
    *cursor = map->mask + 1;
    return false;
}

size_t nmap_steps(const struct nmap *map, uint64_t key)
{
    size_t found = locate(map, key);
    return ((found - home_of(map, key)) & map->mask) + 1;
}
