/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <sys/socket.h>

#include "base/fd.h"
#include "contexts/worker/spare.h"
#include "tests/unit/unit.h"

static void open_some(int fds[FORK_FDS])
{
    for (int i = 0; i < FORK_FDS; i++) {
        fds[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

static void close_all(const int fds[FORK_FDS])
{
    for (int i = 0; i < FORK_FDS; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
}

static void test_spare_gets_the_descriptors_it_waits_for(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct spare s = {.pid = 7, .fd = -1};
    int theirs = -1;
    int sent[FORK_FDS];
    int got[FORK_FDS];
    assert_ok(spare_open(&s, &theirs, &e));
    open_some(sent);

    assert_ok(spare_send(&s, sent, &e));
    assert_int_equal(spare_wait(theirs, got), 0);

    assert_int_equal(s.pid, 0);
    assert_int_equal(s.fd, -1);
    close_all(sent);
    close_all(got);
    close(theirs);
}

static void test_spare_that_is_not_needed_is_told(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct spare s = {.pid = 7, .fd = -1};
    int theirs = -1;
    int got[FORK_FDS];
    assert_ok(spare_open(&s, &theirs, &e));

    spare_close(&s);

    assert_int_equal(spare_wait(theirs, got), -1);
    close(theirs);
}

static void test_spare_that_has_died_is_noticed(void **state)
{
    (void)state;
    struct err e = ERR_NONE;
    struct spare s = {.pid = 7, .fd = -1};
    int theirs = -1;
    int sent[FORK_FDS];
    assert_ok(spare_open(&s, &theirs, &e));
    open_some(sent);
    close(theirs);

    assert_int_equal(spare_send(&s, sent, &e), -1);

    assert_int_equal(s.pid, 0);
    close_all(sent);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spare_gets_the_descriptors_it_waits_for),
        cmocka_unit_test(test_spare_that_is_not_needed_is_told),
        cmocka_unit_test(test_spare_that_has_died_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
