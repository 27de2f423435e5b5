# SPDX-License-Identifier: MIT
"""interrupt_request stops what runs, at once; while nothing runs it is a success without effect;
what cannot be stopped is killed, and the reply says so."""
import os
import signal

import pytest

from support.build import scaled
from support.processes import alive
from support.waiting import Stopwatch, wait_until

# Each prints when it is about to wait.
STOPPABLE = {
    "loop": "print('go', flush=True)\nwhile True: pass",
    "sleep": "import time; print('go', flush=True); time.sleep(100)",
    "await": "import asyncio; print('go', flush=True); await asyncio.sleep(100)",
    "task": """
import asyncio
async def spin():
    while True:
        await asyncio.sleep(0)
print('go', flush=True)
await asyncio.gather(spin(), spin())""",
    "function": """
import time
def inner():
    time.sleep(100)
print('go', flush=True)
inner()""",
    "run": "import subprocess; print('go', flush=True); subprocess.run(['sleep', '100'])",
    "event": "import threading; print('go', flush=True); threading.Event().wait()",
    "join": """
import threading, time
t = threading.Thread(target=time.sleep, args=(100,), daemon=True)
t.start()
print('go', flush=True)
t.join()""",
    "read": "import os; r, w = os.pipe(); print('go', flush=True); os.read(r, 1)",
    "select": "import select; print('go', flush=True); select.select([], [], [], 100)",
    "prints": "print('go', flush=True)\nwhile True: print('x' * 100)",
    "socket": "import socket; a, b = socket.socketpair(); print('go', flush=True); a.recv(1)",
    "accept": "import socket; s = socket.create_server(('127.0.0.1', 0))\n"
              "print('go', flush=True); s.accept()",
    "http": """
import socket, urllib.request
s = socket.create_server(('127.0.0.1', 0))
print('go', flush=True)
urllib.request.urlopen('http://127.0.0.1:%d' % s.getsockname()[1])""",
    "lock": "import threading; a = threading.Lock(); a.acquire(); print('go', flush=True)\n"
            "a.acquire()",
    "queue": "import queue; print('go', flush=True); queue.Queue().get()",
    "condition": "import threading; c = threading.Condition()\n"
                 "with c:\n    print('go', flush=True); c.wait()",
    "gather": "import asyncio; print('go', flush=True)\n"
              "await asyncio.gather(asyncio.sleep(100), asyncio.sleep(100))",
    "computes": "async def spin():\n    while True: pass\nprint('go', flush=True)\nawait spin()",
    "asyncio.run": "import asyncio; print('go', flush=True); asyncio.run(asyncio.sleep(100))",
    "to_thread": "import asyncio, threading; e = threading.Event(); print('go', flush=True)\n"
                 "try: await asyncio.to_thread(e.wait)\nfinally: e.set()",
    "communicate": "import subprocess; print('go', flush=True)\n"
                   "subprocess.check_output('sleep 100', shell=True)",
    "ignoring child": "import subprocess; print('go', flush=True)\n"
                      "subprocess.run(['sh', '-c', 'trap \"\" INT; exec sleep 3'])",
    "regex": "import re; print('go', flush=True); re.match(r'(a+)+$', 'a' * 40 + 'b')",
    "power": "print('go', flush=True); x = 7 ** 10**8",
    "fifo": "import os, tempfile; f = tempfile.mkdtemp() + '/f'; os.mkfifo(f)\n"
            "print('go', flush=True); open(f).read()",
    "repr": "class R:\n    def __repr__(self):\n        print('go', flush=True)\n"
            "        while True: pass\nR()",
    "recursion": "import sys; sys.setrecursionlimit(10**9)\ndef f(): f()\n"
                 "print('go', flush=True); f()",
    "exec": "print('go', flush=True)\nexec('import time; time.sleep(100)')",
}


@pytest.mark.parametrize("what", STOPPABLE)
def test_interrupt_stops_python_at_once(client, what):
    running = client.execute(STOPPABLE[what])
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        reply = client.interrupt()
        run = client.finish(running)

    assert reply.status == "ok"
    assert run.content["ename"] == "KeyboardInterrupt", run.content
    assert watch.seconds < scaled(1)
    assert client.run("1 + 1").ok().result == "2"


POOL = """
import multiprocessing, time
def nap(seconds):
    print('go', flush=True)
    time.sleep(seconds)
pool = multiprocessing.get_context('fork').Pool(2)
try:
    pool.map(nap, [100])
finally:
    pool.terminate()"""


def test_interrupt_stops_a_pool_of_processes(client):
    running = client.execute(POOL)
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running)

    # A worker may die with a lock of the pool in its hand, and terminate() wait for that lock until
    # the interrupt is repeated.
    assert run.content["ename"] == "KeyboardInterrupt", run.content
    assert watch.seconds < scaled(3)
    assert client.run("1 + 1").ok().result == "2"


def test_interrupt_stops_a_shell_command(client):
    running = client.execute("import os; print('go', flush=True); os.system('sleep 100')")
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running)

    # system() keeps the signal from Python; the command itself has had it.
    assert run.status == "ok" or run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(2)
    assert client.run("1 + 1").ok().result == "2"


def test_interrupt_reaches_the_processes_of_the_cell(client):
    running = client.execute("import subprocess, sys\np = subprocess.Popen(['sleep', '100'])\n"
                             "print(p.pid, flush=True)\np.wait()")
    client.wait_output(running, "\n")
    pid = int(client.by_parent[running.msg_id][-1].content["text"])

    client.interrupt()

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    wait_until(lambda: not alive(pid), "the process of the cell ends")


@pytest.mark.parametrize("code", [
    "await asyncio.sleep(100)", "await asyncio.gather(asyncio.sleep(100), asyncio.sleep(100))",
    "await spin()", "await asyncio.wait_for(asyncio.sleep(100), 100)",
    "async with asyncio.TaskGroup() as g: g.create_task(asyncio.sleep(100))",
    "await asyncio.create_task(asyncio.sleep(100))", "async for _ in endless(): pass",
])
def test_interrupted_await_leaves_no_task_behind(client, code):
    client.run("""
import asyncio
async def spin():
    while True: pass
async def endless():
    while True:
        yield await asyncio.sleep(.001)
if not hasattr(asyncio, "TaskGroup"):  # 3.10
    class TaskGroup:
        create_task = staticmethod(asyncio.ensure_future)
        async def __aenter__(self): return self
        async def __aexit__(self, *_): await asyncio.gather(*asyncio.all_tasks())
    asyncio.TaskGroup = TaskGroup""").ok()
    running = client.execute(f"print('go', flush=True)\n{code}")
    client.wait_output(running, "go")

    client.interrupt()

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    assert client.run("asyncio.all_tasks(asyncio.get_event_loop())").ok().result == "set()"


def test_interrupt_of_a_cell_spares_the_tasks_of_others(client):
    client.run("import asyncio\nalive = 0\nasync def tick():\n    global alive\n    while True:\n"
               "        await asyncio.sleep(.001); alive += 1\n"
               "task = asyncio.create_task(tick())").ok()
    running = client.execute("print('go', flush=True); await asyncio.sleep(100)")
    client.wait_output(running, "go")

    client.interrupt()

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    before = int(client.run("alive").ok().result)
    client.run("await asyncio.sleep(.1)").ok()
    assert int(client.run("task.cancel(); alive").ok().result) > before


def test_interrupt_runs_finally_and_async_cleanup(client):
    for code in ("try:\n    print('go', flush=True); time.sleep(100)\nfinally: print('cleaned')",
                 "try:\n    print('go', flush=True); await asyncio.sleep(100)\n"
                 "finally:\n    await asyncio.sleep(.01); print('cleaned')"):
        running = client.execute("import asyncio, time\n" + code)
        client.wait_output(running, "go")

        client.interrupt()

        run = client.finish(running)
        assert run.content["ename"] == "KeyboardInterrupt"
        assert run.stdout == "go\ncleaned\n"


@pytest.mark.parametrize("wait", ["time.sleep(100)", "await asyncio.sleep(100)"])
def test_handler_that_the_user_set_is_respected_and_kept(client, wait):
    client.run("import asyncio, signal, time\ndef mine(*_): raise RuntimeError('by my handler')\n"
               "before = signal.signal(signal.SIGINT, mine)").ok()
    for _ in range(2):
        running = client.execute(f"print('go', flush=True); {wait}")
        client.wait_output(running, "go")
        client.interrupt()
        assert client.finish(running).content["evalue"] == "by my handler"
    assert client.run("signal.getsignal(signal.SIGINT) is mine").ok().result == "True"

    client.run("signal.signal(signal.SIGINT, before)").ok()
    running = client.execute(f"print('go', flush=True); {wait}")
    client.wait_output(running, "go")
    client.interrupt()
    assert client.finish(running).content["ename"] == "KeyboardInterrupt"


@pytest.mark.parametrize("code", ["time.sleep(100)", "await asyncio.sleep(100)",
                                  "while True: print('x' * 100)", "subprocess.run(['sleep', '9'])"])
def test_storm_of_interrupts_harms_nothing(client, code):
    client.run("import asyncio, subprocess, time\nx = 41").ok()
    for _ in range(3):
        running = client.execute(f"print('go', flush=True)\n{code}")
        client.wait_output(running, "go")
        storm = [client.send("control", "interrupt_request") for _ in range(100)]
        assert client.finish(running).content["ename"] == "KeyboardInterrupt"
        for interrupt in storm:
            assert client.finish(interrupt).status == "ok"

        assert client.run("x + 1").ok().result == "42"
        assert client.run("await asyncio.sleep(0, x)").ok().result == "41"


def test_signal_to_the_kernel_and_its_group_interrupts_the_cell(kernel, client):
    """What jupyter_client does for a kernelspec that does not ask for messages."""
    running = client.execute("print('go', flush=True)\nimport time; time.sleep(100)")
    client.wait_output(running, "go")

    os.killpg(kernel.process.pid, signal.SIGINT)

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    assert client.run("1 + 1").ok().result == "2"


def test_interrupt_can_be_caught(client):
    running = client.execute("""
import time
try:
    print('go', flush=True)
    time.sleep(100)
except KeyboardInterrupt:
    print('caught')
print('after')""")
    client.wait_output(running, "go")

    client.interrupt()

    assert client.finish(running).ok().stdout == "go\ncaught\nafter\n"


def test_interrupt_keeps_the_variables(client):
    client.run("x = 41").ok()
    running = client.execute("x += 1\nprint('go', flush=True)\nwhile True: pass")
    client.wait_output(running, "go")

    client.interrupt()
    client.finish(running)

    assert client.run("x").ok().result == "42"


def test_interrupt_names_the_line(client):
    running = client.execute("def spin():\n    print('go', flush=True)\n    while True: pass\n"
                             "spin()")
    client.wait_output(running, "go")

    client.interrupt()

    traceback = "\n".join(client.finish(running).content["traceback"])
    assert "while True: pass" in traceback
    assert "spin" in traceback


def test_interrupt_while_idle_does_not_hit_the_next_cell(client):
    client.run("x = 1").ok()
    for _ in range(20):
        assert client.interrupt().status == "ok"

    assert client.run("sum(range(1000000)) and x").ok().result == "1"


def test_interrupt_before_any_context_is_a_success(client):
    assert client.interrupt().status == "ok"
    assert client.run("1 + 1").ok().result == "2"


def test_interrupt_at_the_end_of_a_cell_does_not_hit_the_next(client):
    client.run("pass").ok()
    for number in range(100):
        first = client.execute(f"x = {number}")
        interrupt = client.send("control", "interrupt_request")
        client.finish(first)
        client.finish(interrupt)

        assert client.run(f"sum(range(1000)) and {number}").ok().result == str(number)


def test_interrupt_of_a_starting_context_leaves_a_working_one(client):
    first = client.execute("import time; time.sleep(100)")
    # Control may overtake shell: the first of them can come before there is anything to stop.
    while ("shell", first.msg_id) not in client.replies:
        client.interrupt()

    assert client.finish(first).status in ("aborted", "error")
    assert client.run("1 + 1").ok().result == "2"


def test_interrupt_of_a_silent_cell_stops_it(client):
    client.run("import threading; started = threading.Event()").ok()
    running = client.execute("started.set()\nwhile True: pass", silent=True)
    client.wait_iopub(running, "busy", lambda m: m.state == "busy")

    client.interrupt()

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"


def test_interrupt_of_an_input_stops_it(client):
    running = client.execute("input('name? ')", allow_stdin=True)
    client.wait(lambda: client.replies.get(("stdin", running.msg_id)), "input_request")

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running)

    assert run.content["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(1)
    assert client.run("1 + 1").ok().result == "2"


@pytest.mark.slow
@pytest.mark.parametrize("language, code", [
    ("mock", "print go\nhang"),
    ("python", "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
               "print('go', flush=True)\nwhile True: pass"),
    ("python", "import time\nwhile True:\n    try:\n        print('go', flush=True)\n"
               "        time.sleep(100)\n    except KeyboardInterrupt: pass"),
    # Printed from within: between two instructions of the cell an interrupt would work.
    ("python", "import functools, itertools\nsay = functools.partial(print, flush=True)\n"
               "sum(itertools.chain(filter(None, map(say, ['go'])), itertools.repeat(0)))"),
], ids=["hang", "blocked", "swallowed", "stuck in C"])
def test_uninterruptible_cell_is_killed_with_the_cause(start_kernel, language, code):
    kernel = start_kernel(language=language)
    client = kernel.client()
    one = {"mock": "print 1", "python": "print(1)"}[language]
    running = client.execute(code)
    client.wait_output(running, "go")
    queued = client.execute(one)

    with Stopwatch() as watch:
        client.interrupt()
        run = client.finish(running, seconds=30)

    assert run.content["ename"] == "ContextKilled"
    assert "interrupt" in run.content["evalue"]
    assert "variables are lost" in run.content["evalue"]
    assert 3 < watch.seconds < scaled(10), "first the patience, then the end of it"
    assert client.finish(queued).status == "aborted"
    assert client.run(one).ok().stdout == "1\n"
    kernel.take_log("interrupts ignored, killing", "context ended.*ContextKilled")


@pytest.mark.slow
def test_second_interrupt_does_not_restart_the_ladder(start_kernel):
    kernel = start_kernel(language="mock")
    client = kernel.client()
    running = client.execute("print go\nhang")
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        for _ in range(10):
            client.interrupt()
        run = client.finish(running, seconds=30)

    assert run.content["ename"] == "ContextKilled"
    assert watch.seconds < scaled(10)
    kernel.take_log("interrupts ignored, killing", "context ended.*ContextKilled")


def test_interrupt_while_a_reader_goes_leaves_none_behind(client):
    run = client.run("""
import asyncio, signal
class Interrupting:
    def __init__(self, selector):
        self.selector, self.epoll = selector, selector._selector
        selector._selector = self
    def __getattr__(self, name):
        return getattr(self.epoll, name)
    def unregister(self, fd):
        self.selector._selector = self.epoll
        signal.raise_signal(signal.SIGINT)
        self.epoll.unregister(fd)
Interrupting(asyncio.get_running_loop()._selector)
await asyncio.sleep(0)""")

    assert run.content["ename"] == "KeyboardInterrupt"
    assert client.run("await asyncio.sleep(0, 41)").ok().result == "41"


INTERRUPT_AT = """
import asyncio, signal
ran = []
async def spin():
    ran.append(1)
    while True: pass
def interrupting(holder, name):
    real = getattr(holder, name)
    def first(*args):
        setattr(holder, name, real)
        signal.raise_signal(signal.SIGINT)
        return real(*args)
    setattr(holder, name, first)
interrupting({place})
await spin()"""


@pytest.mark.parametrize("place", [
    "signal, 'signal'", "asyncio.get_event_loop(), 'create_task'",
    "asyncio.get_event_loop(), 'add_reader'"], ids=["handler", "task", "reader"])
def test_interrupt_of_a_task_that_has_not_begun_leaves_none(client, place):
    client.run("import asyncio; asyncio.get_event_loop()").ok()

    run = client.run(INTERRUPT_AT.format(place=place))

    assert run.content["ename"] == "KeyboardInterrupt"
    assert client.run("ran, len(asyncio.all_tasks(asyncio.get_event_loop()))").ok().result == "([], 0)"
    assert client.run("await asyncio.sleep(0, 41)").ok().result == "41"


LOOK = "def look():\n    fd = signal.set_wakeup_fd(-1); signal.set_wakeup_fd(fd); return fd"


def test_signals_wake_the_loop_while_a_cell_awaits(client):
    """Otherwise one that comes just before the selector waits is noticed when it is repeated."""
    client.run(f"import asyncio, os, signal\n{LOOK}").ok()

    awaiting = client.run("await asyncio.sleep(0, look())").ok().result
    assert (awaiting == "-1", client.run("look()").ok().result) == (False, "-1")

    client.run("heard = asyncio.Event()\nloop = asyncio.get_running_loop()\n"
               "loop.add_signal_handler(signal.SIGUSR1, heard.set)").ok()
    assert client.run("look()").ok().result != "-1", "user code's handlers are kept"
    assert client.run("os.kill(os.getpid(), signal.SIGUSR1)\nawait heard.wait()").ok().result == "True"
