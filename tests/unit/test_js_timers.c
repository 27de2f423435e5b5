/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "contexts/javascript/js_timers.h"
#include "tests/unit/js_fixture.h"

static int32_t take_due(struct js *js, int64_t now_us, int64_t last_id)
{
    JSValue value = js_timers_take_due(js, now_us, last_id);
    return JS_IsUndefined(value) ? -1 : JS_VALUE_GET_INT(value);
}

static int64_t add(struct js *js, int32_t what, int64_t delay_us)
{
    return js_timers_add(js, JS_NewInt32(js->user.ctx, what), delay_us);
}

static void test_timers_come_in_the_order_in_which_they_are_due(void **state)
{
    struct js *js = *state;
    int64_t late = clock_us() + 60000000;
    add(js, 3, 30000);
    add(js, 1, 10000);
    add(js, 2, 20000);
    int64_t last = add(js, 4, 30000);

    for (int32_t i = 1; i <= 4; i++) {
        assert_int_equal(take_due(js, late, last), i);
    }

    assert_int_equal(take_due(js, late, last), -1);
    assert_int_equal(js_timers_next_us(&js->timers), -1);
}

static void test_timers_that_are_not_due_wait(void **state)
{
    struct js *js = *state;
    int64_t id = add(js, 1, 50000000);

    assert_int_equal(take_due(js, clock_us(), id), -1);
    assert_true(js_timers_next_us(&js->timers) > 1000000);
    assert_true(js_timers_pending(&js->timers));
    assert_true(js_timers_keep_alive(js, id, false));
    assert_false(js_timers_pending(&js->timers));
    assert_true(js_timers_remove(js, id));
    assert_false(js_timers_remove(js, id));
}

static void test_timer_made_meanwhile_waits_for_the_next_turn(void **state)
{
    struct js *js = *state;
    int64_t first = add(js, 1, 0);
    add(js, 2, -1000); /* due before the first */

    assert_int_equal(take_due(js, clock_us() + 1000, first), 1);
    assert_int_equal(take_due(js, clock_us() + 1000, first), -1);
    assert_int_equal(take_due(js, clock_us() + 1000, first + 1), 2);
}

static void test_timers_of_one_cell_are_removed_together(void **state)
{
    struct js *js = *state;
    js->origin.cell = 1;
    add(js, 1, 1000);
    js->origin.cell = 2;
    add(js, 2, 500);
    add(js, 3, 2000);

    js_timers_remove_cell(js, 2);

    assert_int_equal(js->timers.count, 1);
    assert_int_equal(take_due(js, clock_us() + 10000, js->timers.last_id), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timers_come_in_the_order_in_which_they_are_due),
        cmocka_unit_test(test_timers_that_are_not_due_wait),
        cmocka_unit_test(test_timer_made_meanwhile_waits_for_the_next_turn),
        cmocka_unit_test(test_timers_of_one_cell_are_removed_together),
    };
    return cmocka_run_group_tests(tests, js_fixture_new, js_fixture_done);
}
