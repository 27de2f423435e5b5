/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "mime/base64.h"
#include "tests/unit/unit.h"

/* RFC 4648, section 10, and the two last digits. */
static const struct {
    struct slice bytes;
    const char *text;
} vectors[] = {
    {SLICE_ROW(""), ""},
    {SLICE_ROW("f"), "Zg=="},
    {SLICE_ROW("fo"), "Zm8="},
    {SLICE_ROW("foo"), "Zm9v"},
    {SLICE_ROW("foob"), "Zm9vYg=="},
    {SLICE_ROW("fooba"), "Zm9vYmE="},
    {SLICE_ROW("foobar"), "Zm9vYmFy"},
    {SLICE_ROW("\xff\xef\xfb\x00"), "/+/7AA=="},
};

static void test_base64_add_test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

        assert_int_equal(base64_add(&out, vectors[i].bytes), 0);

        assert_slice_equal(buf_slice(&out), vectors[i].text);
        assert_int_equal(base64_len(vectors[i].bytes.len), out.len);
    }
}

static void test_base64_add_over_the_ceiling_adds_nothing(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(7);

    assert_int_equal(base64_add(&out, SLICE_LIT("foob")), -1);

    assert_int_equal(out.len, 0);
}

static void test_base64_decode_test_vectors(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

        assert_ok(base64_decode(slice_of(vectors[i].text), &out, &e));

        assert_true(slice_eq(buf_slice(&out), vectors[i].bytes));
    }
}

static void test_base64_decode_every_length_and_byte_comes_back(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    char bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)(i * 31 + i / 7);
    }
    for (size_t len = 0; len <= sizeof bytes; len++) {
        struct slice given = {bytes, len};
        _cleanup_(drop_buf) struct buf text = BUF_INIT(KIB);
        _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

        assert_int_equal(base64_add(&text, given), 0);
        assert_ok(base64_decode(buf_slice(&text), &out, &e));

        assert_true(slice_eq(buf_slice(&out), given));
    }
}

static void test_base64_decode_white_space_lies_anywhere(void **state)
{
    (void)state;
    static const char *const texts[] = {"Zm9vYmE=\n", " Z m\t9\rv\nY\vm\fE = ", "Zm9v\r\nYmE=\r\n",
                                        "\n\nZm9\nvYm\nE\n="};
    struct err e = ERR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);

        assert_ok(base64_decode(slice_of(texts[i]), &out, &e));

        assert_slice_equal(buf_slice(&out), "fooba");
    }
}

static void test_base64_decode_wrong_text_names_the_offset(void **state)
{
    (void)state;

    static const struct {
        struct slice text;
        const char *says;
    } cases[] = {
        {SLICE_ROW("zzz"), "padding is missing at offset 3"},
        {SLICE_ROW("Zm9vYg"), "padding is missing at offset 6"},
        {SLICE_ROW("Zm9vYg="), "padding is missing at offset 7"},
        {SLICE_ROW("Zm9vY"), "padding is missing at offset 5"},
        {SLICE_ROW("Zm9vYg= \n"), "padding is missing at offset 9"},
        {SLICE_ROW("Zm9vY==="), "'=' at offset 5"},
        {SLICE_ROW("="), "'=' at offset 0"},
        {SLICE_ROW("Zm9v="), "'=' at offset 4"},
        {SLICE_ROW("Zm9vYmE=="), "'=' at offset 8"},
        {SLICE_ROW("Zg==Zg=="), "'Z' at offset 4"},
        {SLICE_ROW("Zg=x"), "'x' at offset 3"},
        {SLICE_ROW("Zm9v-mE="), "'-' at offset 4"},
        {SLICE_ROW("Zm9v_"), "'_' at offset 4"},
        {SLICE_ROW("Zm9\0"), "byte 0x00 at offset 3"},
        {SLICE_ROW("Zm9v\xc3\xbc"), "byte 0xc3 at offset 4"},
        {SLICE_ROW("Zh=="), "'=' at offset 2"},     /* bits that are no byte's */
        {SLICE_ROW("Zm9vYmF="), "'=' at offset 7"}, /* the same for two bytes */
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(KIB);
        (void)buf_add_text(&out, "ab");

        assert_err(base64_decode(cases[i].text, &out, &e), ERR_INPUT);

        assert_non_null(strstr(e.text, cases[i].says));
        assert_string_equal(buf_text(&out), "ab");
    }
}

static void test_base64_decode_over_the_ceiling_is_limit(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(3);

    assert_err(base64_decode(SLICE_LIT("Zm9vYmFy"), &out, &e), ERR_LIMIT);

    assert_int_equal(out.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64_add_test_vectors),
        cmocka_unit_test(test_base64_add_over_the_ceiling_adds_nothing),
        cmocka_unit_test(test_base64_decode_test_vectors),
        cmocka_unit_test(test_base64_decode_every_length_and_byte_comes_back),
        cmocka_unit_test(test_base64_decode_white_space_lies_anywhere),
        cmocka_unit_test(test_base64_decode_wrong_text_names_the_offset),
        cmocka_unit_test(test_base64_decode_over_the_ceiling_is_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
