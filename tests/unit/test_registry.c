/* SPDX-License-Identifier: MIT */
#include "kernel/cli/registry.h"
#include "tests/unit/command.h"

/* Puts a kernelspec of ours into `kernels` of the tree. */
static void put(struct stage *s, const char *kernels, const char *name, const char *program)
{
    _cleanup_(drop_free) char *file = xasprintf("%s/%s/kernel.json", kernels, name);
    _cleanup_(drop_free) char *text =
        xasprintf("{\"argv\": [\"%s/%s\"], \"metadata\": {\"pandia\": {\"language\": \"python\","
                  " \"python\": \"%s/none/bin/python3\"}}}",
                  s->tree->root, program, s->tree->root);
    tree_file(s->tree, file, text, 0644);
}

static void test_registry_read_finds_own_kernels_in_order(void **state)
{
    struct stage *s = *state;
    put(s, "home/.local/share/jupyter/kernels", "b", "bin/pandia");
    put(s, "home/.local/share/jupyter/kernels", "a", "bin/gone");
    put(s, "extra/kernels", "z", "bin/pandia");
    tree_file(s->tree, "extra/kernels/foreign/kernel.json", "{}", 0644);
    tree_file(s->tree, "extra/kernels/folder/other", "", 0644);
    stage_env(s, "JUPYTER_PATH", "extra");
    _cleanup_(drop_registry) struct registry r = {0};

    registry_read(&s->python, s->cli.env, &r);

    assert_int_equal(r.count, 3);
    assert_string_equal(r.items[0].name, "z");
    assert_string_equal(r.items[1].name, "a");
    assert_string_equal(r.items[2].name, "b");
    assert_true(r.items[0].program_ok);
    assert_false(r.items[1].program_ok);
    assert_non_null(strstr(r.items[0].python_problem, "none/bin/python3"));
}

static void test_registry_read_later_kernel_of_a_name_is_shadowed(void **state)
{
    struct stage *s = *state;
    put(s, "extra/kernels", "a", "bin/pandia");
    put(s, "home/.local/share/jupyter/kernels", "a", "bin/pandia");
    tree_file(s->tree, "extra/kernels/b/kernel.json", "{}", 0644);
    put(s, "home/.local/share/jupyter/kernels", "b", "bin/pandia");
    stage_env(s, "JUPYTER_PATH", "extra");
    _cleanup_(drop_registry) struct registry r = {0};

    registry_read(&s->python, s->cli.env, &r);

    assert_int_equal(r.count, 3);
    assert_false(r.items[0].shadowed);
    assert_true(r.items[1].shadowed);
    assert_true(r.items[2].shadowed);
}

static void test_registry_json_has_every_field(void **state)
{
    struct stage *s = *state;
    put(s, "home/.local/share/jupyter/kernels", "a", "bin/pandia");
    _cleanup_(drop_registry) struct registry r = {0};
    registry_read(&s->python, s->cli.env, &r);

    json_auto_t *list = registry_json(&r);

    const json_t *item = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(json_string_value(json_object_get(item, "name")), "a");
    assert_true(json_is_true(json_object_get(item, "program_ok")));
    assert_true(json_is_false(json_object_get(item, "python_ok")));
    assert_true(json_is_null(json_object_get(item, "version")));
    assert_int_equal(json_object_size(item), 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, stage_setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_registry_read_finds_own_kernels_in_order),
        TEST(test_registry_read_later_kernel_of_a_name_is_shadowed),
        TEST(test_registry_json_has_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
