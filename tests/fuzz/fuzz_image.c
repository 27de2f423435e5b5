/* SPDX-License-Identifier: MIT */
/* fuzz_image.c - values of strangers on their way into a result: the input is read as a picture, as
 * base64, as pixels of any shape, and as a script of additions to a bundle of any budget. */
#include <assert.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "mime/base64.h"
#include "mime/bundle.h"
#include "mime/png.h"
#include "mime/sniff.h"
#include "tests/fuzz/fuzz.h"

/* Takes numbers and pieces off the front of the input. */
static unsigned take_byte(struct slice *input)
{
    if (input->len == 0) {
        return 0;
    }
    unsigned byte = (unsigned char)*input->data;
    input->data++;
    input->len--;
    return byte;
}

static struct slice take_piece(struct slice *input, size_t len)
{
    struct slice piece = {.data = input->data, .len = len < input->len ? len : input->len};
    input->data += piece.len;
    input->len -= piece.len;
    return piece;
}

static void try_sniff(struct slice bytes)
{
    struct image_header header = {0};
    struct err e = ERR_NONE;
    if (image_sniff(bytes, &header, &e) == 0) {
        assert(header.width > 0 && header.height > 0 && header.kind < IMAGE_KINDS);
        assert(image_check(header.mime, bytes, &e) == 0);
    } else {
        assert(e.code == ERR_INPUT && e.text[0] != '\0');
        assert(image_check("image/png", bytes, &e) < 0);
    }
}

static void try_base64(struct slice bytes)
{
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(2 * bytes.len + 4);
    _cleanup_(drop_buf) struct buf back = BUF_INIT(2 * bytes.len + 4);
    int failed = base64_add(&text, bytes);
    assert(!failed);
    failed = base64_decode(buf_slice(&text), &back, &e);
    assert(!failed && slice_eq(buf_slice(&back), bytes));

    buf_clear(&back);
    failed = base64_decode(bytes, &back, &e); /* the input is hardly ever base64 */
    assert(!failed || (e.code == ERR_INPUT && back.len == 0));
    if (!failed) {
        try_sniff(buf_slice(&back));
    }
}

/* Bytes that say the shape, then pixels; the palette is their beginning. */
static void try_png(struct slice input)
{
    struct err e = ERR_NONE;
    struct image_header header = {0};
    struct pixels px = {.form = (enum pixel_form)(take_byte(&input) % 6)};
    px.bits = take_byte(&input) % 4 * 8;
    px.width = take_byte(&input);
    px.height = take_byte(&input);
    px.stride = px.width * (size_t)px.form * (px.bits == 16 ? 2 : 1) + take_byte(&input) % 8;
    struct palette palette = {.count = take_byte(&input) + take_byte(&input) % 4};
    bool has_palette = palette.count > 0 && palette.count * 4 <= input.len;
    palette.rgb =
        (const unsigned char *)take_piece(&input, has_palette ? palette.count * 3 : 0).data;
    palette.alpha = (const unsigned char *)take_piece(&input, has_palette ? palette.count : 0).data;
    px.palette = has_palette ? &palette : NULL;
    px.data = (const unsigned char *)input.data;
    px.len = input.len;

    _cleanup_(drop_buf) struct buf png = BUF_INIT(MIB);
    if (pixels_to_png(&px, &png, &e) < 0) {
        assert(e.code == ERR_INPUT && png.len == 0);
        return;
    }
    assert(image_sniff(buf_slice(&png), &header, &e) == 0 && header.kind == IMAGE_PNG);
    assert(header.width == px.width && header.height == px.height);
}

static void add_json(struct bundle *b, const char *mime, struct slice raw, unsigned what)
{
    bool good = jscan_check(raw, JSCAN_STRICT, JSON_DEPTH_MAX, NULL) == 0; /* as callers promise */
    struct slice json = good ? raw : SLICE_LIT("{\"a\": [\"\xc3\xa4\", 1]}");
    (void)(what % 2 != 0 ? bundle_add_json(b, mime, json) : bundle_add_metadata(b, mime, json));
}

/* One addition: what, as which type, how many bytes. */
static void add_one(struct bundle *b, struct slice *input)
{
    static const char *const types[] = {"text/plain",       "text/html",  "image/png", "image/gif",
                                        "application/json", "a/\xc3\xa4", "x\"\xff\n", "",
                                        "image/webp"};
    struct err e = ERR_NONE;
    unsigned what = take_byte(input);
    const char *mime = types[take_byte(input) % ARRAY_LEN(types)];
    struct slice piece = take_piece(input, (size_t)take_byte(input) * (what > 127 ? 16 : 1));
    switch (what % 5) {
    case 0:
        (void)bundle_add_text(b, mime, piece);
        break;
    case 1:
        (void)bundle_add_binary(b, mime, piece);
        break;
    case 2:
        (void)(bundle_add_base64(b, mime, piece, &e) == 0); /* hardly ever */
        break;
    default:
        add_json(b, mime, piece, what);
    }
}

static void try_bundle(struct slice input)
{
    unsigned flags = take_byte(&input);
    size_t budget = 64 + 16 * (size_t)take_byte(&input);
    _cleanup_(drop_bundle) struct bundle b;
    bundle_init(&b, budget);
    b.ascii = flags % 2 != 0;
    while (input.len > 0) {
        add_one(&b, &input);
    }
    _cleanup_(drop_buf) struct buf out = BUF_INIT(2 * budget + KIB);
    (void)buf_add_byte(&out, '{');
    int failed = bundle_write(&b, &out);
    assert(!failed && out.len - 1 <= budget);
    (void)buf_add_byte(&out, '}');
    assert(jscan_check(buf_slice(&out), JSCAN_STRICT, JSON_DEPTH_MAX + 2, NULL) == 0);
    assert(jscan_kind(jscan_get(jscan_get(buf_slice(&out), "data"), "text/plain")) != JSCAN_NONE);
    for (size_t i = 0; i < out.len; i++) {
        assert(!b.ascii || (unsigned char)out.data[i] < 0x80);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice input = {.data = (const char *)data, .len = size};
    try_sniff(input);
    try_base64(input);
    try_png(input);
    try_bundle(input);
    return 0;
}
