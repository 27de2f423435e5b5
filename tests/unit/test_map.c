/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "tests/unit/unit.h"

enum { MANY = 5000 };

static const char *key_of(int i, char out[32])
{
    (void)snprintf(out, 32, "key-%d", i);
    return out;
}

static void test_map_get_absent_is_null(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(NULL);

    assert_null(map_get(map, "x"));
    assert_null(map_get(map, ""));
    assert_null(map_remove(map, "x"));
    assert_int_equal(map_len(map), 0);
}

static void test_map_put_copies_the_key(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(NULL);
    char key[] = "abc";
    int value = 1;

    map_put(map, key, &value);
    key[0] = 'X';

    assert_ptr_equal(map_get(map, "abc"), &value);
    assert_null(map_get(map, "Xbc"));
}

static void test_map_put_again_frees_what_was_there(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(free);
    char *second = xstrdup("second");
    map_put(map, "", xstrdup("first"));

    map_put(map, "", second);
    map_put(map, "", second); /* itself again: must not be freed under our feet */

    assert_int_equal(map_len(map), 1);
    assert_string_equal(map_get(map, ""), "second");
}

static void test_map_remove_gives_the_value(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(free);
    map_put(map, "a", xstrdup("value"));

    _cleanup_(drop_free) char *value = map_remove(map, "a");

    assert_string_equal(value, "value");
    assert_int_equal(map_len(map), 0);
    assert_null(map_remove(map, "a"));
}

/* Removal moves entries about; whatever was not removed must stay reachable. */
static void test_map_many_puts_and_removes_keep_the_rest(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(NULL);
    static int values[MANY];
    char key[32];
    for (int i = 0; i < MANY; i++) {
        map_put(map, key_of(i, key), &values[i]);
    }
    for (int i = 0; i < MANY; i++) {
        if (i % 3 != 0) {
            assert_ptr_equal(map_remove(map, key_of(i, key)), &values[i]);
        }
    }
    assert_int_equal(map_len(map), (MANY + 2) / 3);
    for (int i = 0; i < MANY; i++) {
        assert_ptr_equal(map_get(map, key_of(i, key)), i % 3 == 0 ? &values[i] : NULL);
    }
}

static void test_map_next_visits_each_once(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(NULL);
    static int seen[MANY];
    char key[32];
    for (int i = 0; i < MANY; i++) {
        map_put(map, key_of(i, key), &seen[i]);
    }

    size_t cursor = 0;
    const char *name = NULL;
    void *value = NULL;
    while (map_next(map, &cursor, &name, &value)) {
        int *mark = value;
        *mark += 1;
        assert_string_equal(name, key_of((int)(mark - seen), key));
    }

    for (int i = 0; i < MANY; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_false(map_next(map, &cursor, NULL, NULL));
}

static void test_map_next_empty_ends_at_once(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *map = map_new(NULL);
    size_t cursor = 0;

    assert_false(map_next(map, &cursor, NULL, NULL));
    map_free(NULL);
}

/* The order follows the seed; two maps with one order in common would mean there is none. */
static void test_map_new_is_seeded_anew(void **state)
{
    (void)state;
    _cleanup_(drop_map) struct map *first = map_new(NULL);
    _cleanup_(drop_map) struct map *second = map_new(NULL);
    char key[32];
    for (int i = 0; i < 200; i++) {
        map_put(first, key_of(i, key), NULL);
        map_put(second, key_of(i, key), NULL);
    }

    size_t a = 0;
    size_t b = 0;
    const char *in_first = NULL;
    const char *in_second = NULL;
    int differing = 0;
    while (map_next(first, &a, &in_first, NULL) && map_next(second, &b, &in_second, NULL)) {
        differing += strcmp(in_first, in_second) != 0;
    }
    assert_true(differing > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_get_absent_is_null),
        cmocka_unit_test(test_map_put_copies_the_key),
        cmocka_unit_test(test_map_put_again_frees_what_was_there),
        cmocka_unit_test(test_map_remove_gives_the_value),
        cmocka_unit_test(test_map_many_puts_and_removes_keep_the_rest),
        cmocka_unit_test(test_map_next_visits_each_once),
        cmocka_unit_test(test_map_next_empty_ends_at_once),
        cmocka_unit_test(test_map_new_is_seeded_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
