# SPDX-License-Identifier: MIT
"""What a request may ask for one run, in its metadata: how long it may compute and wait, how much it
may print, which variables it sees. Each limit says so when it strikes, and harms nothing else."""
import re

import pytest

from support.build import scaled
from support.contexts import arrived, create
from support.waiting import Stopwatch

MIB = 1 << 20

ENDLESS = {
    "loop": "while True: pass",
    "sleep": "import time; time.sleep(100)",
    "await": "import asyncio; await asyncio.sleep(100)",
    "gather": "import asyncio; await asyncio.gather(*(asyncio.sleep(100) for _ in range(3)))",
    "select": "import select; select.select([], [], [], 100)",
    "process": "import subprocess; subprocess.run(['sleep', '100'])",
    "prints": "while True: print('x')",
    "function": "def f():\n    while True: pass\nf()",
}
BLOCKED = ("import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
           "while True: pass")
SWALLOWED = """
import time
while True:
    try:
        time.sleep(100)
    except KeyboardInterrupt:
        pass"""


def timed_out(run, limit_ms):
    """Checks the answer of a run that was past its time."""
    assert run.content["ename"] == "TimeoutError"
    assert run.content["evalue"].startswith(f"Execution timed out after {limit_ms} ms")
    return run


# timeout_ms.


@pytest.mark.parametrize("what", ENDLESS)
def test_timeout_stops_python_and_keeps_the_variables(client, what):
    client.run("x = 41").ok()

    with Stopwatch() as watch:
        run = client.run("x += 1\n" + ENDLESS[what], metadata={"timeout_ms": 300})

    timed_out(run, 300)
    assert run.content["evalue"] == "Execution timed out after 300 ms"
    assert 0.3 <= watch.seconds < scaled(1.5)
    after = client.run("x").ok()
    assert (after.result, after.count) == ("42", 3)


@pytest.mark.slow
@pytest.mark.parametrize("language, code", [("mock", "hang"), ("python", BLOCKED),
                                            ("python", SWALLOWED)],
                         ids=["hang", "blocked", "swallowed"])
def test_timeout_kills_what_ignores_interrupts(start_kernel, language, code):
    kernel = start_kernel(language=language)
    client = kernel.client()
    count = {"mock": "count", "python": "n = globals().get('n', 0) + 1; print(n)"}[language]
    client.run(count).ok()

    with Stopwatch() as watch:
        run = timed_out(client.run(code, metadata={"timeout_ms": 200}, seconds=30), 200)

    assert "killed" in run.content["evalue"]
    assert "variables are lost" in run.content["evalue"]
    assert watch.seconds < scaled(5)
    fresh = client.run(count).ok()
    assert (fresh.stdout, fresh.count) == ("1\n", 1)
    kernel.take_log("interrupts ignored, killing", "context ended.*TimeoutError")


def test_timeout_counts_from_the_start_of_the_execution(start_kernel):
    client = start_kernel(language="mock").client()
    first = client.execute("sleep 600")
    queued = [client.execute("sleep 100\nprint done", metadata={"timeout_ms": 400})
              for _ in range(6)]

    client.finish(first).ok()

    assert [client.finish(request).ok().stdout for request in queued] == ["done\n"] * 6


def test_timeout_that_is_not_reached_changes_nothing(client):
    runs = [client.run("import time; time.sleep(.05); 'done'", metadata={"timeout_ms": 10000})
            for _ in range(3)]
    later = client.run("time.sleep(.3); 'later'").ok()

    assert [run.result for run in runs] == ["'done'"] * 3
    assert later.result == "'later'", "the time of the last one is over with it"


def test_timeout_of_one_run_is_not_that_of_the_next(client):
    timed_out(client.run("while True: pass", metadata={"timeout_ms": 100}), 100)

    assert client.run("import time; time.sleep(.4); 'done'").ok().result == "'done'"


def test_timeout_aborts_the_queue_like_an_error(client):
    client.run("x = 0").ok()
    create(client, "a")
    first = client.execute("while True: pass", metadata={"timeout_ms": 500})
    queued = client.execute("x += 1")
    arrived(client, idle="a")

    timed_out(client.finish(first), 500)

    assert client.finish(queued).status == "aborted"
    assert client.run("x").ok().result == "0"


def test_timeout_without_stop_on_error_lets_the_queue_run(client):
    first = client.execute("while True: pass", metadata={"timeout_ms": 200}, stop_on_error=False)
    queued = client.execute("'next'")

    timed_out(client.finish(first), 200)

    assert client.finish(queued).ok().result == "'next'"


def test_timeout_keeps_what_was_printed(client):
    run = client.run("print('before')\nwhile True: pass", metadata={"timeout_ms": 200})

    assert timed_out(run, 200).stdout == "before\n"
    assert run.types[-1] == "error"
    assert "while True" in "\n".join(run.content["traceback"]), "it says where the time was over"


def test_timeout_of_a_silent_run_is_replied(client):
    timed_out(client.run("while True: pass", metadata={"timeout_ms": 200}, silent=True), 200)


def test_timeout_while_waiting_for_input_ends_it(client):
    running = client.execute("input('name? ')", metadata={"timeout_ms": 300}, allow_stdin=True)
    client.wait_asked(running)

    timed_out(client.finish(running), 300)

    assert client.run("1").ok().result == "1"


def test_timeout_belongs_to_its_context(client):
    create(client, "a")
    other = client.execute("import time; time.sleep(.6); 'done'", context="a")
    timed_out(client.run("while True: pass", metadata={"timeout_ms": 200}), 200)

    assert client.finish(other).ok().result == "'done'"


# queue_timeout_ms.


def test_queue_timeout_ends_a_run_that_did_not_start(start_kernel):
    client = start_kernel(language="mock").client()
    running = client.execute("print go\nloop")
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        late = client.finish(client.execute("count", metadata={"queue_timeout_ms": 200}))
    assert ("shell", running.msg_id) not in client.replies
    client.interrupt()
    client.finish(running)

    assert late.content["ename"] == "TimeoutError"
    assert "queue_timeout_ms" in late.content["evalue"]
    assert "200" in late.content["evalue"], "and how long that was"
    assert late.types == ["error"], "it has never started"
    assert 0.2 <= watch.seconds < scaled(1.5)
    assert client.run("count").ok().stdout == "1\n", "it has not run"


def test_queue_timeout_does_not_count_the_execution(start_kernel):
    client = start_kernel(language="mock").client()

    run = client.run("sleep 500\nprint done", metadata={"queue_timeout_ms": 200}).ok()

    assert run.stdout == "done\n"


def test_queue_timeout_ends_only_who_asked(start_kernel):
    client = start_kernel(language="mock").client()
    running = client.execute("sleep 700")
    client.wait_started(running)
    limits = [None, 100, 5000, 300, None]
    queued = [client.execute("count", metadata={"queue_timeout_ms": limit}) for limit in limits]

    runs = [client.finish(request) for request in queued]

    assert [run.status for run in runs] == ["ok", "error", "ok", "error", "ok"]
    assert [run.stdout for run in runs] == ["1\n", "", "2\n", "", "3\n"]
    ends = [m.parent_id for m in client.iopub if m.state == "idle"]
    assert ends == [queued[1].msg_id, queued[3].msg_id, running.msg_id, queued[0].msg_id,
                    queued[2].msg_id, queued[4].msg_id]


def test_queue_timeout_does_not_abort_the_queue(start_kernel):
    client = start_kernel(language="mock").client()
    running = client.execute("sleep 400")
    client.wait_started(running)
    late = client.execute("count", metadata={"queue_timeout_ms": 100})
    next_one = client.execute("count")

    assert client.finish(late).status == "error"
    assert client.finish(next_one).ok().stdout == "1\n"


# output_bytes.


def said(run, limit):
    """What is left out according to the notice: bytes of text and displays."""
    (found,) = re.findall(rf"\[output limit of {limit} bytes: (\d+) bytes of text and (\d+) displays "
                          r"left out\]", run.stderr)
    return int(found[0]), int(found[1])


def test_output_within_its_limit_is_left_alone(client):
    run = client.run("print('x' * 900)", metadata={"output_bytes": 1000}).ok()

    assert run.stdout == "x" * 900 + "\n"
    assert run.stderr == ""


def test_output_past_its_limit_keeps_head_and_tail(client):
    code = "for i in range(10000): print(f'line {i:05}')\n'result'"
    whole = "".join(f"line {i:05}\n" for i in range(10000))

    run = client.run(code, metadata={"output_bytes": 10000}).ok()

    missing, displays = said(run, 10000)
    assert len(run.stdout) <= 10000
    assert len(run.stdout) + missing == len(whole)
    head = next(i for i in range(len(run.stdout)) if not whole.startswith(run.stdout[:i + 1]))
    tail = run.stdout[head:]
    assert head >= 5000, "most of it is the beginning"
    assert whole.endswith(tail)
    assert len(tail) >= 500, "and some of it the end"
    assert displays == 0
    assert run.result == "'result'", "results pass"


def test_output_past_its_limit_ends_at_code_points(client):
    run = client.run("for i in range(5000): print('ü😀', end='')", metadata={"output_bytes": 1001})

    missing, _ = said(run, 1001)
    assert set(run.ok().stdout) == {"ü", "😀"}
    assert len(run.stdout.encode()) + missing == 5000 * len("ü😀".encode())


def test_output_of_both_streams_shares_the_limit(client):
    code = ("import sys\nfor i in range(1000):\n    print('out', i)\n"
            "    print('err', i, file=sys.stderr)")

    run = client.run(code, metadata={"output_bytes": 4000}).ok()

    missing, _ = said(run, 4000)
    assert missing > 0
    assert run.stdout.endswith("out 999\n")
    assert run.stderr.endswith("err 999\n")
    notice = run.stderr[run.stderr.index("\n[output"):run.stderr.index("left out]\n") + 10]
    assert len(run.stdout) + len(run.stderr) - len(notice) <= 4000


def test_displays_past_the_limit_are_counted(start_kernel):
    client = start_kernel(language="mock").client()
    code = "\n".join(f"display {'x' * 100}" for _ in range(50)) + "\nresult 1"

    run = client.run(code, metadata={"output_bytes": 2000}).ok()

    shown = len(run.contents("display_data"))
    assert 0 < shown < 20
    assert said(run, 2000) == (0, 50 - shown)


def test_output_limit_does_not_hide_the_error(client):
    run = client.run("print('x' * 10000)\n1/0", metadata={"output_bytes": 100})

    assert run.content["ename"] == "ZeroDivisionError"
    assert run.types[-1] == "error"
    assert said(run, 100)[0] > 9000


def test_output_limit_holds_when_the_context_dies(start_kernel):
    kernel = start_kernel(language="mock")

    run = kernel.client().run(f"flood {MIB}\nprint the end\nkill9", metadata={"output_bytes": 1000})

    assert run.content["ename"] == "ContextCrashed"
    missing, _ = said(run, 1000)
    assert len(run.stdout) + missing == MIB + len("the end\n")
    assert run.stdout.endswith("the end\n")
    kernel.take_log("context ended.*SIGKILL")


def test_output_limit_does_not_hide_a_question(start_kernel):
    client = start_kernel(language="mock").client()
    running = client.execute("flood 10000\ninput name?", metadata={"output_bytes": 1},
                             allow_stdin=True)

    assert client.wait_asked(running).content["prompt"] == "name?"
    client.answer("x")
    client.finish(running).ok()


def test_output_limit_is_of_one_run(client):
    client.run("print('x' * 10000)", metadata={"output_bytes": 100}).ok()

    assert len(client.run("print('x' * 10000)").ok().stdout) == 10001


def test_flood_within_a_limit_is_cheap_for_clients(start_kernel):
    client = start_kernel(language="mock").client()

    run = client.run(f"flood {50 * MIB}", metadata={"output_bytes": MIB}, seconds=60).ok()

    missing, _ = said(run, MIB)
    assert len(run.stdout) + missing == 50 * MIB
    assert sum(len(c["text"]) for c in run.contents("stream")) < 2 * MIB


# env.


TEXTS = {"QUOTES": "a'b\"c`d", "LINES": "a\nb", "SHELL": "$(touch x)", "UNI": "ü😀", "EMPTY": ""}
SEEN = "import os, subprocess; print({name: os.environ.get(name) for name in %r})"


def test_env_is_set_for_one_run(start_kernel):
    client = start_kernel(env={"KEPT": "1", "CHANGED": "old"}).client()
    names = [*TEXTS, "KEPT", "CHANGED"]
    before = client.run(SEEN % names).ok().stdout

    during = client.run(SEEN % names, metadata={"env": {**TEXTS, "CHANGED": "new"}}).ok()
    after = client.run(SEEN % names).ok()

    assert eval(during.stdout) == {**TEXTS, "KEPT": "1", "CHANGED": "new"}
    assert after.stdout == before == str({**dict.fromkeys(TEXTS), "KEPT": "1",
                                          "CHANGED": "old"}) + "\n"


def test_env_reaches_processes_and_c_code(client):
    code = """
import ctypes, os, subprocess
libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p
print(subprocess.run(['printenv', 'ONE'], capture_output=True, text=True).stdout.strip(),
      libc.getenv(b'ONE'))"""
    assert client.run(code, metadata={"env": {"ONE": "x y"}}).ok().stdout == "x y b'x y'\n"
    assert client.run(code).ok().stdout == " None\n"


@pytest.mark.parametrize("end, limits", [("1/0", {}), ("while True: pass", {"timeout_ms": 200}),
                                         ("raise SystemExit(3)", {}), ("x = = 1", {})],
                         ids=["error", "timeout", "exit", "syntax"])
def test_env_is_restored_after_a_failure(client, end, limits):
    client.run("import os; os.environ['MINE'] = 'before'").ok()

    client.run(f"import os; os.environ['ADDED'] = 'x'\n{end}",
               metadata={"env": {"MINE": "during", "OTHER": "x"}, **limits})
    run = client.run("print([os.environ.get(n) for n in ('MINE', 'OTHER', 'ADDED')])").ok()

    added = None if end == "x = = 1" else "x"
    assert run.stdout == f"{['before', None, added]}\n", "only what was borrowed is given back"


def test_env_null_hides_a_variable(client):
    client.run("import os; os.environ['MINE'] = 'x'").ok()

    hidden = client.run("print('MINE' in os.environ)", metadata={"env": {"MINE": None, "NO": None}})

    assert hidden.ok().stdout == "False\n"
    assert client.run("print(os.environ['MINE'])").ok().stdout == "x\n"


# Wrong values.


WRONG = [(name, value) for name in ("timeout_ms", "queue_timeout_ms", "output_bytes")
         for value in (0, -1, 1.5, "100", True, [], {}, 10**20)]
WRONG += [("timeout_ms", 604800001), ("queue_timeout_ms", 604800001)]
WRONG += [("env", value) for value in (5, "A=1", [], {"A": 1}, {"A": "x\0"}, {"": "x"}, {"A=B": "x"},
                                       {"A": ["x"]}, {"A": "x" * (3 << 20)})]


@pytest.mark.parametrize("name, value", WRONG, ids=[f"{n}={str(v)[:20]!a}" for n, v in WRONG])
def test_wrong_option_is_refused_with_its_name(start_kernel, name, value):
    client = start_kernel(language="mock").client()

    run = client.run("count", metadata={name: value})

    assert run.content["ename"] in ("InvalidRequest", "LimitExceeded")
    assert name in run.content["evalue"]
    assert run.types == ["error"]
    assert client.run("count", metadata={name: None}).ok().stdout == "1\n", "null is no wish"


def test_unknown_metadata_is_ignored(client):
    run = client.run("1", metadata={"cellId": "x", "deletedCells": [], "recordTiming": False,
                                    "timeout": 1, "surprise": {"a": [1, None]}}).ok()

    assert run.result == "1"
