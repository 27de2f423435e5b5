/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include "kernel/cli/probes.h"
#include "kernel/cli/report.h"
#include "tests/unit/unit.h"

static const struct finding *find(const struct report *r, const char *what)
{
    for (size_t i = 0; i < r->count; i++) {
        if (strcmp(r->items[i].what, what) == 0) {
            return &r->items[i];
        }
    }
    fail_msg("no finding about %s", what);
    return NULL;
}

static void test_probe_system_finds_what_the_broker_builds_on(void **state)
{
    (void)state;
    _cleanup_(drop_report) struct report r = {0};

    probe_system(&r);

    assert_int_equal(find(&r, "pidfd")->level, FINDING_OK);
    assert_int_equal(find(&r, "close_range")->level, FINDING_OK);
    assert_int_equal(find(&r, "subreaper")->level, FINDING_OK);
    assert_int_equal(find(&r, "lifeline")->level, FINDING_OK);
}

static void test_probe_system_small_descriptor_limit_is_a_warning(void **state)
{
    (void)state;
    _cleanup_(drop_report) struct report r = {0};
    struct rlimit small = {.rlim_cur = 64, .rlim_max = 128};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &small), 0);

    probe_system(&r);

    const struct finding *f = find(&r, "descriptors");
    assert_int_equal(f->level, FINDING_WARN);
    assert_non_null(strstr(f->detail, "64"));
    assert_non_null(strstr(f->detail, "128"));
    assert_non_null(f->remedy);
}

static void test_probe_namespaces_does_not_claim_isolation(void **state)
{
    (void)state;
    _cleanup_(drop_report) struct report r = {0};

    probe_namespaces(&r);

    const struct finding *f = find(&r, "isolation");
    assert_int_equal(f->level, FINDING_WARN);
    assert_non_null(strstr(f->detail, "not in this build yet"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe_system_finds_what_the_broker_builds_on),
        cmocka_unit_test(test_probe_namespaces_does_not_claim_isolation),
        /* Lowers the hard limit of this process for good: last. */
        cmocka_unit_test(test_probe_system_small_descriptor_limit_is_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
