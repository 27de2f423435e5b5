/* SPDX-License-Identifier: MIT */
/* The Python worker as the broker meets it: the real program, over its real descriptors. What each
 * table row holds is one cell and what must come of it. */
#include "base/jscan.h"
#include "base/mem.h"
#include "tests/unit/zygote_peer.h"

static int run_python(void *arg)
{
    char *const argv[] = {arg, NULL};
    execv(PANDIA_LIBEXEC "/pandia-python", argv);
    return 127;
}

/* One zygote for all tests; each test has a context of its own. */
static struct zygote_peer zygote;

static int start_zygote(void **state)
{
    static char name[] = "pandia-python";
    (void)state;
    zygote_peer_start(&zygote, run_python, name);
    zygote_peer_expect(&zygote, WIRE_HELLO);
    return 0;
}

static int stop_zygote(void **state)
{
    (void)state;
    assert_int_equal(zygote_peer_stop(&zygote), 0);
    return 0;
}

static int set_up(void **state)
{
    static struct peer p;
    zygote_peer_fork(&zygote, &p);
    *state = &p;
    return 0;
}

static int tear_down(void **state)
{
    struct peer *p = *state;
    peer_done(p);
    if (p->pid > 0) {
        (void)zygote_peer_exited(&zygote, p->pid);
    }
    return 0;
}

/* Runs a cell; collects all text and the plain text of results, in order. `*reply` gets the
 * content of the reply. */
static void run(struct peer *p, const char *code, const char *more, struct buf *out,
                struct buf *reply)
{
    peer_execute_with(p, code, more);
    for (;;) {
        if (!peer_read(p)) {
            fail_msg("the context died in: %s", code);
        }
        struct slice content = p->frame.content;
        if (p->frame.type == WIRE_DONE) {
            buf_add_slice(reply, content);
            return;
        }
        assert_int_equal(p->frame.exec, p->exec);
        struct slice text = jscan_get(content, "text");
        if (p->frame.type == WIRE_EXECUTE_RESULT || p->frame.type == WIRE_DISPLAY_DATA) {
            buf_add_text(out, p->frame.type == WIRE_EXECUTE_RESULT ? "[result] " : "[display] ");
            text = jscan_get(jscan_get(content, "data"), "text/plain");
        }
        if (p->frame.type != WIRE_ERROR && p->frame.type != WIRE_LISTENING) {
            assert_int_equal(jscan_string(text, out), 0);
        }
    }
}

/* The cell must go well and say this. */
static void assert_cell(struct peer *p, const char *code, const char *wanted)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4 * MIB);
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(4 * MIB);
    run(p, code, "", &out, &reply);
    if (!jscan_string_is(jscan_get(buf_slice(&reply), "status"), "ok")) {
        fail_msg("%s: %s", code, buf_text(&reply));
    }
    assert_string_equal(buf_text(&out), wanted);
}

/* The cell must end with this exception, and its traceback contain the text. */
static void assert_raises(struct peer *p, const char *code, const char *ename, const char *part)
{
    _cleanup_(drop_buf) struct buf out = BUF_INIT(4 * MIB);
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(4 * MIB);
    run(p, code, "", &out, &reply);
    if (!jscan_string_is(jscan_get(buf_slice(&reply), "ename"), ename)) {
        fail_msg("%s: %s", code, buf_text(&reply));
    }
    struct slice traceback = jscan_get(buf_slice(&reply), "traceback");
    if (memmem(traceback.data, traceback.len, part, strlen(part)) == NULL) {
        fail_msg("'%s' is not in %.*s", part, (int)traceback.len, traceback.data);
    }
}

static void test_python_cells_show_what_ipython_would(void **state)
{
    static const char *const rows[][2] = {
        {"1+1", "[result] 2"},
        {"x = 5", ""},
        {"x", "[result] 5"},
        {"x;", ""},
        {"x # not quiet;", "[result] 5"},
        {"None", ""},
        {"print('a', end='')\nx", "a[result] 5"},
        {"_, __, _1", "[result] (5, 5, 2)"},
        {"In[1], _i1, Out[1]", "[result] ('1+1', '1+1', 2)"},
        {"__name__", "[result] '__main__'"},
        {"display(1, 'b')", "[display] 1[display] 'b'"},
        {"import asyncio\nawait asyncio.sleep(0, 'slept')", "[result] 'slept'"},
        {"from __future__ import annotations", ""},
        {"def f(a: Nowhere): pass\nf.__annotations__", "[result] {'a': 'Nowhere'}"},
        {"import inspect\nprint(inspect.getsource(f))", "def f(a: Nowhere): pass\n\n"},
        {"'\\ud800'", "[result] '\\ud800'"},
        {"print('\\ud800')", "\\ud800\n"},
        {"import sys, io\nisinstance(sys.stdout, io.TextIOBase), sys.stdout.encoding",
         "[result] (True, 'utf-8')"},
        {"sys.argv, sys.path[0]", "[result] ([''], '')"},
        {"", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_cell(*state, rows[i][0], rows[i][1]);
    }
}

static void test_python_exit_of_a_cell_is_an_error_with_a_code(void **state)
{
    static const struct peer_exit rows[] = {
        {"1", "[result] 1", "ok", -1},
        {"1/0", "", "ZeroDivisionError", -1},
        {"import sys; sys.exit(3)", "", "SystemExit", 3},
        {"sys.exit()", "", "SystemExit", 0},
        {"sys.exit(-1)", "", "SystemExit", 255},
        {"sys.exit(2**70)", "", "SystemExit", 255},
        {"raise SystemExit('words')", "", "SystemExit", 1},
        {"exit()", "", "ok", 0},
        {"exit(4)", "", "SystemExit", 4},
        {"class Leave(SystemExit):\n    code = property(lambda self: 1/0)\nraise Leave", "",
         "Leave", 1},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        peer_check_exit(*state, &rows[i]);
    }
}

static void test_python_exit_of_a_program_is_its_end(void **state)
{
    static const struct peer_exit rows[] = {
        {"1", "[result] 1", "ok", -1},
        {"1/0", "", "ZeroDivisionError", -1},
        {"import sys; print(1); sys.exit(3)", "1\n", "ok", 3},
        {"sys.exit()", "", "ok", 0},
        {"sys.exit(True)", "", "ok", 1},
        {"raise SystemExit('words')", "[err] words\n", "ok", 1},
        {"raise SystemExit(1, 'two')", "[err] (1, 'two')\n", "ok", 1},
        {"class Bad:\n    def __str__(self): 1/0\nsys.exit(Bad())", "", "ok", 1},
        {"exit()", "", "ok", 0},
        {"exit('words')", "[err] words\n", "ok", 1},
        {"print('alive')", "alive\n", "ok", -1},
    };
    struct peer *p = *state;
    p->runs_to_end = true;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        peer_check_exit(p, &rows[i]);
    }
}

static void test_python_errors_name_cell_and_line(void **state)
{
    struct peer *p = *state;

    assert_cell(p, "import os\nos.environ['NO_COLOR'] = '1'", "");
    assert_raises(p, "def f():\n    1/0\nf()", "ZeroDivisionError", "----> 2     1/0");
    assert_raises(p, "f()", "ZeroDivisionError", "Cell In[2], line 2, in f");
    assert_raises(p, "x = = 1", "SyntaxError", "    x = = 1\\n        ^");
    assert_raises(p, "import sys; sys.exit(3)", "SystemExit", "SystemExit: 3");
    assert_raises(p, "try:\n    1/0\nexcept Exception as e:\n    raise KeyError from e", "KeyError",
                  "direct cause");
    assert_raises(p, "def r(): r()\nr()", "RecursionError", "frames left out");
    assert_raises(p, "class E(Exception):\n    def __str__(self): 1/0\nraise E", "E",
                  "unprintable E");
    assert_cell(p, "'alive'", "[result] 'alive'");
}

static void test_python_output_of_others_is_in_order(void **state)
{
    struct peer *p = *state;

    assert_cell(p, "import os, subprocess, sys", "");
    assert_cell(p,
                "print('a')\nsubprocess.run(['echo', 'b'])\nprint('c')\n"
                "print('d', file=sys.stderr)\ndisplay(5)\nos.system('echo e')\nprint('f')\n6",
                "a\nb\nc\nd\n[display] 5e\nf\n[result] 6");
    assert_cell(p, "len(subprocess.run(['head', '-c', '200000', '/dev/zero'], stdout=-1).stdout)",
                "[result] 200000");
    assert_cell(p, "import ctypes\nctypes.CDLL(None).puts(b'from C');", "from C\n");
}

static void test_python_fork_in_a_cell_is_a_child_like_any_other(void **state)
{
    struct peer *p = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MIB);

    assert_cell(p,
                "import os, sys\nprint('parent', end=' ')\npid = os.fork()\n"
                "if pid == 0:\n    sys.exit(4)\nprint(os.waitpid(pid, 0)[1] >> 8)",
                "parent 4\n");
    run(p,
        "pid = os.fork()\nif pid == 0:\n    print('x' * 99999)\n    os._exit(0)\n"
        "n = os.waitpid(pid, 0)[1]",
        "", &out, &reply);
    assert_int_equal(out.len, 100000);
    assert_cell(p, "n", "[result] 0");
}

static void test_python_broken_surroundings_do_not_end_the_context(void **state)
{
    struct peer *p = *state;

    assert_cell(p, "import sys, builtins\nsys.stdout = None\nbuiltins.compile = None", "");
    assert_cell(p, "globals().clear()", "");
    assert_raises(p, "1/0", "ZeroDivisionError", "line 1");
    assert_cell(p, "import sys; sys.modules.clear()", "");
    assert_cell(p, "In = Out = _ = 1\n2", "[result] 2");
    assert_cell(p, "3", "[result] 3");
}

static void test_python_repr_that_raises_is_told_and_replaced_in_displays(void **state)
{
    struct peer *p = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MIB);

    run(p, "class B:\n    def __repr__(self): raise ValueError('no repr')\ndisplay(B())", "", &out,
        &reply);

    assert_non_null(strstr(buf_text(&out), "ValueError: no repr"));
    assert_non_null(strstr(buf_text(&out), "[display] <unprintable B object>"));
    assert_true(jscan_string_is(jscan_get(buf_slice(&reply), "status"), "ok"));
    assert_raises(p, "B()", "ValueError", "no repr");
}

static void test_python_rich_forms_come_in_one_bundle(void **state)
{
    struct peer *p = *state;
    peer_execute(p, "class R:\n    def __repr__(self): return 'r'\n"
                    "    def _repr_html_(self): return '<b>'\n"
                    "    def _repr_png_(self): return b'\\x00'\n"
                    "    def _repr_json_(self): return {'n': float('nan')}, {'expanded': True}\n"
                    "R()");

    peer_expect(p, WIRE_EXECUTE_RESULT,
                "{\"execution_count\": 1, \"data\": {\"text/plain\": \"r\", "
                "\"text/html\": \"<b>\", \"image/png\": \"AA==\", "
                "\"application/json\": {\"n\": null}}, "
                "\"metadata\": {\"application/json\": {\"expanded\": true}}}");
    peer_expect_done(p);
}

/* A line may come in two pieces when the machine is busy, and a cell that awaits may have said so
 * before the interrupt came. */
static void expect_after_text(struct peer *p, enum wire_type type, const char *part)
{
    do {
        assert_true(peer_read(p));
    } while (p->frame.type == WIRE_STREAM || p->frame.type == WIRE_LISTENING);
    assert_string_equal(wire_type_name(p->frame.type), wire_type_name(type));
    assert_non_null(memmem(p->frame.content.data, p->frame.content.len, part, strlen(part)));
}

static void test_python_interrupt_ends_the_cell_and_only_the_cell(void **state)
{
    static const char *const stuck[] = {
        "print('on'); sys.stdout.flush()\nwhile True: pass",
        "print('on'); sys.stdout.flush()\ntime.sleep(60)",
        "print('on'); sys.stdout.flush()\nawait asyncio.sleep(60)",
        "print('on'); sys.stdout.flush()\nthreading.Event().wait()",
    };
    struct peer *p = *state;
    assert_cell(p, "import asyncio, sys, threading, time", "");

    for (size_t i = 0; i < ARRAY_LEN(stuck); i++) {
        peer_execute(p, stuck[i]);
        peer_expect_part(p, WIRE_STREAM, "on");
        assert_int_equal(kill(-p->pid, SIGINT), 0);
        expect_after_text(p, WIRE_ERROR, "\"ename\": \"KeyboardInterrupt\"");
        peer_expect_part(p, WIRE_DONE, "\"status\": \"error\"");
        assert_int_equal(kill(-p->pid, SIGINT), 0); /* idle: must hit nobody */
    }
    assert_cell(p, "7", "[result] 7");
}

static void test_python_crash_leaves_its_stack_and_its_prints(void **state)
{
    struct peer *p = *state;
    _cleanup_(drop_buf) struct buf words = BUF_INIT(MIB);
    peer_execute(p, "import os\nprint('printed before')\nos.abort()");

    int status = zygote_peer_exited(&zygote, p->pid);
    p->pid = 0;
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    peer_last_words(p, &words);
    assert_non_null(strstr(buf_text(&words), "line 3"));
    assert_non_null(strstr(buf_text(&words), "printed before"));
}

static void test_python_user_expressions_answer_one_by_one(void **state)
{
    struct peer *p = *state;
    _cleanup_(drop_buf) struct buf out = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MIB);

    run(p, "x = 2", ", \"user_expressions\": {\"good\": \"x*3\", \"bad\": \"1/0\"}", &out, &reply);

    struct slice answers = jscan_get(buf_slice(&reply), "user_expressions");
    struct slice good = jscan_get(answers, "good");
    struct slice bad = jscan_get(answers, "bad");
    assert_true(jscan_string_is(jscan_get(jscan_get(good, "data"), "text/plain"), "6"));
    assert_true(jscan_string_is(jscan_get(bad, "ename"), "ZeroDivisionError"));
}

static void test_python_is_complete_tells_status_and_indent(void **state)
{
    static const char *const rows[][2] = {
        {"{\"code\": \"1+1\"}", "{\"status\": \"complete\"}"},
        {"{\"code\": \"for i in x:\"}", "{\"status\": \"incomplete\", \"indent\": \"    \"}"},
        {"{\"code\": \"print('''hello\"}", "{\"status\": \"incomplete\", \"indent\": \"\"}"},
        {"{\"code\": \"def f(x):\\n  x*2\"}", "{\"status\": \"incomplete\", \"indent\": \"  \"}"},
        {"{\"code\": \"def f(x):\\n  return x\\n\\n\"}", "{\"status\": \"complete\"}"},
        {"{\"code\": \"import = 7q\"}", "{\"status\": \"invalid\"}"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        peer_send_text(*state, WIRE_IS_COMPLETE, rows[i][0]);
        peer_expect(*state, WIRE_DONE, rows[i][1]);
    }
}

static void test_python_contexts_share_no_variables_and_no_random_numbers(void **state)
{
    struct peer *p = *state;
    struct peer other;
    _cleanup_(drop_buf) struct buf first = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf second = BUF_INIT(MIB);
    _cleanup_(drop_buf) struct buf reply = BUF_INIT(MIB);
    zygote_peer_fork(&zygote, &other);

    assert_cell(p, "x = 1", "");
    assert_raises(&other, "x", "NameError", "line 1");
    run(p, "import random; random.random()", "", &first, &reply);
    run(&other, "import random; random.random()", "", &second, &reply);

    assert_string_not_equal(buf_text(&first), buf_text(&second));
    peer_done(&other);
    assert_int_equal(zygote_peer_exited(&zygote, other.pid), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_python_cells_show_what_ipython_would),
        TEST(test_python_exit_of_a_cell_is_an_error_with_a_code),
        TEST(test_python_exit_of_a_program_is_its_end),
        TEST(test_python_errors_name_cell_and_line),
        TEST(test_python_output_of_others_is_in_order),
        TEST(test_python_fork_in_a_cell_is_a_child_like_any_other),
        TEST(test_python_broken_surroundings_do_not_end_the_context),
        TEST(test_python_repr_that_raises_is_told_and_replaced_in_displays),
        TEST(test_python_rich_forms_come_in_one_bundle),
        TEST(test_python_interrupt_ends_the_cell_and_only_the_cell),
        TEST(test_python_crash_leaves_its_stack_and_its_prints),
        TEST(test_python_user_expressions_answer_one_by_one),
        TEST(test_python_is_complete_tells_status_and_indent),
        TEST(test_python_contexts_share_no_variables_and_no_random_numbers),
    };
    return cmocka_run_group_tests(tests, start_zygote, stop_zygote);
}
