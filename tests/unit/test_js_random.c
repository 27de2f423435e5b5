/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "contexts/javascript/js_random.h"
#include "tests/unit/js_fixture.h"

static void test_random_stays_between_zero_and_one_and_spreads(void **state)
{
    struct js *js = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);

    const char *counts =
        js_fixture_eval(js,
                        "const bins = [0, 0, 0, 0]; let outside = 0;"
                        "for (let i = 0; i < 40000; i++) { const x = Math.random();"
                        " if (!(x >= 0 && x < 1)) outside++; bins[x * 4 | 0]++ }"
                        "outside + ' ' + bins.every(n => n > 9000 && n < 11000)",
                        &out);

    assert_string_equal(counts, "0 true");
}

static void test_random_differs_after_a_new_seed(void **state)
{
    struct js *js = *state;
    uint64_t before[4];
    memcpy(before, js->random, sizeof before);

    js_random_seed(js);

    assert_memory_not_equal(before, js->random, sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_stays_between_zero_and_one_and_spreads),
        cmocka_unit_test(test_random_differs_after_a_new_seed),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
