/* SPDX-License-Identifier: MIT */
#include "mime/type.h"
#include "tests/unit/unit.h"

static void test_mime_type_info_rows_match_the_table(void **state)
{
    (void)state;

    assert_string_equal(mime_type_info(MIME_TYPE_PLAIN)->name, "text/plain");
    assert_null(mime_type_info(MIME_TYPE_PLAIN)->method);
    assert_string_equal(mime_type_info(MIME_TYPE_PNG)->method, "_repr_png_");
    assert_int_equal(mime_type_info(MIME_TYPE_PNG)->form, MIME_BINARY);
    for (int i = 0; i < MIME_TYPES; i++) {
        const struct mime_info *info = mime_type_info((enum mime_type)i);
        assert_true(mime_name_is_valid(slice_of(info->name)));
        assert_int_equal(mime_form_of(slice_of(info->name)), info->form);
    }
}

static void test_mime_type_info_methods_are_in_the_order_of_ipython(void **state)
{
    (void)state;
    const char *order[] = {"_repr_html_",  "_repr_markdown_", "_repr_svg_",
                           "_repr_png_",   "_repr_pdf_",      "_repr_jpeg_",
                           "_repr_latex_", "_repr_json_",     "_repr_javascript_"};
    size_t found = 0;

    for (int i = 0; i < MIME_TYPES; i++) {
        const char *method = mime_type_info((enum mime_type)i)->method;
        if (method != NULL) {
            assert_true(found < ARRAY_LEN(order));
            assert_string_equal(method, order[found]);
            found++;
        }
    }
    assert_int_equal(found, ARRAY_LEN(order));
}

static void test_mime_type_info_labels_are_names_and_unique(void **state)
{
    (void)state;

    for (int i = 0; i < MIME_TYPES; i++) {
        const char *label = mime_type_info((enum mime_type)i)->label;
        for (int j = 0; label != NULL && j < i; j++) {
            const char *other = mime_type_info((enum mime_type)j)->label;
            assert_true(other == NULL || strcmp(label, other) != 0);
        }
        for (const char *at = label; at != NULL && *at != '\0'; at++) {
            assert_true((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'));
        }
    }
    assert_string_equal(mime_type_info(MIME_TYPE_VEGA_LITE)->label, "vegaLite");
    assert_null(mime_type_info(MIME_TYPE_CHART)->label);
}

static void test_mime_type_find_gives_the_row_or_nothing(void **state)
{
    (void)state;

    for (int i = 0; i < MIME_TYPES; i++) {
        const struct mime_info *info = mime_type_info((enum mime_type)i);
        assert_ptr_equal(mime_type_find(slice_of(info->name)), info);
    }
    assert_null(mime_type_find(SLICE_LIT("image/pngx")));
    assert_null(mime_type_find(SLICE_LIT("image/pn")));
    assert_null(mime_type_find(SLICE_LIT("IMAGE/PNG")));
    assert_null(mime_type_find(SLICE_NONE));
}

static void test_mime_form_of_names_outside_the_table(void **state)
{
    (void)state;

    const struct {
        const char *name;
        enum mime_form form;
    } cases[] = {
        {"application/vnd.vegalite.v4+json", MIME_JSON},
        {"application/ld+json", MIME_JSON},
        {"image/strange+json", MIME_JSON},
        {"text/x-python", MIME_TEXT},
        {"application/xhtml+xml", MIME_TEXT},
        {"image/other+xml", MIME_TEXT},
        {"image/bmp", MIME_BINARY},
        {"audio/wav", MIME_BINARY},
        {"video/mp4", MIME_BINARY},
        {"application/octet-stream", MIME_TEXT},
        {"imagery/gif", MIME_TEXT},
        {"json", MIME_TEXT},
        {"", MIME_TEXT},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (mime_form_of(slice_of(cases[i].name)) != cases[i].form) {
            fail_msg("%s", cases[i].name);
        }
    }
    assert_int_equal(mime_form_of(SLICE_NONE), MIME_TEXT);
}

static void test_mime_name_is_valid_takes_type_and_subtype(void **state)
{
    (void)state;

    assert_true(mime_name_is_valid(SLICE_LIT("text/plain")));
    assert_true(mime_name_is_valid(SLICE_LIT("application/vnd.jupyter.widget-view+json")));
    assert_true(mime_name_is_valid(SLICE_LIT("X-1/a_b.C+d")));
}

static void test_mime_name_is_valid_refuses_the_rest(void **state)
{
    (void)state;
    const struct slice bad[] = {
        SLICE_NONE,
        SLICE_LIT("text"),
        SLICE_LIT("/plain"),
        SLICE_LIT("text/"),
        SLICE_LIT("text/plain/more"),
        SLICE_LIT("text/pl ain"),
        SLICE_LIT("text/plain; charset=utf-8"),
        SLICE_LIT("text/\"x\""),
        SLICE_LIT("text/gr\xc3\xbcn"),
        SLICE_LIT("text/a\0b"),
        SLICE_LIT("text/\n"),
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(mime_name_is_valid(bad[i]));
    }
    char longest[2 * 127 + 2];
    memset(longest, 'a', sizeof longest);
    longest[127] = '/';
    assert_true(mime_name_is_valid((struct slice){longest, 255}));
    assert_false(mime_name_is_valid((struct slice){longest, 256}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mime_type_info_rows_match_the_table),
        cmocka_unit_test(test_mime_type_info_methods_are_in_the_order_of_ipython),
        cmocka_unit_test(test_mime_type_info_labels_are_names_and_unique),
        cmocka_unit_test(test_mime_type_find_gives_the_row_or_nothing),
        cmocka_unit_test(test_mime_form_of_names_outside_the_table),
        cmocka_unit_test(test_mime_name_is_valid_takes_type_and_subtype),
        cmocka_unit_test(test_mime_name_is_valid_refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
