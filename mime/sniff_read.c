/* SPDX-License-Identifier: MIT */
#include "mime/sniff_read.h"

#include <stdbool.h>

/* Lends the next `len` bytes and passes them; NULL when there are fewer. */
static const unsigned char *next(struct cursor *c, size_t len)
{
    if ((size_t)(c->end - c->at) < len) {
        return NULL;
    }
    const unsigned char *bytes = c->at;
    c->at += len;
    return bytes;
}

static uint32_t big32(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t big16(const unsigned char *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t little32(const unsigned char *at)
{
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static uint32_t little24(const unsigned char *at)
{
    return (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

static uint32_t little16(const unsigned char *at)
{
    return (uint32_t)at[1] << 8 | at[0];
}

static int cut_short(const char *name, struct err *e)
{
    return err_set(e, ERR_INPUT, "the %s ends too early", name);
}

static int set_size(struct image_header *out, uint32_t width, uint32_t height, struct err *e)
{
    if (width == 0 || height == 0) {
        return err_set(e, ERR_INPUT, "a picture of %u x %u has no pixels", width, height);
    }
    out->width = width;
    out->height = height;
    return 0;
}

/* PNG, third edition: signature, then chunks of length, name, data and CRC. */
#define PNG_CHUNK_MAX 0x7fffffffU

enum { PNG_HEADER_LEN = 13 };

/* The CRC of all but IHDR is left to whoever decodes: 17 bytes need no table. */
static uint32_t png_crc(const unsigned char *at, size_t len)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < len; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320U : 0);
        }
    }
    return ~crc;
}

/* Table 11.1: the depths of every colour type, as bits. */
static bool png_depth_is_legal(unsigned depth, unsigned colour)
{
    static const unsigned depths[] = {
        [0] = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16,
        [2] = 1 << 8 | 1 << 16,
        [3] = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8,
        [4] = 1 << 8 | 1 << 16,
        [6] = 1 << 8 | 1 << 16,
    };
    return colour < ARRAY_LEN(depths) && depth <= 16 && (depths[colour] >> depth & 1) != 0;
}

static int read_png_header(struct cursor *c, struct image_header *out, struct err *e)
{
    const unsigned char *chunk = next(c, 4 + 4 + PNG_HEADER_LEN + 4);
    if (chunk == NULL) {
        return cut_short("PNG", e);
    }
    const unsigned char *header = chunk + 8;
    if (big32(chunk) != PNG_HEADER_LEN || memcmp(chunk + 4, "IHDR", 4) != 0) {
        return err_set(e, ERR_INPUT, "the PNG does not begin with its header");
    }
    if (png_crc(chunk + 4, 4 + PNG_HEADER_LEN) != big32(header + PNG_HEADER_LEN)) {
        return err_set(e, ERR_INPUT, "the header of the PNG is damaged (CRC)");
    }
    if (!png_depth_is_legal(header[8], header[9])) {
        return err_set(e, ERR_INPUT, "a PNG has no colour type %d of %d bits", header[9],
                       header[8]);
    }
    if (header[10] != 0 || header[11] != 0 || header[12] > 1) {
        return err_set(e, ERR_INPUT, "the PNG is compressed in an unknown way");
    }
    if (big32(header) > PNG_CHUNK_MAX || big32(header + 4) > PNG_CHUNK_MAX) {
        return err_set(e, ERR_INPUT, "the size of the PNG is out of range");
    }
    return set_size(out, big32(header), big32(header + 4), e);
}

int sniff_read_png(struct cursor *c, struct image_header *out, struct err *e)
{
    bool has_pixels = false;
    (void)next(c, sizeof PNG_SIGNATURE - 1); /* it was seen */
    if (read_png_header(c, out, e) < 0) {
        return -1;
    }
    for (;;) {
        const unsigned char *head = next(c, 8);
        size_t len = head != NULL ? big32(head) : 0;
        if (head == NULL || next(c, len) == NULL || next(c, 4) == NULL) {
            return cut_short("PNG", e);
        }
        has_pixels |= memcmp(head + 4, "IDAT", 4) == 0;
        if (memcmp(head + 4, "IEND", 4) == 0) {
            return has_pixels ? 0 : err_set(e, ERR_INPUT, "the PNG has no pixels in it");
        }
    }
}

/* JPEG, T.81 annex B: markers, most of them with a segment behind. */
enum { JPEG_TEM = 0x01, JPEG_RST0 = 0xd0, JPEG_RST7 = 0xd7, JPEG_EOI = 0xd9, JPEG_SOS = 0xda };

enum { JPEG_SOF_LEN = 6, JPEG_COMPONENT_LEN = 3 };

static bool jpeg_is_frame(unsigned marker)
{
    bool table = marker == 0xc4 || marker == 0xc8 || marker == 0xcc; /* DHT, JPG, DAC */
    return marker >= 0xc0 && marker <= 0xcf && !table;
}

static bool jpeg_is_alone(unsigned marker)
{
    return marker == JPEG_TEM || (marker >= JPEG_RST0 && marker <= JPEG_RST7);
}

/* The marker at the cursor, with any number of fill bytes before it; -1 when there is none. */
static int jpeg_marker(struct cursor *c)
{
    const unsigned char *byte = next(c, 1);
    if (byte == NULL || *byte != 0xff) {
        return -1;
    }
    while (byte != NULL && *byte == 0xff) {
        byte = next(c, 1);
    }
    return byte != NULL && *byte != 0 ? *byte : -1;
}

/* Passes compressed data: up to the first 0xff that is neither stuffed nor a restart. */
static void jpeg_skip_scan(struct cursor *c)
{
    while (c->at < c->end) {
        const unsigned char *mark = memchr(c->at, 0xff, (size_t)(c->end - c->at));
        if (mark == NULL || mark + 1 == c->end) {
            c->at = c->end;
            return;
        }
        bool inside = mark[1] == 0 || (mark[1] >= JPEG_RST0 && mark[1] <= JPEG_RST7);
        c->at = inside ? mark + 2 : mark;
        if (!inside) {
            return;
        }
    }
}

static int read_jpeg_frame(const unsigned char *body, size_t len, struct image_header *out,
                           struct err *e)
{
    if (len < JPEG_SOF_LEN || len != JPEG_SOF_LEN + (size_t)JPEG_COMPONENT_LEN * body[5]) {
        return err_set(e, ERR_INPUT, "the frame header of the JPEG is damaged");
    }
    return set_size(out, big16(body + 3), big16(body + 1), e);
}

/* One segment, its marker read already. */
static int read_jpeg_segment(struct cursor *c, unsigned marker, struct image_header *out,
                             struct err *e)
{
    const unsigned char *head = next(c, 2);
    if (head == NULL) {
        return cut_short("JPEG", e);
    }
    size_t len = big16(head);
    if (len < 2) {
        return err_set(e, ERR_INPUT, "a segment of the JPEG has no length");
    }
    const unsigned char *body = next(c, len - 2);
    if (body == NULL) {
        return cut_short("JPEG", e);
    }
    if (marker == JPEG_SOS) {
        jpeg_skip_scan(c);
    }
    return jpeg_is_frame(marker) ? read_jpeg_frame(body, len - 2, out, e) : 0;
}

int sniff_read_jpeg(struct cursor *c, struct image_header *out, struct err *e)
{
    bool has_scan = false;
    (void)next(c, 2); /* SOI: the magic was seen */
    for (;;) {
        bool at_end = c->at == c->end;
        int marker = jpeg_marker(c);
        if (marker < 0) {
            return at_end || c->at == c->end
                       ? cut_short("JPEG", e)
                       : err_set(e, ERR_INPUT, "the JPEG has bytes between its segments");
        }
        if (marker == JPEG_EOI) {
            return out->width > 0 && has_scan
                       ? 0
                       : err_set(e, ERR_INPUT, "the JPEG has no pixels in it");
        }
        has_scan |= marker == JPEG_SOS;
        if (!jpeg_is_alone((unsigned)marker) &&
            read_jpeg_segment(c, (unsigned)marker, out, e) < 0) {
            return -1;
        }
    }
}

/* GIF89a: screen, then blocks, then a trailer. */
enum { GIF_EXTENSION = 0x21, GIF_IMAGE = 0x2c, GIF_TRAILER = 0x3b };

/* Passes the colour table that these flags speak of. */
static bool gif_skip_colours(struct cursor *c, unsigned flags)
{
    size_t len = (flags & 0x80) != 0 ? (size_t)3 << ((flags & 7) + 1) : 0;
    return next(c, len) != NULL;
}

/* Passes sub-blocks, up to and with the empty one. */
static bool gif_skip_blocks(struct cursor *c)
{
    const unsigned char *len = next(c, 1);
    while (len != NULL && *len > 0) {
        len = next(c, *len) != NULL ? next(c, 1) : NULL;
    }
    return len != NULL;
}

static bool gif_skip_image(struct cursor *c)
{
    const unsigned char *head = next(c, 9);
    return head != NULL && gif_skip_colours(c, head[8]) && next(c, 1) != NULL && gif_skip_blocks(c);
}

int sniff_read_gif(struct cursor *c, struct image_header *out, struct err *e)
{
    bool has_pixels = false;
    const unsigned char *screen = next(c, 6 + 7);
    if (screen == NULL || !gif_skip_colours(c, screen[10])) {
        return cut_short("GIF", e);
    }
    if (set_size(out, little16(screen + 6), little16(screen + 8), e) < 0) {
        return -1;
    }
    for (;;) {
        const unsigned char *block = next(c, 1);
        bool whole = block != NULL;
        if (whole && *block == GIF_TRAILER) {
            return has_pixels ? 0 : err_set(e, ERR_INPUT, "the GIF has no pixels in it");
        }
        if (whole && *block != GIF_IMAGE && *block != GIF_EXTENSION) {
            return err_set(e, ERR_INPUT, "the GIF has a block of unknown kind 0x%02x", *block);
        }
        if (whole && *block == GIF_IMAGE) {
            has_pixels = true;
            whole = gif_skip_image(c);
        } else if (whole) {
            whole = next(c, 1) != NULL && gif_skip_blocks(c);
        }
        if (!whole) {
            return cut_short("GIF", e);
        }
    }
}

/* WebP, RFC 9649: chunks within RIFF, padded to even length. */
struct riff_chunk {
    const unsigned char *name;
    const unsigned char *body;
    size_t len;
};

static int next_chunk(struct cursor *c, struct riff_chunk *out, struct err *e)
{
    out->name = next(c, 8);
    out->len = out->name != NULL ? little32(out->name + 4) : 0;
    out->body = out->name != NULL ? next(c, out->len) : NULL;
    if (out->body == NULL || (out->len % 2 != 0 && next(c, 1) == NULL)) {
        return cut_short("WebP", e);
    }
    return 0;
}

static bool chunk_is(const struct riff_chunk *chunk, const char *name)
{
    return memcmp(chunk->name, name, 4) == 0;
}

static int bad_webp(const struct riff_chunk *chunk, struct err *e)
{
    return err_set(e, ERR_INPUT, "the %.4s chunk of the WebP is damaged",
                   (const char *)chunk->name);
}

/* A key frame of VP8, RFC 6386 section 9.1; sizes have 14 bits. */
static int read_vp8(const struct riff_chunk *chunk, struct image_header *out, struct err *e)
{
    const unsigned char *body = chunk->body;
    if (chunk->len < 10 || (body[0] & 1) != 0 || memcmp(body + 3, "\x9d\x01\x2a", 3) != 0) {
        return bad_webp(chunk, e);
    }
    return set_size(out, little16(body + 6) & 0x3fff, little16(body + 8) & 0x3fff, e);
}

static int read_vp8l(const struct riff_chunk *chunk, struct image_header *out, struct err *e)
{
    if (chunk->len < 5 || chunk->body[0] != 0x2f || chunk->body[4] >> 5 != 0) {
        return bad_webp(chunk, e);
    }
    uint32_t bits = little32(chunk->body + 1);
    return set_size(out, (bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1, e);
}

/* The extended form: the size of the canvas here, pixels in a later chunk. */
static int read_vp8x(const struct riff_chunk *first, struct cursor *c, struct image_header *out,
                     struct err *e)
{
    if (first->len < 10) {
        return bad_webp(first, e);
    }
    bool has_pixels = false;
    while (c->at < c->end) {
        struct riff_chunk chunk;
        if (next_chunk(c, &chunk, e) < 0) {
            return -1;
        }
        has_pixels |=
            chunk_is(&chunk, "VP8 ") || chunk_is(&chunk, "VP8L") || chunk_is(&chunk, "ANMF");
    }
    if (!has_pixels) {
        return err_set(e, ERR_INPUT, "the WebP has no pixels in it");
    }
    return set_size(out, little24(first->body + 4) + 1, little24(first->body + 7) + 1, e);
}

int sniff_read_webp(struct cursor *c, struct image_header *out, struct err *e)
{
    const unsigned char *riff = next(c, 12);
    size_t len = riff != NULL ? little32(riff + 4) : 0;
    if (riff == NULL || len < 4 || len - 4 > (size_t)(c->end - c->at)) {
        return cut_short("WebP", e);
    }
    c->end = c->at + (len - 4);
    struct riff_chunk first;
    if (next_chunk(c, &first, e) < 0) {
        return -1;
    }
    if (chunk_is(&first, "VP8 ")) {
        return read_vp8(&first, out, e);
    }
    if (chunk_is(&first, "VP8L")) {
        return read_vp8l(&first, out, e);
    }
    if (chunk_is(&first, "VP8X")) {
        return read_vp8x(&first, c, out, e);
    }
    return err_set(e, ERR_INPUT, "the WebP does not begin with its pixels or its header");
}
