/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "mime/sniff.h"
#include "tests/unit/unit.h"

/* Whole pictures, as small as they come: what image libraries write for a handful of pixels. */
#define PNG_3X2                                                                                    \
    "\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x03\x00\x00\x00\x02\x08\x02\x00"      \
    "\x00\x00\x12\x16\xf1M\x00\x00\x00\x17IDATx\x9c\x63\x64``\x10\x61`\x10\x61``a\x10\x61\x80"     \
    "\x00\x00\x03\x34\x00\x42\x84\xab\xb8\xe7\x00\x00\x00\x00IEND\xae\x42`\x82"

#define JPEG_8X5                                                                                   \
    "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xdb\x00\x43\x00P7"   \
    "<F<2PFAFZUP_x\xc8\x82xnnx\xf5\xaf\xb9\x91\xc8\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"    \
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"     \
    "\xff\xff\xff\xff\xff\xff\xc0\x00\x0b\x08\x00\x05\x00\x08\x01\x01\x11\x00\xff\xc4\x00\x1f"     \
    "\x00\x00\x01\x05\x01\x01\x01\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02\x03\x04"     \
    "\x05\x06\x07\x08\x09\x0a\x0b\xff\xc4\x00\xb5\x10\x00\x02\x01\x03\x03\x02\x04\x03\x05\x05"     \
    "\x04\x04\x00\x00\x01}\x01\x02\x03\x00\x04\x11\x05\x12!1A\x06\x13Qa\x07\x22q\x14\x32\x81"      \
    "\x91\xa1\x08#B\xb1\xc1\x15R\xd1\xf0$3br\x82\x09\x0a\x16\x17\x18\x19\x1a%&'()*456789:CDEFGH"   \
    "IJSTUVWXYZcdefghijstuvwxyz\x83\x84\x85\x86\x87\x88\x89\x8a\x92\x93\x94\x95\x96\x97\x98\x99"   \
    "\x9a\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xc2\xc3\xc4"     \
    "\xc5\xc6\xc7\xc8\xc9\xca\xd2\xd3\xd4\xd5\xd6\xd7\xd8\xd9\xda\xe1\xe2\xe3\xe4\xe5\xe6\xe7"     \
    "\xe8\xe9\xea\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xff\xda\x00\x08\x01\x01\x00\x00\x3f"     \
    "\x00\x65\x7f\xff\xd9"

#define JPEG_PROGRESSIVE_16X9                                                                      \
    "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xdb\x00\x43\x00P7"   \
    "<F<2PFAFZUP_x\xc8\x82xnnx\xf5\xaf\xb9\x91\xc8\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"    \
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"     \
    "\xff\xff\xff\xff\xff\xff\xc2\x00\x0b\x08\x00\x09\x00\x10\x01\x01\x11\x00\xff\xc4\x00\x15"     \
    "\x00\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xff\xda\x00"     \
    "\x08\x01\x01\x00\x00\x00\x01\x91\xff\xc4\x00\x14\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00"     \
    "\x00\x00\x00\x00\x00\x00\x00 \xff\xda\x00\x08\x01\x01\x00\x01\x05\x02\x1f\xff\xc4\x00\x14"    \
    "\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00 \xff\xda\x00\x08\x01"    \
    "\x01\x00\x06\x3f\x02\x1f\xff\xc4\x00\x14\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"     \
    "\x00\x00\x00\x00\x00 \xff\xda\x00\x08\x01\x01\x00\x01\x3f!\x1f\xff\xda\x00\x08\x01\x01\x00"   \
    "\x00\x00\x10\xff\x00\xff\xc4\x00\x14\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"     \
    "\x00\x00\x00\x00 \xff\xda\x00\x08\x01\x01\x00\x01\x3f\x10\x1f\xff\xd9"

#define GIF_4X3                                                                                    \
    "GIF87a\x04\x00\x03\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x04\x00\x03"      \
    "\x00\x00\x08\x08\x00\x01\x08\x1cHP`@\x00;"

#define WEBP_LOSSY_5X4                                                                             \
    "RIFF0\x00\x00\x00WEBPVP8 $\x00\x00\x00\xb0\x01\x00\x9d\x01*\x05\x00\x04\x00\x07@\x96%\xa8"    \
    "\x02t\x01\x0e\xfe\x02\xec\x00\xfe\xe4\x0b\x0c|\xde\x0e\xa9mj\xc0\x00\x00"

#define WEBP_LOSSLESS_6X7                                                                          \
    "RIFF \x00\x00\x00WEBPVP8L\x14\x00\x00\x00/\x05\x80\x01\x00\x07P\x81T\x08 \x00\x0a\x9a\xfe"    \
    "\xc7\x88\x88\xfe\x07"

#define WEBP_EXTENDED_9X8                                                                          \
    "RIFF2\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00\x08\x00\x00\x07\x00\x00VP8L\x14"    \
    "\x00\x00\x00/\x05\x80\x01\x00\x07P\x81T\x08 \x00\x0a\x9a\xfe\xc7\x88\x88\xfe\x07"

#define PNG_NO_PIXELS                                                                              \
    "\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00"      \
    "\x00\x00:~\x9bU\x00\x00\x00\x00IEND\xae\x42`\x82"

static const struct {
    struct slice bytes;
    enum image_kind kind;
    const char *mime;
    uint32_t width;
    uint32_t height;
} samples[] = {
    {SLICE_ROW(PNG_3X2), IMAGE_PNG, "image/png", 3, 2},
    {SLICE_ROW(JPEG_8X5), IMAGE_JPEG, "image/jpeg", 8, 5},
    {SLICE_ROW(JPEG_PROGRESSIVE_16X9), IMAGE_JPEG, "image/jpeg", 16, 9},
    {SLICE_ROW(GIF_4X3), IMAGE_GIF, "image/gif", 4, 3},
    {SLICE_ROW(WEBP_LOSSY_5X4), IMAGE_WEBP, "image/webp", 5, 4},
    {SLICE_ROW(WEBP_LOSSLESS_6X7), IMAGE_WEBP, "image/webp", 6, 7},
    {SLICE_ROW(WEBP_EXTENDED_9X8), IMAGE_WEBP, "image/webp", 9, 8},
};

static void test_image_sniff_whole_pictures_give_kind_and_size(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        struct image_header header;

        assert_ok(image_sniff(samples[i].bytes, &header, &e));

        assert_int_equal(header.kind, samples[i].kind);
        assert_string_equal(header.mime, samples[i].mime);
        assert_int_equal(header.width, samples[i].width);
        assert_int_equal(header.height, samples[i].height);
    }
}

/* In a block of its exact size, so that the sanitizer sees a read of one byte too many. */
static int sniff_exact(struct slice bytes, struct image_header *out, struct err *e)
{
    _cleanup_(drop_free) char *exact = xmalloc(bytes.len);
    if (bytes.len > 0) {
        memcpy(exact, bytes.data, bytes.len);
    }
    return image_sniff((struct slice){exact, bytes.len}, out, e);
}

static void test_image_sniff_every_truncation_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        for (size_t len = 0; len < samples[i].bytes.len; len++) {
            struct image_header header = {.width = 77};
            struct err e = ERR_NONE;

            assert_err(sniff_exact((struct slice){samples[i].bytes.data, len}, &header, &e),
                       ERR_INPUT);

            assert_int_equal(header.width, 77);
            assert_true(e.text[0] != '\0');
        }
    }
}

static void test_image_sniff_bytes_behind_the_end_do_not_matter(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        _cleanup_(drop_buf) struct buf longer = BUF_INIT(8192);
        struct image_header header;
        (void)buf_add_slice(&longer, samples[i].bytes);
        (void)buf_add_text(&longer, "and more");

        assert_ok(image_sniff(buf_slice(&longer), &header, &e));

        assert_int_equal(header.width, samples[i].width);
    }
}

/* Any one byte may be anything: the answer is yes or no, and nothing is read outside. */
static void test_image_sniff_damaged_bytes_are_answered(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        _cleanup_(drop_buf) struct buf copy = BUF_INIT(8192);
        (void)buf_add_slice(&copy, samples[i].bytes);
        for (size_t at = 0; at < copy.len; at++) {
            static const char values[] = {0, 1, 0x7f, (char)0x80, (char)0xff};
            char kept = copy.data[at];
            for (size_t k = 0; k < sizeof values; k++) {
                struct image_header header = {.width = 1, .height = 1};
                struct err e = ERR_NONE;
                copy.data[at] = values[k];

                int failed = sniff_exact(buf_slice(&copy), &header, &e);

                assert_true(failed ? e.code == ERR_INPUT : header.width > 0 && header.height > 0);
            }
            copy.data[at] = kept;
        }
    }
}

/* `header` is all of IHDR from the width on, with its CRC. */
static void assert_png_header_is_refused(struct slice header, const char *says)
{
    struct err e = ERR_NONE;
    struct image_header out;
    _cleanup_(drop_buf) struct buf png = BUF_INIT(256);
    (void)buf_add_slice(&png, SLICE_LIT("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"));
    (void)buf_add_slice(&png, header);
    (void)buf_add_slice(&png, SLICE_LIT("\0\0\0\0IDAT\0\0\0\0\0\0\0\0IEND\xae\x42\x60\x82"));

    assert_err(image_sniff(buf_slice(&png), &out, &e), ERR_INPUT);

    assert_non_null(strstr(e.text, says));
}

static void test_image_sniff_illegal_png_headers_are_refused(void **state)
{
    (void)state;
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x00\x00\x00\x00\x01\x08\x06\x00\x00\x00\xf0\xd7\xaf\xb7"), "0 x 1");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x00\x08\x06\x00\x00\x00\xd4I\x17,"), "1 x 0");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x04\x06\x00\x00\x00\xda\xe5)\x88"),
        "no colour type 6 of 4 bits");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x10\x03\x00\x00\x00x[\xe8\xf8"),
        "no colour type 3 of 16 bits");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x01\x00\x00\x00\x82\xc2\xfc\x30"),
        "no colour type 1");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x07\x00\x00\x00\xa7\xa9\xa3\xec"),
        "no colour type 7");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x0a\x0e\xd0\x94"),
        "of 0 bits");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\xc8\x00\x00\x00\x00\xd3ks\x8e"), "of 200 bits");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x01\x00\x00;\xbc\xf1\x62"),
        "unknown way");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x02\xd4p\xfay"), "unknown way");
    assert_png_header_is_refused(
        SLICE_LIT("\x80\x00\x00\x00\x00\x00\x00\x01\x08\x00\x00\x00\x00u\xd6\xd5|"),
        "out of range");
    assert_png_header_is_refused(
        SLICE_LIT("\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x00\x00\x00\x00"), "CRC");
}

static void test_image_sniff_png_without_pixels_is_refused(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct image_header out;

    assert_err(image_sniff(SLICE_LIT(PNG_NO_PIXELS), &out, &e), ERR_INPUT);

    assert_string_equal(e.text, "the PNG has no pixels in it");
}

static void test_image_check_names_what_is_wrong(void **state)
{
    (void)state;

    static const struct {
        const char *mime;
        struct slice bytes;
        const char *text;
    } cases[] = {
        {"image/png", SLICE_ROW("zzz"), "image/png: not a PNG (starts with 7a 7a 7a)"},
        {"image/png", SLICE_ROW(""), "image/png: not a PNG (it is empty)"},
        {"image/jpeg", SLICE_ROW("0123456789"),
         "image/jpeg: not a JPEG (starts with 30 31 32 33 34 35 36 37)"},
        {"image/png", SLICE_ROW(JPEG_8X5), "image/png: the data are a JPEG"},
        {"image/webp", SLICE_ROW(GIF_4X3), "image/webp: the data are a GIF"},
        {"image/png", SLICE_ROW("\x89PNG\r\n\x1a\n"), "image/png: the PNG ends too early"},
        {"image/jpeg", SLICE_ROW("\xff\xd8\xff\xe0"), "image/jpeg: the JPEG ends too early"},
        {"image/gif", SLICE_ROW("GIF89a\1\0\1\0\0\0\0\x3b"),
         "image/gif: the GIF has no pixels in it"},
        {"image/gif", SLICE_ROW("GIF89a\0\0\1\0\0\0\0\x3b"),
         "image/gif: a picture of 0 x 1 has no pixels"},
        {"image/gif", SLICE_ROW("GIF89a\1\0\1\0\0\0\0?"),
         "image/gif: the GIF has a block of unknown kind 0x3f"},
        {"image/jpeg", SLICE_ROW("\xff\xd8\xff\xd9"), "image/jpeg: the JPEG has no pixels in it"},
        {"image/jpeg", SLICE_ROW("\xff\xd8\xff\xfe\0\2zz\xff\xd9"),
         "image/jpeg: the JPEG has bytes between its segments"},
        {"image/jpeg", SLICE_ROW("\xff\xd8\xff\xfe\0\1"),
         "image/jpeg: a segment of the JPEG has no length"},
        {"image/jpeg", SLICE_ROW("\xff\xd8\xff\xc0\0\x09\x08\0\1\0\1\1\1\xff\xd9"),
         "image/jpeg: the frame header of the JPEG is damaged"},
        {"image/webp", SLICE_ROW("RIFF\x0c\0\0\0WEBPVP8L\0\0\0\0"),
         "image/webp: the VP8L chunk of the WebP is damaged"},
        {"image/webp", SLICE_ROW("RIFF\x0c\0\0\0WEBPXMP \0\0\0\0"),
         "image/webp: the WebP does not begin with its pixels or its header"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;

        assert_err(image_check(cases[i].mime, cases[i].bytes, &e), ERR_INPUT);

        assert_string_equal(e.text, cases[i].text);
    }
}

static void test_image_check_right_and_unknown_types_pass(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        assert_ok(image_check(samples[i].mime, samples[i].bytes, &e));
    }

    assert_ok(image_check("application/pdf", SLICE_LIT("zzz"), &e));
    assert_ok(image_check("image/bmp", SLICE_LIT("zzz"), &e));
    assert_ok(image_check("", SLICE_NONE, &e));
}

static void test_image_check_without_an_error_to_fill_fails_too(void **state)
{
    (void)state;
    assert_int_equal(image_check("image/png", SLICE_LIT("zzz"), NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_image_sniff_whole_pictures_give_kind_and_size),
        cmocka_unit_test(test_image_sniff_every_truncation_is_refused),
        cmocka_unit_test(test_image_sniff_bytes_behind_the_end_do_not_matter),
        cmocka_unit_test(test_image_sniff_damaged_bytes_are_answered),
        cmocka_unit_test(test_image_sniff_illegal_png_headers_are_refused),
        cmocka_unit_test(test_image_sniff_png_without_pixels_is_refused),
        cmocka_unit_test(test_image_check_names_what_is_wrong),
        cmocka_unit_test(test_image_check_right_and_unknown_types_pass),
        cmocka_unit_test(test_image_check_without_an_error_to_fill_fails_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
