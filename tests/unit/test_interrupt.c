/* SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "tests/unit/pool_fixture.h"

static bool is_running(struct fixture *f)
{
    return f->runs[f->run_count - 1].output.len > 0;
}

static void test_context_interrupt_stops_a_loop(void **state)
{
    struct fixture *f = *state;
    struct run *r = fixture_execute(f, f->context, "print going\\nloop");
    fixture_wait(f, is_running);

    int64_t before = clock_ms();
    context_interrupt(f->context);
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_REPLIED);
    assert_true(r->failed);
    assert_true(clock_ms() - before < 900); /* the first signal did it, not a repeat */
}

static void test_context_interrupt_idle_does_not_hit_the_next_cell(void **state)
{
    struct fixture *f = *state;
    fixture_execute(f, f->context, "print warm");
    fixture_wait(f, fixture_all_ended);

    context_interrupt(f->context);
    struct run *next = fixture_execute(f, f->context, "print x");
    fixture_wait(f, fixture_all_ended);

    assert_false(next->failed);
}

static void test_context_interrupt_while_starting_empties_the_queue(void **state)
{
    struct fixture *f = *state;
    struct run *r = fixture_execute(f, f->context, "print x");
    assert_int_equal(context_state(f->context), CTX_FORKING);

    context_interrupt(f->context);

    assert_int_equal(r->end, JOB_ABORTED);
}

static void test_context_interrupt_ignored_is_killed_and_named(void **state)
{
    struct fixture *f = *state;
    struct run *r = fixture_execute(f, f->context, "print going\\nhang");
    fixture_wait(f, is_running);

    context_interrupt(f->context);
    fixture_wait(f, fixture_all_ended);
    struct run *next = fixture_execute(f, f->context, "print back");
    fixture_wait(f, fixture_all_ended);

    assert_int_equal(r->end, JOB_DIED);
    assert_string_equal(r->ename, "ContextKilled");
    assert_int_equal(next->end, JOB_REPLIED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pool_test(test_context_interrupt_stops_a_loop),
        pool_test(test_context_interrupt_idle_does_not_hit_the_next_cell),
        pool_test(test_context_interrupt_while_starting_empties_the_queue),
        pool_test(test_context_interrupt_ignored_is_killed_and_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
