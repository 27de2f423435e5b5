/* SPDX-License-Identifier: MIT */
#include "base/bounds.h"
#include "kernel/protocol/replay.h"
#include "tests/unit/unit.h"

/* A digest whose place in the table is chosen by `home` and which differs by `number`. */
static const unsigned char *digest(uint32_t home, uint64_t number)
{
    static unsigned char bytes[REPLAY_DIGEST_SIZE];
    memcpy(bytes, &home, sizeof home);
    memcpy(bytes + 8, &number, sizeof number);
    return bytes;
}

/* Spreads small numbers over the table, as digests are. */
static uint32_t spread(uint64_t number)
{
    return (uint32_t)(number * 2654435761u);
}

static void test_replay_add_second_time_is_refused(void **state)
{
    (void)state;
    _cleanup_(drop_replay) struct replay *r = replay_new();

    assert_true(replay_add(r, digest(1, 1)));
    assert_true(replay_add(r, digest(2, 1)));
    assert_false(replay_add(r, digest(1, 1)));
    assert_false(replay_add(r, digest(2, 1)));
}

static void test_replay_add_same_place_other_digest_is_new(void **state)
{
    (void)state;
    _cleanup_(drop_replay) struct replay *r = replay_new();

    for (uint64_t i = 0; i < 100; i++) {
        assert_true(replay_add(r, digest(7, i)));
    }
    for (uint64_t i = 0; i < 100; i++) {
        assert_false(replay_add(r, digest(7, i)));
    }
}

static void test_replay_add_full_memory_forgets_exactly_the_oldest(void **state)
{
    (void)state;
    _cleanup_(drop_replay) struct replay *r = replay_new();

    /* Given a full memory, of which all is remembered, */
    for (uint64_t i = 0; i < REPLAY_REMEMBERED; i++) {
        assert_true(replay_add(r, digest(spread(i), i)));
    }
    for (uint64_t i = 0; i < REPLAY_REMEMBERED; i++) {
        assert_false(replay_add(r, digest(spread(i), i)));
    }

    /* when one more comes, */
    assert_true(replay_add(r, digest(spread(REPLAY_REMEMBERED), REPLAY_REMEMBERED)));

    /* then the first is forgotten (and takes the place of the second), and no other. */
    assert_true(replay_add(r, digest(spread(0), 0)));
    for (uint64_t i = 2; i <= REPLAY_REMEMBERED; i++) {
        assert_false(replay_add(r, digest(spread(i), i)));
    }
}

static void test_replay_add_crowded_table_wraps_and_stays_exact(void **state)
{
    (void)state;
    _cleanup_(drop_replay) struct replay *r = replay_new();

    /* Given runs of neighbours that cross the table's end, turned over several times, */
    const uint32_t last = 2 * REPLAY_REMEMBERED - 1;
    const uint64_t rounds = 3 * REPLAY_REMEMBERED;
    for (uint64_t i = 0; i < rounds; i++) {
        uint32_t home = i % 64 == 0 ? last - (uint32_t)(i / 64 % 3) : spread(i);
        assert_true(replay_add(r, digest(home, i)));
    }

    /* then the last REPLAY_REMEMBERED are remembered, and the one before them is not. */
    for (uint64_t i = rounds - REPLAY_REMEMBERED; i < rounds; i++) {
        uint32_t home = i % 64 == 0 ? last - (uint32_t)(i / 64 % 3) : spread(i);
        assert_false(replay_add(r, digest(home, i)));
    }
    uint64_t before = rounds - REPLAY_REMEMBERED - 1;
    assert_true(replay_add(r, digest(spread(before), before)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_add_second_time_is_refused),
        cmocka_unit_test(test_replay_add_same_place_other_digest_is_new),
        cmocka_unit_test(test_replay_add_full_memory_forgets_exactly_the_oldest),
        cmocka_unit_test(test_replay_add_crowded_table_wraps_and_stays_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
