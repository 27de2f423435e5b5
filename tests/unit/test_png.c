/* SPDX-License-Identifier: MIT */
#include <png.h>

#include "base/bounds.h"
#include "base/mem.h"
#include "mime/png.h"
#include "tests/unit/unit.h"

static const png_uint_32 formats[] = {
    [PIXEL_GREY] = PNG_FORMAT_GRAY,
    [PIXEL_GREY_ALPHA] = PNG_FORMAT_GA,
    [PIXEL_RGB] = PNG_FORMAT_RGB,
    [PIXEL_RGBA] = PNG_FORMAT_RGBA,
};

/* Bytes that repeat late and are equal in no two neighbours; alpha takes all values too. */
static unsigned char *make_bytes(size_t len)
{
    unsigned char *bytes = xmalloc(len);
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (unsigned char)(i * 37 + i / 251);
    }
    return bytes;
}

/* Decodes `png`, which must be of this size and form, and compares it with the rows of `px`. */
static void assert_decodes(struct slice png, const struct pixels *px)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, png.data, png.len));
    assert_int_equal(image.width, px->width);
    assert_int_equal(image.height, px->height);
    assert_int_equal(image.format, formats[px->form]);

    size_t row = px->width * px->form;
    _cleanup_(drop_free) unsigned char *decoded = xmalloc(row * px->height);
    assert_true(png_image_finish_read(&image, NULL, decoded, (png_int_32)row, NULL));
    for (size_t y = 0; y < px->height; y++) {
        assert_memory_equal(decoded + y * row, px->data + y * px->stride, row);
    }
}

static void test_pixels_to_png_every_form_keeps_every_pixel(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {3, 2}, {1, 300}, {300, 1}, {64, 48}};
    struct err e = ERR_NONE;
    for (enum pixel_form form = PIXEL_GREY; form <= PIXEL_RGBA; form++) {
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
            size_t stride = sizes[i][0] * form;
            _cleanup_(drop_free) unsigned char *bytes = make_bytes(stride * sizes[i][1]);
            _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
            struct pixels px = {.data = bytes,
                                .len = stride * sizes[i][1],
                                .width = sizes[i][0],
                                .height = sizes[i][1],
                                .stride = stride,
                                .form = form};

            assert_ok(pixels_to_png(&px, &out, &e));

            assert_decodes(buf_slice(&out), &px);
        }
    }
}

/* 5 x 4 pixels in rows of 32 bytes, of which the last ends with its pixels. */
static struct pixels padded(const unsigned char *bytes)
{
    return (struct pixels){.data = bytes,
                           .len = 3 * 32 + 15,
                           .width = 5,
                           .height = 4,
                           .stride = 32,
                           .form = PIXEL_RGB};
}

static void test_pixels_to_png_skips_what_lies_between_rows(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct pixels px = padded(NULL);
    _cleanup_(drop_free) unsigned char *bytes = make_bytes(px.len);
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    px.data = bytes;

    assert_ok(pixels_to_png(&px, &out, &e));

    assert_decodes(buf_slice(&out), &px);
}

static void test_pixels_to_png_appends(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct pixels px = padded(NULL);
    _cleanup_(drop_free) unsigned char *bytes = make_bytes(px.len);
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    px.data = bytes;
    (void)buf_add_text(&out, "before");

    assert_ok(pixels_to_png(&px, &out, &e));

    assert_memory_equal(out.data, "before", 6);
    assert_decodes((struct slice){.data = out.data + 6, .len = out.len - 6}, &px);
}

/* The bytes are never looked at: the sizes alone are refused. */
static void test_pixels_to_png_bad_shapes_are_refused(void **state)
{
    (void)state;

    static const struct {
        struct pixels px;
        enum err_code code;
        const char *text;
    } cases[] = {
        {{.len = 4, .width = 0, .height = 1, .stride = 4, .form = PIXEL_RGBA}, ERR_INPUT, "0 x 1"},
        {{.len = 4, .width = 1, .height = 0, .stride = 4, .form = PIXEL_RGBA}, ERR_INPUT, "1 x 0"},
        {{.len = 8, .width = 2, .height = 1, .stride = 7, .form = PIXEL_RGBA},
         ERR_INPUT,
         "8 bytes"},
        {{.len = 7, .width = 2, .height = 1, .stride = 8, .form = PIXEL_RGBA},
         ERR_INPUT,
         "7 bytes"},
        {{.len = 15, .width = 2, .height = 2, .stride = 8, .form = PIXEL_RGBA},
         ERR_INPUT,
         "15 bytes"},
        {{.len = 16, .width = 1, .height = 3, .stride = SIZE_MAX / 2 + 1, .form = PIXEL_GREY},
         ERR_INPUT,
         "16 bytes"},
        {{.len = SIZE_MAX, .width = IMAGE_SIDE_MAX + 1, .height = 1, .stride = SIZE_MAX, .form = 1},
         ERR_LIMIT,
         "65536 a side"},
        {{.len = SIZE_MAX, .width = 1, .height = SIZE_MAX, .stride = 1, .form = 1},
         ERR_LIMIT,
         "65536 a side"},
        {{.len = SIZE_MAX, .width = 40000, .height = 1001, .stride = 40000, .form = 1},
         ERR_LIMIT,
         "40000000 pixels"},
    };
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;

        assert_err(pixels_to_png(&cases[i].px, &out, &e), cases[i].code);

        assert_non_null(strstr(e.text, cases[i].text));
        assert_int_equal(out.len, 0);
    }
}

/* The ceiling is met in the signature, in the header, between the rows and at the end. */
static void test_pixels_to_png_at_every_ceiling_leaves_the_buffer(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct pixels px = padded(NULL);
    _cleanup_(drop_free) unsigned char *bytes = make_bytes(px.len);
    _cleanup_(drop_buf) struct buf whole = BUF_INIT(MIB);
    px.data = bytes;
    assert_ok(pixels_to_png(&px, &whole, &e));

    for (size_t limit = 2; limit < whole.len + 2; limit++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(limit);
        (void)buf_add_text(&out, "ab");

        assert_err(pixels_to_png(&px, &out, &e), ERR_LIMIT);

        assert_slice_equal(buf_slice(&out), "ab");
        assert_non_null(strstr(e.text, "larger than allowed"));
    }
}

/* Nobody may want to know why. */
static void test_pixels_to_png_without_an_error_to_fill_fails_too(void **state)
{
    (void)state;
    struct pixels px = padded(NULL);
    _cleanup_(drop_free) unsigned char *bytes = make_bytes(px.len);
    _cleanup_(drop_buf) struct buf out = BUF_INIT(20);
    px.data = bytes;

    assert_int_equal(pixels_to_png(&px, &out, NULL), -1);
}

/* The largest that is allowed, of one colour: the width of a row and the sums hold. */
static void test_pixels_to_png_widest_row_is_written(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    size_t len = IMAGE_SIDE_MAX * 4;
    _cleanup_(drop_free) unsigned char *bytes = make_bytes(len);
    _cleanup_(drop_buf) struct buf out = BUF_INIT(IMAGE_PNG_MAX);
    struct pixels px = {.data = bytes,
                        .len = len,
                        .width = IMAGE_SIDE_MAX,
                        .height = 1,
                        .stride = len,
                        .form = PIXEL_RGBA};

    assert_ok(pixels_to_png(&px, &out, &e));

    assert_decodes(buf_slice(&out), &px);
}

/* Decodes `png` without any transformation and lends its header; rows are compared by the caller.
 */
struct decoded {
    png_structp png;
    png_infop info;
    png_bytepp rows; /* of the info */
    struct slice rest;
};

static void read_rest(png_structp png, png_bytep data, size_t len)
{
    struct slice *rest = png_get_io_ptr(png);
    assert_true(len <= rest->len);
    memcpy(data, rest->data, len);
    rest->data += len;
    rest->len -= len;
}

static void decode(struct slice bytes, struct decoded *d)
{
    d->rest = bytes;
    d->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    d->info = png_create_info_struct(d->png);
    png_set_read_fn(d->png, &d->rest, read_rest);
    png_read_png(d->png, d->info, PNG_TRANSFORM_IDENTITY, NULL);
    d->rows = png_get_rows(d->png, d->info);
}

static void decoded_done(struct decoded *d)
{
    png_destroy_read_struct(&d->png, &d->info, NULL);
}

static void test_pixels_to_png_of_16_bits_keeps_every_sample(void **state)
{
    (void)state;

    enum { WIDTH = 7, HEIGHT = 5 };
    struct err e = ERR_NONE;
    uint16_t samples[WIDTH * HEIGHT * 4];
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        samples[i] = (uint16_t)(i * 2477 + 13);
    }
    for (enum pixel_form form = PIXEL_GREY; form <= PIXEL_RGBA; form++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        struct pixels px = {.data = (const unsigned char *)samples,
                            .len = (size_t)WIDTH * HEIGHT * form * 2,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .stride = (size_t)WIDTH * form * 2,
                            .form = form,
                            .bits = 16};

        assert_ok(pixels_to_png(&px, &out, &e));

        struct decoded d;
        decode(buf_slice(&out), &d);
        assert_int_equal(png_get_bit_depth(d.png, d.info), 16);
        assert_int_equal(png_get_channels(d.png, d.info), form);
        size_t per_row = (size_t)WIDTH * form;
        for (size_t i = 0; i < per_row * HEIGHT; i++) {
            const unsigned char *at = d.rows[i / per_row] + i % per_row * 2;
            assert_int_equal(at[0] << 8 | at[1], samples[i]);
        }
        decoded_done(&d);
    }
}

static void test_pixels_to_png_of_a_palette_keeps_numbers_and_colours(void **state)
{
    (void)state;
    static const unsigned char numbers[] = {0, 1, 2, 9, 2, 1, 0, 9};
    static const unsigned char rgb[] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 1, 2, 3};
    static const unsigned char alpha[] = {255, 0, 128, 7};
    struct err e = ERR_NONE;
    for (size_t count = 3; count <= 4; count++) { /* the 9 lies between the rows */
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        struct palette palette = {.rgb = rgb, .alpha = count == 4 ? alpha : NULL, .count = count};
        struct pixels px = {.data = numbers,
                            .len = sizeof numbers,
                            .width = 3,
                            .height = 2,
                            .stride = 4,
                            .form = PIXEL_GREY,
                            .palette = &palette};

        assert_ok(pixels_to_png(&px, &out, &e));

        struct decoded d;
        png_colorp colours = NULL;
        png_bytep transparency = NULL;
        int entries = 0;
        int transparent = 0;
        decode(buf_slice(&out), &d);
        assert_int_equal(png_get_color_type(d.png, d.info), PNG_COLOR_TYPE_PALETTE);
        assert_memory_equal(d.rows[0], numbers, 3);
        assert_memory_equal(d.rows[1], numbers + 4, 3);
        (void)png_get_PLTE(d.png, d.info, &colours, &entries);
        (void)png_get_tRNS(d.png, d.info, &transparency, &transparent, NULL);
        assert_int_equal(entries, count);
        assert_memory_equal(colours, rgb, 3 * count);
        assert_int_equal(transparent, count == 4 ? 4 : 0);
        if (count == 4) {
            assert_memory_equal(transparency, alpha, count);
        }
        decoded_done(&d);
    }
}

static void test_pixels_to_png_number_without_a_colour_is_refused(void **state)
{
    (void)state;
    static const unsigned char numbers[] = {0, 1, 1, 2};
    static const unsigned char rgb[6];
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    struct palette palette = {.rgb = rgb, .count = 2};
    struct pixels px = {.data = numbers,
                        .len = sizeof numbers,
                        .width = 2,
                        .height = 2,
                        .stride = 2,
                        .form = PIXEL_GREY,
                        .palette = &palette};

    assert_err(pixels_to_png(&px, &out, &e), ERR_INPUT);

    assert_string_equal(e.text, "row 1 has colour 2 of a palette of 2");
    assert_int_equal(out.len, 0);
}

static void test_pixels_to_png_bad_forms_are_refused(void **state)
{
    (void)state;
    static const unsigned char bytes[64];
    static const struct palette none = {.rgb = bytes, .count = 0};
    static const struct palette many = {.rgb = bytes, .count = 257};
    static const struct palette good = {.rgb = bytes, .count = 2};

    static const struct {
        enum pixel_form form;
        unsigned bits;
        const struct palette *palette;
        const char *text;
    } cases[] = {
        {0, 8, NULL, "pixels of 0 samples"},
        {5, 8, NULL, "pixels of 5 samples"},
        {PIXEL_RGB, 4, NULL, "samples of 4 bits"},
        {PIXEL_RGB, 32, NULL, "samples of 32 bits"},
        {PIXEL_GREY, 0, &none, "palette of 0 colours"},
        {PIXEL_GREY, 0, &many, "palette of 257 colours"},
        {PIXEL_GREY, 16, &good, "one byte each"},
        {PIXEL_RGB, 0, &good, "one byte each"},
        {PIXEL_RGBA, 16, NULL, "cannot be 4 bytes apart"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        struct pixels px = {.data = bytes,
                            .len = sizeof bytes,
                            .width = 1,
                            .height = 2,
                            .stride = 4,
                            .form = cases[i].form,
                            .bits = cases[i].bits,
                            .palette = cases[i].palette};

        assert_err(pixels_to_png(&px, &out, &e), ERR_INPUT);

        assert_non_null(strstr(e.text, cases[i].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels_to_png_every_form_keeps_every_pixel),
        cmocka_unit_test(test_pixels_to_png_skips_what_lies_between_rows),
        cmocka_unit_test(test_pixels_to_png_appends),
        cmocka_unit_test(test_pixels_to_png_bad_shapes_are_refused),
        cmocka_unit_test(test_pixels_to_png_at_every_ceiling_leaves_the_buffer),
        cmocka_unit_test(test_pixels_to_png_without_an_error_to_fill_fails_too),
        cmocka_unit_test(test_pixels_to_png_widest_row_is_written),
        cmocka_unit_test(test_pixels_to_png_of_16_bits_keeps_every_sample),
        cmocka_unit_test(test_pixels_to_png_of_a_palette_keeps_numbers_and_colours),
        cmocka_unit_test(test_pixels_to_png_number_without_a_colour_is_refused),
        cmocka_unit_test(test_pixels_to_png_bad_forms_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
