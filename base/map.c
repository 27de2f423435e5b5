/* SPDX-License-Identifier: MIT */
/* map.c - open addressing with linear probing; removal moves later entries back, so that there
 * are no tombstones. The hash is SipHash-1-3: keyed, because peers choose the keys. */
#include "base/map.h"

#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"

enum { SLOTS_MIN = 16 };

struct slot {
    char *key; /* NULL: free */
    void *value;
    uint64_t hash;
};

struct map {
    struct slot *slots;
    size_t mask; /* slots - 1, a power of two less one */
    size_t len;
    uint64_t seed[2];
    void (*free_value)(void *);
};

struct map *map_new(void (*free_value)(void *))
{
    struct map *map = xcalloc(1, sizeof *map);
    map->slots = xcalloc(SLOTS_MIN, sizeof *map->slots);
    map->mask = SLOTS_MIN - 1;
    map->free_value = free_value;
    if (getrandom(map->seed, sizeof map->seed, 0) != (ssize_t)sizeof map->seed) {
        abort(); /* cannot happen below 256 bytes once the pool is initialised */
    }
    return map;
}

static void drop_value(const struct map *map, void *value)
{
    if (map->free_value != NULL) {
        map->free_value(value);
    }
}

void map_free(struct map *map)
{
    if (map == NULL) {
        return;
    }
    for (size_t i = 0; i <= map->mask; i++) {
        if (map->slots[i].key != NULL) {
            free(map->slots[i].key);
            drop_value(map, map->slots[i].value);
        }
    }
    free(map->slots);
    free(map);
}

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

static uint64_t hash_of(const struct map *map, const char *key)
{
    uint64_t v[4] = {
        map->seed[0] ^ UINT64_C(0x736f6d6570736575),
        map->seed[1] ^ UINT64_C(0x646f72616e646f6d),
        map->seed[0] ^ UINT64_C(0x6c7967656e657261),
        map->seed[1] ^ UINT64_C(0x7465646279746573),
    };
    size_t len = strlen(key);
    size_t done = 0;
    for (; len - done >= 8; done += 8) {
        uint64_t word = 0;
        memcpy(&word, key + done, sizeof word);
        sip_word(v, word);
    }
    uint64_t last = 0;
    memcpy(&last, key + done, len - done);
    sip_word(v, last | (uint64_t)len << 56);
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Index of the slot that holds `key`, or of the free one where it belongs. */
static size_t locate(const struct map *map, const char *key, uint64_t hash)
{
    size_t i = hash & map->mask;
    while (map->slots[i].key != NULL &&
           (map->slots[i].hash != hash || strcmp(map->slots[i].key, key) != 0)) {
        i = (i + 1) & map->mask;
    }
    return i;
}

static void grow(struct map *map)
{
    struct slot *old = map->slots;
    size_t count = map->mask + 1;
    map->slots = xcalloc(count * 2, sizeof *map->slots);
    map->mask = count * 2 - 1;
    for (size_t i = 0; i < count; i++) {
        if (old[i].key != NULL) {
            map->slots[locate(map, old[i].key, old[i].hash)] = old[i];
        }
    }
    free(old);
}

void map_put(struct map *map, const char *key, void *value)
{
    uint64_t hash = hash_of(map, key);
    struct slot *slot = &map->slots[locate(map, key, hash)];
    if (slot->key != NULL) {
        void *before = slot->value;
        slot->value = value;
        if (before != value) {
            drop_value(map, before);
        }
        return;
    }
    if ((map->len + 1) * 4 > (map->mask + 1) * 3) {
        grow(map);
        slot = &map->slots[locate(map, key, hash)];
    }
    *slot = (struct slot){.key = xstrdup(key), .value = value, .hash = hash};
    map->len++;
}

void *map_get(const struct map *map, const char *key)
{
    return map->slots[locate(map, key, hash_of(map, key))].value;
}

void *map_remove(struct map *map, const char *key)
{
    size_t hole = locate(map, key, hash_of(map, key));
    if (map->slots[hole].key == NULL) {
        return NULL;
    }
    void *value = map->slots[hole].value;
    free(map->slots[hole].key);
    map->len--;
    /* Whoever probed past the hole moves into it, unless its own place lies behind the hole. */
    for (size_t i = (hole + 1) & map->mask; map->slots[i].key != NULL; i = (i + 1) & map->mask) {
        size_t from_home = (i - map->slots[i].hash) & map->mask;
        if (from_home >= ((i - hole) & map->mask)) {
            map->slots[hole] = map->slots[i];
            hole = i;
        }
    }
    map->slots[hole] = (struct slot){0};
    return value;
}

size_t map_len(const struct map *map)
{
    return map->len;
}

bool map_next(const struct map *map, size_t *cursor, const char **key, void **value)
{
    for (size_t i = *cursor; i <= map->mask; i++) {
        const struct slot *slot = &map->slots[i];
        if (slot->key == NULL) {
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

size_t map_steps(const struct map *map, const char *key)
{
    uint64_t hash = hash_of(map, key);
    return ((locate(map, key, hash) - hash) & map->mask) + 1;
}
