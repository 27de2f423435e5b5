/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "base/id.h"
#include "tests/unit/unit.h"

static void test_id_new_has_the_shape_of_a_v4_uuid(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        char id[ID_SIZE];

        id_new(id);

        assert_int_equal(strlen(id), 36);
        for (int i = 0; i < 36; i++) {
            bool dash = i == 8 || i == 13 || i == 18 || i == 23;
            assert_true(dash ? id[i] == '-' : isxdigit(id[i]) && !isupper(id[i]));
        }
        assert_int_equal(id[14], '4');
        assert_non_null(strchr("89ab", id[19]));
    }
}

static void test_id_new_twice_differs(void **state)
{
    (void)state;
    char first[ID_SIZE];
    char second[ID_SIZE];

    id_new(first);
    id_new(second);

    assert_string_not_equal(first, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_id_new_has_the_shape_of_a_v4_uuid),
        cmocka_unit_test(test_id_new_twice_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
