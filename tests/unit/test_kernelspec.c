/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "kernel/cli/kernelspec.h"
#include "tests/unit/tree.h"

struct fixture {
    struct tree *tree;
    struct kernelspec_order order;
    const char *folder; /* to be filled */
    struct err e;
};

static int setup(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    f->tree = tree_new();
    tree_file(f->tree, "template/kernel.json",
              "{\"argv\": [\"pandia\", \"kernel\", \"-f\", \"{connection_file}\"],"
              " \"display_name\": \"Pandia Python\", \"metadata\": {\"debugger\": false}}",
              0644);
    tree_file(f->tree, "template/logo-64x64.png", "PNG", 0644);
    tree_file(f->tree, "template/.hidden", "", 0644);
    tree_file(f->tree, "template/folder/file", "", 0644);
    f->folder = tree_path(f->tree, "spec");
    assert_int_equal(mkdir(f->folder, 0755), 0);
    f->order = (struct kernelspec_order){.template_folder = tree_path(f->tree, "template"),
                                         .program = "/opt/bin/pandia",
                                         .language = "python"};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    tree_free(f->tree);
    free(f);
    return 0;
}

/* Gives the kernel.json that was written. */
static json_t *written(struct fixture *f)
{
    _cleanup_(drop_free) char *text = tree_text(f->tree, "spec/kernel.json");
    json_t *spec = NULL;
    struct err e = ERR_NONE;
    assert_ok(json_parse(slice_of(text), &spec, &e));
    return spec;
}

static void test_kernelspec_fill_points_argv_at_the_program(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(kernelspec_fill(&f->order, f->folder, &e));

    json_auto_t *spec = written(f);
    json_auto_t *wanted =
        json_pack("{s:[s,s,s,s], s:s, s:{s:b, s:{s:s, s:s, s:n}}}", "argv", "/opt/bin/pandia",
                  "kernel", "-f", "{connection_file}", "display_name", "Pandia Python", "metadata",
                  "debugger", 0, "pandia", "version",
                  json_string_value(json_object_get(
                      json_object_get(json_object_get(spec, "metadata"), "pandia"), "version")),
                  "language", "python", "python");
    assert_true(json_equal(spec, wanted));
}

static void test_kernelspec_fill_records_interpreter_and_name(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->order.python = "/venv/bin/python3";
    f->order.display_name = "Mine";

    assert_ok(kernelspec_fill(&f->order, f->folder, &e));

    json_auto_t *spec = written(f);
    const json_t *argv = json_object_get(spec, "argv");
    assert_int_equal(json_array_size(argv), 6);
    assert_string_equal(json_string_value(json_array_get(argv, 4)), "--python");
    assert_string_equal(json_string_value(json_array_get(argv, 5)), "/venv/bin/python3");
    assert_string_equal(json_string_value(json_object_get(spec, "display_name")), "Mine");
}

static void test_kernelspec_fill_copies_the_visible_files(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;

    assert_ok(kernelspec_fill(&f->order, f->folder, &e));

    _cleanup_(drop_free) char *logo = tree_text(f->tree, "spec/logo-64x64.png");
    assert_string_equal(logo, "PNG");
    assert_false(tree_has(f->tree, "spec/.hidden"));
    assert_false(tree_has(f->tree, "spec/folder"));
}

static void test_kernelspec_fill_broken_template_is_named(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    static const char *const broken[] = {"", "[1", "{}", "{\"argv\": []}", "{\"argv\": 1}"};
    for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
        tree_file(f->tree, "template/kernel.json", broken[i], 0644);

        assert_int_equal(kernelspec_fill(&f->order, f->folder, &e), -1);

        assert_non_null(strstr(e.text, "template/kernel.json"));
        assert_non_null(strstr(e.text, "reinstall"));
    }
}

static void test_kernelspec_fill_path_that_is_not_utf8_is_input_error(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->order.python = "/venv\xff/bin/python3";

    assert_err(kernelspec_fill(&f->order, f->folder, &e), ERR_INPUT);
}

static void test_kernelspec_read_gives_back_what_was_ordered(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    f->order.python = "/venv/bin/python3";
    assert_ok(kernelspec_fill(&f->order, f->folder, &e));
    _cleanup_(drop_kernelspec) struct kernelspec k = {0};

    assert_int_equal(kernelspec_read(f->folder, &k), KERNELSPEC_OURS);

    assert_string_equal(k.program, "/opt/bin/pandia");
    assert_string_equal(k.python, "/venv/bin/python3");
    assert_string_equal(k.language, "python");
    assert_string_equal(k.display_name, "Pandia Python");
    assert_non_null(k.version);
}

static void test_kernelspec_read_odd_types_are_absent_members(void **state)
{
    struct fixture *f = *state;
    tree_file(f->tree, "spec/kernel.json",
              "{\"argv\": {}, \"display_name\": 1, \"metadata\": {\"pandia\": {\"python\": []}}}",
              0644);
    _cleanup_(drop_kernelspec) struct kernelspec k = {0};

    assert_int_equal(kernelspec_read(f->folder, &k), KERNELSPEC_OURS);

    assert_null(k.program);
    assert_null(k.display_name);
    assert_null(k.python);
}

static void test_kernelspec_read_without_our_mark_is_foreign(void **state)
{
    struct fixture *f = *state;
    static const char *const others[] = {
        "{\"argv\": [\"python\"]}",
        "{\"metadata\": {}}",
        "{\"metadata\": {\"pandia\": true}}",
        "[]",
        "not JSON",
        "",
    };
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        tree_file(f->tree, "spec/kernel.json", others[i], 0644);
        assert_int_equal(kernelspec_read(f->folder, NULL), KERNELSPEC_FOREIGN);
    }
    assert_int_equal(unlink(tree_path(f->tree, "spec/kernel.json")), 0);
    assert_int_equal(kernelspec_read(f->folder, NULL), KERNELSPEC_FOREIGN);
    assert_int_equal(kernelspec_read(tree_file(f->tree, "file", "", 0644), NULL),
                     KERNELSPEC_FOREIGN);
}

static void test_kernelspec_read_link_is_foreign_and_nothing_is_absent(void **state)
{
    struct fixture *f = *state;
    struct err e = ERR_NONE;
    assert_ok(kernelspec_fill(&f->order, f->folder, &e));

    assert_int_equal(kernelspec_read(tree_link(f->tree, "link", "spec"), NULL), KERNELSPEC_FOREIGN);
    assert_int_equal(kernelspec_read(tree_path(f->tree, "none"), NULL), KERNELSPEC_ABSENT);
    assert_int_equal(kernelspec_read(tree_path(f->tree, "none/deeper"), NULL), KERNELSPEC_ABSENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_kernelspec_fill_points_argv_at_the_program),
        TEST(test_kernelspec_fill_records_interpreter_and_name),
        TEST(test_kernelspec_fill_copies_the_visible_files),
        TEST(test_kernelspec_fill_broken_template_is_named),
        TEST(test_kernelspec_fill_path_that_is_not_utf8_is_input_error),
        TEST(test_kernelspec_read_gives_back_what_was_ordered),
        TEST(test_kernelspec_read_odd_types_are_absent_members),
        TEST(test_kernelspec_read_without_our_mark_is_foreign),
        TEST(test_kernelspec_read_link_is_foreign_and_nothing_is_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
