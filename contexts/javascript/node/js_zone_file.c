/* SPDX-License-Identifier: MIT */
#include "contexts/javascript/node/js_zone_file.h"

#include <endian.h>

enum { HEADER_LEN = 44, COUNTS_AT = 20, TYPE_LEN = 6 };

/* The counts of the header, in its order. */
enum { UT_MARKS, STANDARD_MARKS, LEAPS, TIMES, TYPES, LETTERS, COUNTS };

/* One of the two blocks of a file: the older one has times of 4 bytes, the other of 8. */
struct block {
    const char *times;
    const char *indices; /* of a type, a byte for each time */
    const char *types;   /* offset (4), is summer time (1), index of the abbreviation (1) */
    const char *letters; /* abbreviations, each with its NUL */
    uint32_t counts[COUNTS];
    size_t time_len;
    size_t len; /* with its header */
};

static uint32_t read_32(const char *at)
{
    uint32_t value = 0;
    memcpy(&value, at, sizeof value);
    return be32toh(value);
}

static int64_t read_64(const char *at)
{
    uint64_t value = 0;
    memcpy(&value, at, sizeof value);
    return (int64_t)be64toh(value);
}

/* Counts have 32 bits and are added as 64, so that nothing wraps round. */
static bool read_block(struct slice file, size_t time_len, struct block *out)
{
    if (file.len < HEADER_LEN || memcmp(file.data, "TZif", 4) != 0) {
        return false;
    }
    for (size_t i = 0; i < COUNTS; i++) {
        out->counts[i] = read_32(file.data + COUNTS_AT + 4 * i);
    }
    const uint32_t *n = out->counts;
    uint64_t indices = HEADER_LEN + (uint64_t)n[TIMES] * time_len;
    uint64_t types = indices + n[TIMES];
    uint64_t letters = types + (uint64_t)n[TYPES] * TYPE_LEN;
    uint64_t leaps = letters + n[LETTERS];
    uint64_t end = leaps + (uint64_t)n[LEAPS] * (time_len + 4) + n[STANDARD_MARKS] + n[UT_MARKS];
    if (end > file.len || n[TYPES] == 0) {
        return false;
    }
    out->times = file.data + HEADER_LEN;
    out->indices = file.data + indices;
    out->types = file.data + types;
    out->letters = file.data + letters;
    out->time_len = time_len;
    out->len = (size_t)end;
    return true;
}

/* How many of the times are not after `when`. */
static uint32_t count_until(const struct block *b, int64_t when)
{
    uint32_t low = 0;
    uint32_t high = b->counts[TIMES];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *at = b->times + middle * b->time_len;
        int64_t time = b->time_len == 8 ? read_64(at) : (int32_t)read_32(at);
        if (time <= when) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool read_type(const struct block *b, uint32_t index, struct zone_moment *out)
{
    if (index >= b->counts[TYPES]) {
        return false;
    }
    const char *type = b->types + (size_t)index * TYPE_LEN;
    uint8_t at = (uint8_t)type[5];
    size_t left = at < b->counts[LETTERS] ? b->counts[LETTERS] - at : 0;
    size_t len = strnlen(b->letters + (left > 0 ? at : 0), left);
    if (len == left || len >= ZONE_ABBREVIATION_MAX) {
        return false;
    }
    out->offset_s = (int32_t)read_32(type);
    memcpy(out->abbreviation, b->letters + at, len + 1);
    return true;
}

/* The line after the last block; empty when there is none. */
static struct slice footer_of(struct slice rest)
{
    if (rest.len < 2 || rest.data[0] != '\n') {
        return SLICE_NONE;
    }
    const char *end = memchr(rest.data + 1, '\n', rest.len - 1);
    return end == NULL
               ? SLICE_NONE
               : (struct slice){.data = rest.data + 1, .len = (size_t)(end - rest.data) - 1};
}

bool zone_file_at(struct slice file, int64_t when, struct zone_moment *out)
{
    enum { VERSION_AT = 4 };

    struct block block = {0};
    struct slice footer = SLICE_NONE;
    if (!read_block(file, 4, &block)) {
        return false;
    }
    if (file.data[VERSION_AT] != '\0') { /* the second block has all that the first has */
        struct slice rest = {.data = file.data + block.len, .len = file.len - block.len};
        if (!read_block(rest, 8, &block)) {
            return false;
        }
        footer =
            footer_of((struct slice){.data = rest.data + block.len, .len = rest.len - block.len});
    }
    uint32_t passed = count_until(&block, when);
    if (passed == block.counts[TIMES] && footer.len > 0 && zone_rule_at(footer, when, out)) {
        return true;
    }
    /* Before the first time the first type holds. */
    return read_type(&block, passed == 0 ? 0 : (uint8_t)block.indices[passed - 1], out);
}
