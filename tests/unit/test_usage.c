/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "kernel/core/usage.h"
#include "tests/unit/unit.h"

enum { FAMILY_BYTES = 64 * 1024 * 1024, NO_SUCH_PID = 0x3fffff };

struct fixture {
    struct usage u;
    struct buf out;
    json_t *last; /* borrowed by those who look */
};

static int set_up(void **state)
{
    static struct fixture f;
    f = (struct fixture){.out = BUF_INIT(64 * KIB)};
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    usage_done(&f->u);
    buf_done(&f->out);
    json_decref(f->last);
    return 0;
}

/* Lends the object. */
static const json_t *look(struct fixture *f, const pid_t *pids, size_t count, pid_t broker)
{
    struct err e = ERR_NONE;
    buf_clear(&f->out);
    assert_int_equal(usage_read(&f->u, &f->out, pids, count, broker), 0);
    json_decref(take(f->last));
    assert_ok(json_parse(buf_slice(&f->out), &f->last, &e));
    return f->last;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) {
        fail_msg("no number %s", key);
    }
    return json_number_value(value);
}

/* Uses the processor for a while. */
static void burn(int64_t for_ms)
{
    int64_t until = clock_ms() + for_ms;
    volatile unsigned spin = 0;
    while (clock_ms() < until) {
        spin = spin + 1;
    }
}

/* A process that has a process, which holds memory; both wait to be killed. */
struct family {
    pid_t parent;
    pid_t child;
};

static void hold_memory(int tell)
{
    char *memory =
        mmap(NULL, FAMILY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t self = getpid();
    if (memory == MAP_FAILED) {
        _exit(1);
    }
    memset(memory, 1, FAMILY_BYTES);
    ssize_t told = write(tell, &self, sizeof self);
    for (;;) {
        (void)told;
        pause();
    }
}

static struct family start_family(void)
{
    struct err e = ERR_NONE;
    struct family family = {0};
    int ends[2];
    assert_ok(fd_pipe(ends, &e));
    family.parent = fork();
    assert_true(family.parent >= 0);
    if (family.parent == 0) {
        (void)setpgid(0, 0); /* in its own process, this succeeds */
        if (fork() == 0) {
            hold_memory(ends[1]);
        }
        for (;;) {
            pause();
        }
    }
    assert_int_equal(read(ends[0], &family.child, sizeof family.child), sizeof family.child);
    drop_fd(&ends[0]);
    drop_fd(&ends[1]);
    return family;
}

static void end_family(const struct family *family)
{
    assert_int_equal(kill(family->child, SIGKILL), 0);
    assert_int_equal(kill(family->parent, SIGKILL), 0);
    assert_int_equal(waitpid(family->parent, NULL, 0), family->parent);
}

static void test_read_has_all_members(void **state)
{
    struct fixture *f = *state;
    static const char *const members[] = {"total",  "available", "percent",  "used",
                                          "free",   "active",    "inactive", "buffers",
                                          "cached", "shared",    "slab"};
    char host[256] = "";
    assert_int_equal(gethostname(host, sizeof host - 1), 0);

    const json_t *usage = look(f, NULL, 0, getpid());

    assert_string_equal(json_string_value(json_object_get(usage, "hostname")), host);
    assert_int_equal((int)number(usage, "pid"), getpid());
    assert_int_equal((long)number(usage, "cpu_count"), sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(number(usage, "kernel_memory") > 100.0 * 1024);
    const json_t *memory = json_object_get(usage, "host_virtual_memory");
    assert_int_equal(json_object_size(memory), ARRAY_LEN(members));
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        assert_true(number(memory, members[i]) >= 0);
    }
    assert_true(number(memory, "total") == number(memory, "used") + number(memory, "available"));
    assert_true(number(memory, "percent") > 0 && number(memory, "percent") < 100);
}

static void test_read_first_time_has_nothing_to_compare_with(void **state)
{
    struct fixture *f = *state;

    const json_t *usage = look(f, NULL, 0, getpid());

    assert_true(number(usage, "kernel_cpu") == 0);
    assert_null(json_object_get(usage, "host_cpu_percent"));
}

static void test_read_again_sees_what_was_burnt_since(void **state)
{
    struct fixture *f = *state;
    (void)look(f, NULL, 0, getpid());

    burn(300);
    const json_t *usage = look(f, NULL, 0, getpid());

    assert_true(number(usage, "kernel_cpu") > 10);
    assert_true(number(usage, "kernel_cpu") < 130);
    assert_true(number(usage, "host_cpu_percent") > 0);
    assert_true(number(usage, "host_cpu_percent") <= 100);
}

static void test_read_counts_descendants_once(void **state)
{
    struct fixture *f = *state;
    double before = number(look(f, NULL, 0, getpid()), "kernel_memory");
    struct family family = start_family();
    const pid_t pids[] = {family.parent, family.child, family.parent};

    double with = number(look(f, NULL, 0, getpid()), "kernel_memory");
    double named = number(look(f, pids, ARRAY_LEN(pids), getpid()), "kernel_memory");
    end_family(&family);
    double after = number(look(f, NULL, 0, getpid()), "kernel_memory");

    assert_true(with - before > 0.95 * FAMILY_BYTES && with - before < 1.5 * FAMILY_BYTES);
    assert_true(named - before > 0.95 * FAMILY_BYTES && named - before < 1.5 * FAMILY_BYTES);
    assert_true(after - before < 0.5 * FAMILY_BYTES);
}

static void test_read_named_process_brings_its_children(void **state)
{
    struct fixture *f = *state;
    struct family family = start_family();

    double seen = number(look(f, &family.parent, 1, NO_SUCH_PID), "kernel_memory");
    end_family(&family);

    assert_true(seen > 0.95 * FAMILY_BYTES);
}

static void test_read_process_that_is_gone_counts_nothing(void **state)
{
    struct fixture *f = *state;
    const pid_t gone = NO_SUCH_PID;

    const json_t *usage = look(f, &gone, 1, NO_SUCH_PID);

    assert_true(number(usage, "kernel_memory") == 0);
    assert_true(number(usage, "kernel_cpu") == 0);
}

static void test_read_small_buffer_is_refused(void **state)
{
    struct fixture *f = *state;
    _cleanup_(drop_buf) struct buf small = BUF_INIT(100);

    assert_int_equal(usage_read(&f->u, &small, NULL, 0, getpid()), -1);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read_has_all_members),
        TEST(test_read_first_time_has_nothing_to_compare_with),
        TEST(test_read_again_sees_what_was_burnt_since),
        TEST(test_read_counts_descendants_once),
        TEST(test_read_named_process_brings_its_children),
        TEST(test_read_process_that_is_gone_counts_nothing),
        TEST(test_read_small_buffer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
