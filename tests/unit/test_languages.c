/* SPDX-License-Identifier: MIT */
#include "kernel/core/languages.h"
#include "tests/unit/unit.h"

static void test_languages_are_found_by_name_file_and_line(void **state)
{
    (void)state;

    static const struct {
        const char *name;
        const char *file;
        const char *line;
    } rows[] = {
        {"python", "dir.js/x.py", "%%python"},
        {"javascript", "x.mjs", "%%js"},
        {"typescript", "x.d.ts", "%%ts"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct language *l = language_find(rows[i].name);
        assert_non_null(l);
        assert_ptr_equal(language_of_file(rows[i].file), l);
        assert_ptr_equal(language_of_line(slice_of(rows[i].line)), l);
    }
    assert_null(language_find("cobol"));
    assert_null(language_of_file("x.txt"));
    assert_null(language_of_file("py"));
    assert_null(language_of_line(SLICE_LIT("%%jsx")));
    assert_null(language_of_line(SLICE_NONE));
}

static void test_languages_every_row_is_whole(void **state)
{
    (void)state;
    for (const struct language *l = languages; l->name != NULL; l++) {
        const char *const texts[] = {l->title,
                                     l->worker,
                                     l->kernel,
                                     l->first_line,
                                     l->suffixes[0],
                                     l->version,
                                     l->mimetype,
                                     l->file_extension,
                                     l->pygments_lexer,
                                     l->codemirror_mode,
                                     l->nbconvert_exporter,
                                     l->banner};
        for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
            assert_non_null(texts[i]);
        }
    }
}

static void test_language_describe_unlisted_has_its_name(void **state)
{
    (void)state;
    struct language mock = language_describe("mock");

    assert_string_equal(mock.name, "mock");
    assert_string_equal(mock.file_extension, ".txt");
    assert_int_equal(mock.abilities, 0);
}

static void test_language_names_lists_those_that_can(void **state)
{
    (void)state;
    _cleanup_(drop_buf) struct buf all = BUF_INIT(200);
    _cleanup_(drop_buf) struct buf two = BUF_INIT(200);
    _cleanup_(drop_buf) struct buf one = BUF_INIT(200);

    language_names(0, "or", &all);
    language_names(LANGUAGE_CAN_FORBID, "and", &two);
    language_names(LANGUAGE_HAS_INTERPRETER, "and", &one);

    assert_string_equal(buf_text(&all), "python, javascript or typescript");
    assert_string_equal(buf_text(&two), "javascript and typescript");
    assert_string_equal(buf_text(&one), "python");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_languages_are_found_by_name_file_and_line),
        cmocka_unit_test(test_languages_every_row_is_whole),
        cmocka_unit_test(test_language_names_lists_those_that_can),
        cmocka_unit_test(test_language_describe_unlisted_has_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
