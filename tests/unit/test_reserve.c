/* SPDX-License-Identifier: MIT */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/bounds.h"
#include "base/fd.h"
#include "contexts/worker/reserve.h"
#include "tests/unit/unit.h"

static bool can_map(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
        return false;
    }
    munmap(block, bytes);
    return true;
}

/* Uses up all that the limit allows, down to single pages. */
static void use_up(void)
{
    for (size_t size = 64 * MIB; size >= 4 * KIB; size /= 2) {
        while (mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
               MAP_FAILED) {
        }
    }
}

/* What counts towards the limit now; sanitizers have mapped a lot. */
static size_t data_bytes(void)
{
    _cleanup_(drop_buf) struct buf text = BUF_INIT(64 * KIB);
    struct err e = ERR_NONE;
    assert_ok(fd_read_file("/proc/self/status", &text, &e));
    const char *line = strstr(buf_text(&text), "VmData:");
    assert_non_null(line);
    return strtoul(line + strlen("VmData:"), NULL, 10) * KIB;
}

/* In a process of its own, because the limit cannot be undone. */
static int try_it(void)
{
    struct rlimit limit = {.rlim_cur = data_bytes() + 64 * MIB};
    limit.rlim_max = limit.rlim_cur;
    struct reserve r = {0};
    reserve_keep(&r);
    if (r.block == NULL || setrlimit(RLIMIT_DATA, &limit) < 0) {
        return 1;
    }
    use_up();
    if (can_map(MIB)) {
        return 2;
    }
    reserve_spend(&r);
    if (r.block != NULL || !can_map(MIB)) {
        return 3;
    }
    reserve_keep(&r); /* still at the limit: the next cell must have it */
    return r.block != NULL || !can_map(MIB) ? 4 : 0;
}

static void test_reserve_spend_gives_memory_to_a_process_at_its_limit(void **state)
{
    int status = 0;
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        _exit(try_it());
    }

    assert_int_equal(waitpid(pid, &status, 0), pid);

    assert_int_equal(status, 0);
}

static void test_reserve_keep_takes_it_again_when_there_is_room(void **state)
{
    struct reserve r = {0};
    (void)state;

    reserve_keep(&r);
    reserve_spend(&r);
    assert_null(r.block);
    reserve_keep(&r);

    assert_non_null(r.block);
    reserve_spend(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserve_spend_gives_memory_to_a_process_at_its_limit),
        cmocka_unit_test(test_reserve_keep_takes_it_again_when_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
