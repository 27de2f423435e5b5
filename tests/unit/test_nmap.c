/* SPDX-License-Identifier: MIT */
#include "base/nmap.h"
#include "tests/unit/unit.h"

enum { MANY = 5000 };

static char things[MANY];

static void test_nmap_get_finds_what_was_put(void **state)
{
    (void)state;
    _cleanup_(drop_nmap) struct nmap *map = nmap_new();

    nmap_put(map, 0, &things[0]);
    nmap_put(map, UINT64_MAX, &things[1]);
    nmap_put(map, 0, &things[2]);

    assert_ptr_equal(nmap_get(map, 0), &things[2]);
    assert_ptr_equal(nmap_get(map, UINT64_MAX), &things[1]);
    assert_null(nmap_get(map, 1));
    assert_int_equal(nmap_len(map), 2);
}

static void test_nmap_remove_leaves_the_others(void **state)
{
    (void)state;
    _cleanup_(drop_nmap) struct nmap *map = nmap_new();
    for (size_t i = 0; i < MANY; i++) {
        nmap_put(map, i * 8, &things[i]);
    }

    for (size_t i = 0; i < MANY; i += 2) {
        assert_ptr_equal(nmap_remove(map, i * 8), &things[i]);
    }

    assert_null(nmap_remove(map, 0));
    assert_int_equal(nmap_len(map), MANY / 2);
    for (size_t i = 0; i < MANY; i++) {
        assert_ptr_equal(nmap_get(map, i * 8), i % 2 == 0 ? NULL : &things[i]);
    }
}

static void test_nmap_next_visits_each_once(void **state)
{
    (void)state;
    _cleanup_(drop_nmap) struct nmap *map = nmap_new();
    static char seen[MANY];
    for (size_t i = 0; i < MANY; i++) {
        nmap_put(map, i, &things[i]);
    }

    size_t cursor = 0;
    uint64_t key = 0;
    void *value = NULL;
    while (nmap_next(map, &cursor, &key, &value)) {
        assert_true(key < MANY);
        assert_ptr_equal(value, &things[key]);
        seen[key]++;
    }

    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_false(nmap_next(map, &cursor, NULL, NULL));
}

static void test_nmap_steps_do_not_grow_with_the_map(void **state)
{
    (void)state;
    _cleanup_(drop_nmap) struct nmap *map = nmap_new();
    size_t steps = 0;
    for (size_t i = 0; i < MANY; i++) {
        nmap_put(map, 1000 + i, &things[i]); /* as pids are: one beside the other */
    }

    for (size_t i = 0; i < MANY; i++) {
        steps += nmap_steps(map, 1000 + i);
    }

    assert_true(steps < (size_t)MANY * 4); /* 2.5 at the highest load, by the theory */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nmap_get_finds_what_was_put),
        cmocka_unit_test(test_nmap_remove_leaves_the_others),
        cmocka_unit_test(test_nmap_next_visits_each_once),
        cmocka_unit_test(test_nmap_steps_do_not_grow_with_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
