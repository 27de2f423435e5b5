# SPDX-License-Identifier: MIT
"""What goes badly wrong in a Python cell has a name, harms no other context, and leaves a context that
can be used. Ways of dying that all languages share are in test_death.py."""
import pytest

from support.build import SANITIZED, scaled
from support.contexts import create
from support.waiting import Stopwatch

RECURSE = "import sys\nsys.setrecursionlimit({limit})\ndef f(n): return f(n + 1)\nf(0)"
LIMIT = ("import resource\n"
         "resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, resource.RLIM_INFINITY))\n")


@pytest.mark.parametrize("code, words", [
    ("import ctypes\ndef fall(): ctypes.string_at(0)\nfall()",
     ["Fatal Python error: Segmentation fault", '<cell', "in fall"]),
    ("import os\ndef stop(): os.abort()\nstop()", ["Fatal Python error: Aborted", "in stop"]),
    ("import ctypes, threading, time\n"
     "threading.Thread(target=lambda: ctypes.string_at(0)).start()\ntime.sleep(60)",
     ["Fatal Python error: Segmentation fault", "in <lambda>"]),
    ("import sys\nsys.setrecursionlimit(10**7)\nx = []\nfor _ in range(10**6): x = [x]\nrepr(x)",
     ["Fatal Python error: Segmentation fault", "in <module>"]),
], ids=["segfault", "abort", "thread", "stack"])
def test_crash_leaves_the_python_stack_once(kernel, client, code, words):
    run = client.run(code)

    assert run.content["ename"] == "ContextCrashed"
    for text in words:
        assert text in run.stderr
    assert run.stderr.count("Fatal Python error") == 1
    assert client.run("1 + 1").ok().result == "2"
    kernel.take_log("context ended")


def test_crash_is_never_told_twice(kernel, client):
    """The thread that reads the pipes may be caught by the end in the middle of it."""
    for _ in range(20):
        run = client.run("import ctypes, sys\nprint('said'); print('warned', file=sys.stderr)\n"
                         "ctypes.string_at(0)")
        assert run.stdout == "said\n"
        assert run.stderr.count("warned\n") == 1
        assert run.stderr.count("Fatal Python error") == 1, run.stderr
        assert run.stderr.count("most recent call first") == 1, run.stderr
    kernel.take_log(*["context ended.*SIGSEGV"] * 20)


def test_crash_leaves_other_contexts_alone(kernel, client):
    create(client, "other")
    client.run("x = 41", context="other").ok()
    running = client.execute("import time\nfor i in range(30):\n    time.sleep(.01)\n"
                             "x + 1", context="other")

    client.run("import ctypes; ctypes.string_at(0)")

    assert client.finish(running).ok().result == "42"
    kernel.take_log("context ended")


def test_infinite_recursion_is_an_error_and_quickly_told(client):
    with Stopwatch() as watch:
        run = client.run(RECURSE.format(limit=1000))
    assert run.content["ename"] == "RecursionError"
    assert watch.seconds < scaled(2)

    client.run("import time\nstarted = time.monotonic()").ok()
    run = client.run("import sys\nsys.setrecursionlimit(10**6)\ndef f(n): return f(n + 1)\n"
                     "try:\n    f(0)\nfinally:\n    failed = time.monotonic()", seconds=60)
    assert run.content["ename"] in ("RecursionError", "ContextCrashed")
    if run.content["ename"] == "RecursionError":
        assert "frames left out" in "\n".join(run.content["traceback"])
        told = client.run("time.monotonic() - failed").ok().result
        assert float(told) < scaled(2), "a million frames are not formatted"


@pytest.mark.parametrize("code", [
    "x = bytearray(10**10)", "x = 'a' * 10**10", "x = list(range(10**9))",
    "x = []\nwhile True: x.append(object())", "x = {}\nwhile True: x[len(x)] = str(len(x))",
    "x = None\nwhile True: x = (x,)",
], ids=["bytes", "text", "list", "objects", "dict", "tuples"])
def test_memory_error_is_told_and_the_context_goes_on(client, code):
    if SANITIZED:
        return  # the sanitizer's own map of all memory is beyond any limit
    client.run(LIMIT).ok()

    run = client.run(code, seconds=60)

    assert run.content["ename"] == "MemoryError"
    assert "MemoryError" in run.content["traceback"][-1]
    for _ in range(3):
        assert client.run("1 + 1").ok().result == "2"
    client.run("x = None").ok()
    assert client.run("len(bytes(10**7))").ok().result == "10000000", "the memory is free again"


def test_recursion_without_end_is_stopped_by_a_memory_limit(client):
    if SANITIZED:
        return  # as above
    client.run(LIMIT).ok()

    run = client.run(RECURSE.format(limit=10**9), seconds=60)

    # 3.11 forgets to name the reason when there is no room for another frame.
    assert run.content["ename"] in ("MemoryError", "RecursionError", "SystemError")
    assert client.run("1 + 1").ok().result == "2"


@pytest.mark.parametrize("body, ename", [
    ("raise ValueError('broken')", "ValueError"),
    ("return 5", "TypeError"),
    ("raise SystemExit(3)", "SystemExit"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("return repr(self)", "RecursionError"),
])
def test_repr_that_fails_is_told(client, body, ename):
    run = client.run(f"class R:\n    def __repr__(self): {body}\nR()")

    assert run.content["ename"] == ename
    assert client.run("1 + 1").ok().result == "2"


def test_repr_that_fails_in_a_display_lets_the_cell_go_on(client):
    run = client.run("class R:\n    def __repr__(self): raise ValueError('broken')\n"
                     "display(R())\nprint('on')").ok()

    assert "ValueError: broken" in run.stderr
    assert run.stdout == "on\n"


@pytest.mark.parametrize("body", ["raise ValueError", "raise SystemExit", "return 4",
                                  "raise KeyboardInterrupt"])
def test_exception_that_cannot_be_printed_is_told_by_its_name(client, body):
    run = client.run(f"class E(Exception):\n    def __str__(self): {body}\nraise E('x')")

    assert run.content["ename"] == "E"
    assert client.run("1 + 1").ok().result == "2"


def test_finalizer_that_raises_is_told_and_harms_nothing(client):
    run = client.run("class D:\n    def __del__(self): raise RuntimeError('in del')\n"
                     "d = D()\ndel d\n7").ok()

    assert run.result == "7"
    assert "RuntimeError: in del" in run.stderr


@pytest.mark.parametrize("code", [
    "import builtins\ndel builtins.print, builtins.len, builtins.isinstance, builtins.str",
    "import builtins\nbuiltins.repr = builtins.eval = builtins.exec = builtins.compile = None",
    "import builtins\nbuiltins.__import__ = builtins.open = None",
    "import io, json\njson.dumps = json.loads = io.StringIO = io.open = io.TextIOBase = None",
    "import linecache, traceback\nlinecache.cache = linecache.getlines = linecache.getline = None\n"
    "traceback.format_exception = traceback.TracebackException = None",
    "import sys\nsys.excepthook = sys.displayhook = sys.stdout = sys.stderr = None",
    "import sys\nsys.modules.clear()",
    "import os, tempfile\nd = tempfile.mkdtemp(); os.chdir(d); os.rmdir(d)",
    "import gc\ngc.disable(); gc.set_threshold(0)",
    "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
    "    except (OSError, ValueError): pass",
    "import os\nos.close(0); os.close(1); os.close(2)",
], ids=lambda code: code.split("\n")[1][:40])
def test_cell_that_breaks_what_others_need_breaks_no_answer(client, code):
    client.run(code)

    assert client.run("[1, {'a': 2}]").ok().result == "[1, {'a': 2}]"
    assert client.run("1 / 0").content["ename"] == "ZeroDivisionError"
    assert client.run("1 +").content["ename"] == "SyntaxError"
    assert client.run("class A: pass\nA().__class__.__name__").ok().result == "'A'"


@pytest.mark.parametrize("first", [0, 3])
def test_cell_that_closes_our_descriptors_is_told_so(kernel, client, first):
    run = client.run(f"import os\nprint('said')\nos.closerange({first}, 1000)")

    assert run.content["ename"] == "ContextExited"
    assert "closed descriptors that belong to the kernel" in run.content["evalue"]
    assert run.stdout == "said\n"
    assert client.run("1 + 1").ok().result == "2"
    kernel.take_log("context ended.*closed descriptors")


@pytest.mark.parametrize("code, cause", [
    ("import os; os.execv('/bin/true', ['true'])", "exit status 0"),
    ("import os, threading, time\nthreading.Thread(target=os._exit, args=(5,)).start()\n"
     "time.sleep(60)", "exit status 5"),
    ("import signal, time; signal.setitimer(signal.ITIMER_REAL, .05); time.sleep(60)", "SIGALRM"),
], ids=["exec", "thread", "alarm"])
def test_other_ends_of_the_process_are_named(kernel, client, code, cause):
    run = client.run(code)

    assert cause in run.content["evalue"]
    assert client.run("1 + 1").ok().result == "2"
    kernel.take_log(f"context ended.*{cause}")
