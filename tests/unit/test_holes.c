/* SPDX-License-Identifier: MIT */
#include <malloc.h>

#include "base/bounds.h"
#include "contexts/worker/preload.h"
#include "tests/unit/unit.h"

enum { BLOCKS = 4000, BYTES = 200 };

static void test_holes_fill_sends_new_blocks_to_the_end_of_the_heap(void **state)
{
    (void)state;
    static char *blocks[BLOCKS];
    if (mallinfo2().keepcost == 0) {
        return; /* a sanitizer's malloc: there is nothing to fill */
    }
    char *highest = NULL;
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BYTES);
        highest = blocks[i] > highest ? blocks[i] : highest;
    }
    for (size_t i = 0; i < BLOCKS; i += 2) {
        free(blocks[i]);
    }

    holes_fill();

    for (size_t bytes = 32; bytes <= BYTES; bytes += 24) {
        char *fresh = malloc(bytes);
        assert_true(fresh > highest);
        free(fresh);
    }
    for (size_t i = 1; i < BLOCKS; i += 2) {
        free(blocks[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holes_fill_sends_new_blocks_to_the_end_of_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
