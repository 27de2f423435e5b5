/* SPDX-License-Identifier: MIT */
/* The JavaScript worker as the broker meets it: the real program, over its real descriptors. What
 * each table row holds is one cell, or one program, and what must come of it. */
#include "tests/unit/zygote_peer.h"

static int run_javascript(void *arg)
{
    char *const argv[] = {arg, NULL};
    execv(PANDIA_LIBEXEC "/pandia-javascript", argv);
    return 127;
}

/* One zygote for all tests; each row has a context of its own. */
static struct zygote_peer zygote;

static int start_zygote(void **state)
{
    static char name[] = "pandia-javascript";
    (void)state;
    zygote_peer_start(&zygote, run_javascript, name);
    zygote_peer_expect(&zygote, WIRE_HELLO);
    return 0;
}

static int stop_zygote(void **state)
{
    (void)state;
    assert_int_equal(zygote_peer_stop(&zygote), 0);
    return 0;
}

static void check(const struct peer_exit *row, bool runs_to_end)
{
    struct peer p;
    zygote_peer_fork(&zygote, &p);
    p.runs_to_end = runs_to_end;

    peer_check_exit(&p, row);

    p.runs_to_end = false; /* it lives on, whatever it asked for */
    peer_check_exit(&p, &(struct peer_exit){"'alive'", "[result] 'alive'", "ok", -1});
    peer_done(&p);
    (void)zygote_peer_exited(&zygote, p.pid);
}

static void test_javascript_exit_of_a_cell_is_an_error_with_a_code(void **state)
{
    static const struct peer_exit rows[] = {
        {"1", "[result] 1", "ok", -1},
        {"process.exitCode = 3; 1", "[result] 1", "ok", -1},
        {"throw new TypeError('x')", "", "TypeError", -1},
        {"process.exit()", "", "ProcessExit", 0},
        {"process.exit(3)", "", "ProcessExit", 3},
        {"process.exit(-1)", "", "ProcessExit", 255},
        {"process.exit('7')", "", "ProcessExit", 7},
        {"process.exitCode = 4; process.exit()", "", "ProcessExit", 4},
        {"await 0; process.exit(5)", "", "ProcessExit", 5},
        {"try { process.exit(5) } catch {} 1", "[result] 1", "ok", -1},
        {"try { process.exit(5) } catch {} throw new TypeError('x')", "", "TypeError", -1},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        check(&rows[i], false);
    }
}

static void test_javascript_program_runs_until_nothing_is_left_to_happen(void **state)
{
    static const struct peer_exit rows[] = {
        {"1", "[result] 1", "ok", -1},
        {"throw new TypeError('x')", "", "TypeError", -1},
        {"process.exit(3)", "", "ok", 3},
        {"await 0; process.exit(5)", "", "ok", 5},
        {"setTimeout(() => console.log('never'), 30); process.exit()", "", "ok", 0},
        {"setTimeout(() => console.log('never'), 30); throw new TypeError('x')", "", "TypeError",
         -1},
        {"setTimeout(() => console.log('later'), 5); 1", "[result] 1later\n", "ok", -1},
        {"setTimeout(() => { process.exitCode = 7 }, 5); null", "[result] null", "ok", 7},
        {"setInterval(() => {}, 1000); setTimeout(() => process.exit(4), 5); null", "[result] null",
         "ok", 4},
        {"process.on('exit', (code) => console.log('bye', code)); null", "[result] nullbye 0\n",
         "ok", -1},
        {"process.on('exit', () => { process.exitCode = 9 }); null", "[result] null", "ok", 9},
        {"process.on('exit', () => process.exit(6)); null", "[result] null", "ok", 6},
        {"process.on('exit', () => { throw new TypeError('x') }); null", "[result] null",
         "TypeError", -1},
        {"process.on('exit', (code) => console.log('bye', code)); setTimeout(process.exit, 5, 2); "
         "null",
         "[result] nullbye 2\n", "ok", 2},
        {"require('child_process').exec('echo hi', (e, text) => console.log(text.trim())); null",
         "[result] nullhi\n", "ok", -1},
        {"await new Promise(() => {})", "", "UnsettledAwaitError", -1},
        {"delete globalThis.process; setTimeout(() => console.log('later'), 5); null",
         "[result] nulllater\n", "ok", -1},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        check(&rows[i], true);
    }
}

static void test_javascript_program_whose_callback_fails_has_code_1(void **state)
{
    static const char *const codes[] = {
        "setTimeout(() => { throw new Error('x') }, 5); null",
        "setTimeout(() => Promise.reject(new Error('x')), 5); null"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
        struct peer p;
        zygote_peer_fork(&zygote, &p);
        p.runs_to_end = true;

        peer_run(&p, codes[i], &out);

        assert_int_equal(peer_exit_code(&p), 1);
        assert_non_null(strstr(buf_text(&out), "[err] Uncaught "));
        assert_non_null(strstr(buf_text(&out), "Error: x"));
        peer_done(&p);
        (void)zygote_peer_exited(&zygote, p.pid);
    }
}

static void test_javascript_program_that_waits_can_be_interrupted(void **state)
{
    struct peer p;
    (void)state;
    zygote_peer_fork(&zygote, &p);
    p.runs_to_end = true;
    peer_execute(&p, "setTimeout(() => {}, 1e6); setTimeout(() => console.log('waits'), 5); null");
    peer_expect_part(&p, WIRE_EXECUTE_RESULT, "null");
    peer_expect_part(&p, WIRE_STREAM, "waits");

    assert_int_equal(kill(p.pid, SIGINT), 0);

    peer_expect_part(&p, WIRE_ERROR, "KeyboardInterrupt");
    peer_expect_part(&p, WIRE_DONE, "KeyboardInterrupt");
    assert_int_equal(peer_exit_code(&p), -1);
    peer_done(&p);
    (void)zygote_peer_exited(&zygote, p.pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_javascript_exit_of_a_cell_is_an_error_with_a_code),
        cmocka_unit_test(test_javascript_program_runs_until_nothing_is_left_to_happen),
        cmocka_unit_test(test_javascript_program_whose_callback_fails_has_code_1),
        cmocka_unit_test(test_javascript_program_that_waits_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, start_zygote, stop_zygote);
}
