/* SPDX-License-Identifier: MIT */
#include "mime/sniff.h"

#include <stdbool.h>
#include <stdio.h>

#include "mime/sniff_read.h"

/* Kinds are known by their first bytes. */
static bool starts_with(struct slice bytes, struct slice magic)
{
    return bytes.len >= magic.len && memcmp(bytes.data, magic.data, magic.len) == 0;
}

static bool is_png(struct slice bytes)
{
    return starts_with(bytes, SLICE_LIT(PNG_SIGNATURE));
}

static bool is_jpeg(struct slice bytes)
{
    return starts_with(bytes, SLICE_LIT("\xff\xd8\xff"));
}

static bool is_gif(struct slice bytes)
{
    return starts_with(bytes, SLICE_LIT("GIF87a")) || starts_with(bytes, SLICE_LIT("GIF89a"));
}

static bool is_webp(struct slice bytes)
{
    return bytes.len >= 12 && starts_with(bytes, SLICE_LIT("RIFF")) &&
           memcmp(bytes.data + 8, "WEBP", 4) == 0;
}

static const struct {
    const char *mime;
    const char *name;
    bool (*is)(struct slice bytes);
    int (*read)(struct cursor *c, struct image_header *out, struct err *e);
} kinds[] = {

#define X(upper, lower, type, text) [IMAGE_##upper] = {type, text, is_##lower, sniff_read_##lower},
    IMAGE_KIND_MAP(X)
#undef X
};

/* IMAGE_KINDS: none of them. */
static enum image_kind kind_of(struct slice bytes)
{
    enum image_kind kind = 0;
    while (kind < IMAGE_KINDS && !kinds[kind].is(bytes)) {
        kind++;
    }
    return kind;
}

/* "PNG (starts with 7a 7a 7a)": what the bytes are not, and how they begin. */
static int not_a(const char *name, struct slice bytes, struct err *e)
{
    enum { SHOWN = 8 };

    char start[3 * SHOWN + 1] = "";
    if (bytes.len == 0) {
        return err_set(e, ERR_INPUT, "not a %s (it is empty)", name);
    }
    for (size_t i = 0; i < bytes.len && i < SHOWN; i++) {
        (void)snprintf(start + 3 * i, 4, " %02x", (unsigned char)bytes.data[i]); /* fits */
    }
    return err_set(e, ERR_INPUT, "not a %s (starts with%s)", name, start);
}

int image_sniff(struct slice bytes, struct image_header *out, struct err *e)
{
    enum image_kind kind = kind_of(bytes);
    if (kind == IMAGE_KINDS) {
        return not_a("PNG, JPEG, GIF or WebP", bytes, e);
    }
    struct image_header header = {.kind = kind, .mime = kinds[kind].mime};
    const unsigned char *start = (const unsigned char *)bytes.data;
    struct cursor c = {.at = start, .end = start + bytes.len};
    if (kinds[kind].read(&c, &header, e) < 0) {
        return -1;
    }
    *out = header;
    return 0;
}

static int check_kind(enum image_kind wanted, struct slice bytes, struct err *e)
{
    enum image_kind kind = kind_of(bytes);
    if (kind == IMAGE_KINDS) {
        return not_a(kinds[wanted].name, bytes, e);
    }
    if (kind != wanted) {
        return err_set(e, ERR_INPUT, "the data are a %s", kinds[kind].name);
    }
    struct image_header header;
    return image_sniff(bytes, &header, e);
}

int image_check(const char *mime, struct slice bytes, struct err *e)
{
    enum image_kind wanted = 0;
    while (wanted < IMAGE_KINDS && strcmp(kinds[wanted].mime, mime) != 0) {
        wanted++;
    }
    if (wanted == IMAGE_KINDS || check_kind(wanted, bytes, e) == 0) {
        return 0;
    }
    return err_wrap(e, "%s", mime);
}
