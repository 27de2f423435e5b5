/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "contexts/worker/spare.h"
#include "tests/unit/peer.h"

static struct fork_order open_some(void)
{
    struct fork_order order = {.fork = peer_order(WIRE_POLICY_OPEN)};
    for (int i = 0; i < FORK_FDS; i++) {
        order.fds[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    return order;
}

static void close_all(const struct fork_order *order)
{
    for (int i = 0; i < FORK_FDS; i++) {
        assert_int_equal(close(order->fds[i]), 0);
    }
}

/* A spare whose child we are ourselves, at the other end `*theirs`. */
static struct spare spare_of(const char *policy, int *theirs)
{
    struct err e = ERR_NONE;
    struct spare s = SPARE_NONE;
    assert_ok(spare_open(&s, policy, theirs, &e));
    s.pid = 7;
    return s;
}

static void test_spare_gets_the_order_it_waits_for(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int theirs = -1;
    struct spare s = spare_of(WIRE_POLICY_OPEN, &theirs);
    struct fork_order sent = open_some();
    struct fork_order got = {0};

    assert_ok(spare_send(&s, &sent, &e));
    assert_int_equal(spare_wait(theirs, &got), 0);

    assert_int_equal(s.pid, 0);
    assert_int_equal(s.fd, -1);
    assert_string_equal(got.fork.policy, WIRE_POLICY_OPEN);
    close_all(&sent);
    close_all(&got);
    close(theirs);
}

static void test_spare_fits_orders_of_its_policy_only(void **state)
{
    (void)state;
    int theirs = -1;
    struct spare none = SPARE_NONE;
    struct spare s = spare_of("strict", &theirs);
    struct fork_order open_order = {.fork = peer_order(WIRE_POLICY_OPEN)};
    struct fork_order strict_order = {.fork = peer_order("strict")};

    assert_false(spare_fits(&s, &open_order));
    assert_true(spare_fits(&s, &strict_order));
    assert_false(spare_fits(&none, &open_order));

    spare_close(&s);
    assert_false(spare_fits(&s, &strict_order));
    close(theirs);
}

static void test_spare_that_is_not_needed_ends_its_wait(void **state)
{
    (void)state;
    int theirs = -1;
    struct spare s = spare_of(WIRE_POLICY_OPEN, &theirs);
    struct fork_order got;

    spare_close(&s);

    assert_int_equal(spare_wait(theirs, &got), -1);
    close(theirs);
}

static void test_spare_that_has_died_is_noticed(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    int theirs = -1;
    struct spare s = spare_of(WIRE_POLICY_OPEN, &theirs);
    struct fork_order sent = open_some();
    close(theirs);

    assert_int_equal(spare_send(&s, &sent, &e), -1);

    assert_int_equal(s.pid, 0);
    close_all(&sent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spare_gets_the_order_it_waits_for),
        cmocka_unit_test(test_spare_fits_orders_of_its_policy_only),
        cmocka_unit_test(test_spare_that_is_not_needed_ends_its_wait),
        cmocka_unit_test(test_spare_that_has_died_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
