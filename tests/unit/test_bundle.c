/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <jansson.h>

#include "base/bounds.h"
#include "base/jscan.h"
#include "mime/bundle.h"
#include "tests/unit/unit.h"

/* The finished JSON, with the braces that the caller of bundle_write adds. Always well-formed. */
static struct slice written(const struct bundle *b, struct buf *out)
{
    struct err e = ERR_NONE;
    (void)buf_add_byte(out, '{');
    assert_int_equal(bundle_write(b, out), 0);
    (void)buf_add_byte(out, '}');
    assert_ok(jscan_check(buf_slice(out), JSCAN_STRICT, JSON_DEPTH_MAX, &e));
    return buf_slice(out);
}

static struct slice data_of(struct slice json, const char *mime)
{
    return jscan_get(jscan_get(json, "data"), mime);
}

static void test_bundle_write_all_forms_in_place(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    assert_int_equal(bundle_add_text(&b, "text/html", SLICE_LIT("<b>\"x\"</b>")), 0);
    assert_int_equal(bundle_add_text(&b, "text/plain", SLICE_LIT("x\n")), 0);
    assert_int_equal(bundle_add_binary(&b, "image/png", SLICE_LIT("\x89PNG")), 0);
    assert_int_equal(bundle_add_json(&b, "application/json", SLICE_LIT("{\"a\": [1]}")), 0);
    assert_int_equal(bundle_add_metadata(&b, "image/png", SLICE_LIT("{\"width\": 2}")), 0);

    assert_slice_equal(written(&b, &out),
                       "{\"data\": {\"text/plain\": \"x\\n\", "
                       "\"text/html\": \"<b>\\\"x\\\"</b>\", \"image/png\": \"iVBORw==\", "
                       "\"application/json\": {\"a\": [1]}}, "
                       "\"metadata\": {\"image/png\": {\"width\": 2}}}");
    assert_int_equal(b.dropped, 0);
}

static void test_bundle_write_empty_still_has_text(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    assert_slice_equal(written(&b, &out), "{\"data\": {\"text/plain\": \"\"}, \"metadata\": {}}");
}

static void test_bundle_add_same_type_first_counts(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    assert_int_equal(bundle_add_text(&b, "text/plain", SLICE_LIT("one")), 0);
    assert_int_equal(bundle_add_text(&b, "text/plain", SLICE_LIT("two")), -1);
    assert_int_equal(bundle_add_text(&b, "image/svg+xml", SLICE_LIT("one")), 0);
    assert_int_equal(bundle_add_binary(&b, "image/svg+xml", SLICE_LIT("two")), -1);
    assert_int_equal(bundle_add_json(&b, "image/svg+xml", SLICE_LIT("2")), -1);
    assert_int_equal(bundle_add_metadata(&b, "image/svg+xml", SLICE_LIT("{}")), 0);
    assert_int_equal(bundle_add_metadata(&b, "image/svg+xml", SLICE_LIT("{\"x\": 1}")), -1);

    struct slice json = written(&b, &out);
    assert_slice_equal(data_of(json, "text/plain"), "\"one\"");
    assert_slice_equal(data_of(json, "image/svg+xml"), "\"one\"");
    assert_slice_equal(jscan_get(json, "metadata"), "{\"image/svg+xml\": {}}");
    assert_int_equal(b.dropped, 0);
}

static void test_bundle_add_type_that_contains_another_is_new(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    bundle_init(&b, MIB);

    assert_int_equal(bundle_add_text(&b, "text/x-html", SLICE_LIT("")), 0);
    assert_int_equal(bundle_add_text(&b, "text/x", SLICE_LIT("")), 0);
    assert_int_equal(bundle_add_text(&b, "text/x-h", SLICE_LIT("")), 0);
    assert_int_equal(bundle_add_json(&b, "a/b", SLICE_LIT("{\"text/inner\": 1}")), 0);
    assert_int_equal(bundle_add_text(&b, "text/inner", SLICE_LIT("")), 0);
    assert_int_equal(bundle_add_text(&b, "x\ndtext/y\n", SLICE_LIT("")), 0);
    assert_int_equal(bundle_add_text(&b, "text/y", SLICE_LIT("")), 0);
}

static void test_bundle_add_json_as_text_plain_is_the_only_one(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    assert_int_equal(bundle_add_json(&b, "text/plain", SLICE_LIT("[1]")), 0);
    assert_int_equal(bundle_add_text(&b, "text/plain", SLICE_LIT("two")), -1);

    assert_slice_equal(written(&b, &out), "{\"data\": {\"text/plain\": [1]}, \"metadata\": {}}");
}

static void test_bundle_add_strange_name_stays_json(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    assert_int_equal(bundle_add_text(&b, "a\"/\n\xff", SLICE_LIT("x")), 0);

    assert_slice_equal(data_of(written(&b, &out), "a\"/\n\xef\xbf\xbd"), "\"x\"");
}

/* RFC 4648, section 10. */
static void test_bundle_add_binary_test_vectors(void **state)
{
    (void)state;

    const struct {
        struct slice bytes;
        const char *base64;
    } cases[] = {
        {SLICE_LIT(""), "\"\""},
        {SLICE_LIT("f"), "\"Zg==\""},
        {SLICE_LIT("fo"), "\"Zm8=\""},
        {SLICE_LIT("foo"), "\"Zm9v\""},
        {SLICE_LIT("foob"), "\"Zm9vYg==\""},
        {SLICE_LIT("fooba"), "\"Zm9vYmE=\""},
        {SLICE_LIT("foobar"), "\"Zm9vYmFy\""},
        {SLICE_LIT("\xff\xef\xfb\x00"), "\"/+/7AA==\""},
        {SLICE_NONE, "\"\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        _cleanup_(drop_bundle) struct bundle b;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        bundle_init(&b, MIB);
        assert_int_equal(bundle_add_binary(&b, "image/png", cases[i].bytes), 0);
        assert_slice_equal(data_of(written(&b, &out), "image/png"), cases[i].base64);
    }
}

/* `len` bytes of text that has every kind of cost: escapes, control bytes, wide code points. */
static void add_costly(struct buf *out, size_t len)
{
    static const char pattern[] =
        "abc \"\\\n\x01 gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x8c\x99 ";
    while (out->len + sizeof pattern < len) {
        (void)buf_add(out, pattern, sizeof pattern - 1);
    }
}

static void test_bundle_add_text_too_long_is_cut_with_a_mark(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MIB);
    add_costly(&text, 5000);
    for (size_t budget = 0; budget < 6000; budget += 37) {
        _cleanup_(drop_bundle) struct bundle b;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        _cleanup_(drop_buf) struct buf seen = BUF_INIT(MIB);
        bundle_init(&b, budget);
        assert_int_equal(bundle_add_text(&b, "text/plain", buf_slice(&text)), 0);

        struct slice json = written(&b, &out);
        assert_int_equal(jscan_string(data_of(json, "text/plain"), &seen), 0);
        if (budget >= 200) {
            size_t missing = 0;
            char *mark = strstr(seen.data, "\n... (");
            assert_non_null(mark);
            assert_int_equal(sscanf(mark, "\n... (%zu more bytes)", &missing), 1);
            assert_int_equal((size_t)(mark - seen.data) + missing, text.len);
            assert_memory_equal(seen.data, text.data, mark - seen.data);
            assert_true(json.len - 2 <= budget);
            assert_true(json.len - 2 + 80 >= budget);
        }
    }
}

static void test_bundle_add_text_that_fits_exactly_is_whole(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(MIB);
    memset(buf_reserve(&text, 900), 'x', 900);
    buf_commit(&text, 900);
    bundle_init(&b, 944); /* 44 bytes stand around the text */

    (void)bundle_add_text(&b, "text/plain", buf_slice(&text));
    assert_int_equal(jscan_string(data_of(written(&b, &out), "text/plain"), &seen), 0);
    assert_true(slice_eq(buf_slice(&seen), buf_slice(&text)));

    b.budget--;
    buf_clear(&out);
    assert_int_not_equal(data_of(written(&b, &out), "text/plain").len, 902);
}

static void test_bundle_add_rich_type_too_large_is_dropped_and_counted(void **state)
{
    (void)state;
    static char big[5000];
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, 4000);
    memset(big, '1', sizeof big);
    struct slice bytes = {big, sizeof big};

    assert_int_equal(bundle_add_binary(&b, "image/png", bytes), -1);
    assert_int_equal(bundle_add_text(&b, "text/html", bytes), -1);
    assert_int_equal(bundle_add_json(&b, "application/json", bytes), -1);
    assert_int_equal(bundle_add_metadata(&b, "image/png", bytes), -1);
    assert_int_equal(bundle_add_text(&b, "text/latex", SLICE_LIT("small")), 0);

    struct slice json = written(&b, &out);
    assert_int_equal(b.dropped, 4);
    assert_slice_equal(
        json, "{\"data\": {\"text/plain\": "
              "\"... (image/png of 6668 bytes left out: over the limit of 4000)\\n"
              "... (text/html of 5000 bytes left out: over the limit of 4000)\\n"
              "... (application/json of 5000 bytes left out: over the limit of 4000)\\n"
              "... (metadata of image/png of 5000 bytes left out: over the limit of 4000)\", "
              "\"text/latex\": \"small\"}, \"metadata\": {}}");
}

/* A long text must not push out the picture, nor the picture the text altogether. */
static void test_bundle_text_gives_way_to_rich_types(void **state)
{
    (void)state;
    static char big[6000];
    memset(big, 'x', sizeof big);
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, 10000);

    assert_int_equal(bundle_add_text(&b, "text/plain", (struct slice){big, sizeof big}), 0);
    assert_int_equal(bundle_add_text(&b, "text/html", (struct slice){big, sizeof big}), 0);

    struct slice json = written(&b, &out);
    assert_true(json.len - 2 <= 10000);
    assert_int_equal(data_of(json, "text/html").len, sizeof big + 2);
    assert_in_range(data_of(json, "text/plain").len, 2000, 4000);
}

static void test_bundle_add_text_not_utf8_is_repaired(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    (void)bundle_add_text(&b, "text/plain", SLICE_LIT("a\xff"));
    (void)bundle_add_text(&b, "text/html", SLICE_LIT("b\xc3"));

    struct slice json = written(&b, &out);
    assert_slice_equal(data_of(json, "text/plain"), "\"a\xef\xbf\xbd\"");
    assert_slice_equal(data_of(json, "text/html"), "\"b\xef\xbf\xbd\"");
}

/* The worst case of the text's own ceiling: every byte becomes three. */
static void test_bundle_add_text_all_ill_formed_fits_its_buffer(void **state)
{
    (void)state;
    static char big[3000];
    memset(big, 0xff, sizeof big);
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, 2000);

    assert_int_equal(bundle_add_text(&b, "text/plain", (struct slice){big, sizeof big}), 0);

    assert_in_range(written(&b, &out).len, 1900, 2002);
}

static void test_bundle_write_at_the_ceiling_adds_nothing(void **state)
{
    (void)state;
    _cleanup_(drop_bundle) struct bundle b;
    bundle_init(&b, MIB);
    (void)bundle_add_text(&b, "text/plain", SLICE_LIT("text"));
    (void)bundle_add_text(&b, "text/html", SLICE_LIT("html"));
    _cleanup_(drop_buf) struct buf whole = BUF_INIT(MIB);
    (void)bundle_write(&b, &whole);

    for (size_t limit = 1; limit < 1 + whole.len; limit++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(limit);
        (void)buf_add_byte(&out, '{');
        assert_int_equal(bundle_write(&b, &out), -1);
        assert_string_equal(buf_text(&out), "{");
    }
}

/* Text, its mark and the notes share the room that is left, whatever it is. */
static void test_bundle_notes_stand_behind_the_text_and_within_the_budget(void **state)
{
    (void)state;
    static char big[9000];
    memset(big, 'x', sizeof big);
    struct slice bytes = {big, sizeof big};
    for (size_t budget = 0; budget < 8000; budget += 61) {
        _cleanup_(drop_bundle) struct bundle b;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        _cleanup_(drop_buf) struct buf seen = BUF_INIT(MIB);
        bundle_init(&b, budget);
        (void)bundle_add_text(&b, "text/plain", bytes);
        assert_int_equal(bundle_add_text(&b, "text/html", bytes), -1);

        struct slice json = written(&b, &out);
        assert_int_equal(jscan_string(data_of(json, "text/plain"), &seen), 0);
        assert_true(budget < 44 || json.len - 2 <= budget);
        if (budget >= 800) {
            assert_non_null(strstr(seen.data, "x\n... ("));
            assert_non_null(strstr(seen.data, " more bytes)\n... (text/html of 9000 bytes left "));
        }
    }
}

/* What makes a type that did not fit need not be asked again. */
static void test_bundle_knows_what_is_there_and_what_was_left_out(void **state)
{
    (void)state;
    static char big[3000];
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, 2000);

    assert_int_equal(bundle_add_json(&b, "application/json", SLICE_LIT("1")), 0);
    assert_int_equal(bundle_add_binary(&b, "image/png", (struct slice){big, sizeof big}), -1);
    assert_int_equal(bundle_add_binary(&b, "image/png", SLICE_LIT("x")), -1);

    assert_true(bundle_knows(&b, "application/json"));
    assert_true(bundle_knows(&b, "image/png"));
    assert_false(bundle_knows(&b, "image/jpeg"));
    assert_int_equal(b.dropped, 1);
    assert_int_equal(data_of(written(&b, &out), "image/png").len, 0);
}

static void test_bundle_text_as_json_that_is_too_large_leaves_a_text(void **state)
{
    (void)state;
    static char big[3000];
    memset(big, '1', sizeof big);
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, 2000);

    assert_int_equal(bundle_add_json(&b, "text/plain", (struct slice){big, sizeof big}), -1);

    assert_true(data_of(written(&b, &out), "text/plain").len > 0);
}

static void test_bundle_many_notes_are_counted(void **state)
{
    (void)state;
    static char big[MIB];
    memset(big, 'x', sizeof big);
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf seen = BUF_INIT(MIB);
    bundle_init(&b, MIB);
    (void)bundle_add_text(&b, "text/plain", SLICE_LIT("value"));

    for (int i = 0; i < 50; i++) {
        char name[300];
        (void)snprintf(name, sizeof name, "x/%0250d", i);
        assert_int_equal(bundle_add_text(&b, name, (struct slice){big, sizeof big}), -1);
    }

    assert_int_equal(jscan_string(data_of(written(&b, &out), "text/plain"), &seen), 0);
    assert_memory_equal(seen.data, "value\n... (x/000", 15);
    assert_non_null(strstr(seen.data, "\n... (42 more left out)"));
    assert_true(seen.len < 2500);
}

/* A picture that fills the budget to the last byte leaves room for the note on the next. */
static void test_bundle_full_of_a_picture_still_has_its_note(void **state)
{
    (void)state;
    static char big[30000];
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, 20000);
    (void)bundle_add_text(&b, "text/plain", SLICE_LIT("<Figure>"));
    size_t len = 30000;
    while (bundle_add_binary(&b, "image/png", (struct slice){big, len}) < 0) {
        b.dropped = 0;
        buf_clear(&b.notes);
        buf_clear(&b.names);
        len--;
    }
    (void)bundle_add_binary(&b, "image/jpeg", (struct slice){big, 3000});

    struct slice json = written(&b, &out);

    assert_true(json.len - 2 <= 20000);
    assert_slice_equal(data_of(json, "text/plain"),
                       "\"<Figure>\\n... (image/jpeg of 4000 bytes left out: over the limit of "
                       "20000)\"");
}

#define DOT_GIF_LINES                                                                              \
    "R0lGODlhAQABAIAAAAAAAP///yH5\nBAEAAAAALAAAAAABAAEAAAIBRAA7\n" /* a gif of one pixel */

static void test_bundle_add_base64_is_checked_and_has_no_line_breaks(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    _cleanup_(drop_bundle) struct bundle b;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    bundle_init(&b, MIB);

    assert_ok(bundle_add_base64(&b, "image/gif", SLICE_LIT(DOT_GIF_LINES), &e));
    assert_ok(bundle_add_base64(&b, "application/pdf", SLICE_LIT("JVBERi0=\n"), &e));
    assert_ok(bundle_add_base64(&b, "application/pdf", SLICE_LIT("AAAA"), &e)); /* is there */

    struct slice json = written(&b, &out);
    assert_slice_equal(data_of(json, "image/gif"),
                       "\"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7\"");
    assert_slice_equal(data_of(json, "application/pdf"), "\"JVBERi0=\"");
}

static void test_bundle_add_base64_of_something_else_is_an_error(void **state)
{
    (void)state;

    static const struct {
        const char *mime;
        const char *text;
        const char *says;
    } cases[] = {
        {"image/png", "zzz", "image/png: not base64: padding is missing at offset 3"},
        {"image/png", "<svg/>", "image/png: not base64: '<' at offset 0"},
        {"image/png", "enp6", "image/png: not a PNG (starts with 7a 7a 7a)"},
        {"image/png", DOT_GIF_LINES, "image/png: the data are a GIF"},
        {"image/gif", "R0lGODlhAQABAAAAAA==", "image/gif: the GIF ends too early"},
        {"application/pdf", "%PDF", "application/pdf: not base64: '%' at offset 0"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err e = ERR_NONE;
        _cleanup_(drop_bundle) struct bundle b;
        bundle_init(&b, MIB);

        assert_err(bundle_add_base64(&b, cases[i].mime, slice_of(cases[i].text), &e), ERR_INPUT);

        assert_string_equal(e.text, cases[i].says);
        assert_int_equal(b.data.len, 0);
        assert_int_equal(b.dropped, 0);
    }
}

static void test_bundle_ascii_has_no_other_bytes_and_the_same_meaning(void **state)
{
    (void)state;
    struct buf outs[2] = {BUF_INIT(MIB), BUF_INIT(MIB)};
    for (int ascii = 0; ascii < 2; ascii++) {
        _cleanup_(drop_bundle) struct bundle b;
        bundle_init(&b, MIB);
        b.ascii = ascii != 0;
        (void)bundle_add_text(&b, "text/plain", SLICE_LIT("gr\xc3\xbc\xc3\x9f\n\xff"));
        (void)bundle_add_text(&b, "text/html", SLICE_LIT("\xf0\x9f\x8c\x99"));
        (void)bundle_add_json(&b, "a/\xc3\xa4", SLICE_LIT("{\"\xe2\x82\xac\": 1}"));
        (void)bundle_add_metadata(&b, "text/html", SLICE_LIT("{\"\xe2\x82\xac\": 1}"));
        (void)written(&b, &outs[ascii]);
    }

    json_auto_t *plain = json_loads(outs[0].data, 0, NULL);
    json_auto_t *escaped = json_loads(outs[1].data, 0, NULL);
    assert_non_null(plain);
    assert_true(json_equal(plain, escaped));
    for (size_t i = 0; i < outs[1].len; i++) {
        assert_true((unsigned char)outs[1].data[i] < 0x80);
    }
    buf_done(&outs[0]);
    buf_done(&outs[1]);
}

static void test_bundle_ascii_keeps_the_budget(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf text = BUF_INIT(MIB);
    add_costly(&text, 3000);
    for (size_t budget = 200; budget < 12000; budget += 97) {
        _cleanup_(drop_bundle) struct bundle b;
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        bundle_init(&b, budget);
        b.ascii = true;
        (void)bundle_add_text(&b, "text/html", buf_slice(&text));
        (void)bundle_add_text(&b, "text/plain", buf_slice(&text));

        assert_true(written(&b, &out).len - 2 <= budget);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bundle_write_all_forms_in_place),
        cmocka_unit_test(test_bundle_write_empty_still_has_text),
        cmocka_unit_test(test_bundle_add_same_type_first_counts),
        cmocka_unit_test(test_bundle_add_type_that_contains_another_is_new),
        cmocka_unit_test(test_bundle_add_json_as_text_plain_is_the_only_one),
        cmocka_unit_test(test_bundle_add_strange_name_stays_json),
        cmocka_unit_test(test_bundle_add_binary_test_vectors),
        cmocka_unit_test(test_bundle_add_text_too_long_is_cut_with_a_mark),
        cmocka_unit_test(test_bundle_add_text_that_fits_exactly_is_whole),
        cmocka_unit_test(test_bundle_add_rich_type_too_large_is_dropped_and_counted),
        cmocka_unit_test(test_bundle_text_gives_way_to_rich_types),
        cmocka_unit_test(test_bundle_add_text_not_utf8_is_repaired),
        cmocka_unit_test(test_bundle_add_text_all_ill_formed_fits_its_buffer),
        cmocka_unit_test(test_bundle_write_at_the_ceiling_adds_nothing),
        cmocka_unit_test(test_bundle_notes_stand_behind_the_text_and_within_the_budget),
        cmocka_unit_test(test_bundle_knows_what_is_there_and_what_was_left_out),
        cmocka_unit_test(test_bundle_text_as_json_that_is_too_large_leaves_a_text),
        cmocka_unit_test(test_bundle_many_notes_are_counted),
        cmocka_unit_test(test_bundle_full_of_a_picture_still_has_its_note),
        cmocka_unit_test(test_bundle_add_base64_is_checked_and_has_no_line_breaks),
        cmocka_unit_test(test_bundle_add_base64_of_something_else_is_an_error),
        cmocka_unit_test(test_bundle_ascii_has_no_other_bytes_and_the_same_meaning),
        cmocka_unit_test(test_bundle_ascii_keeps_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
