# SPDX-License-Identifier: MIT
"""A context that dies says why, and comes back; nothing that belonged to it lives on."""
import os
import signal

import pytest

from support.build import scaled
from support.processes import alive, descendants
from support.waiting import Stopwatch, wait_until

SEGV = ("ContextCrashed", "SIGSEGV")
ABRT = ("ContextCrashed", "SIGABRT")
EXIT = ("ContextExited", "status 3")
KILL = ("ContextCrashed", "SIGKILL")

DEATHS = [
    ("mock", "segv", SEGV), ("mock", "abort", ABRT), ("mock", "exit 3", EXIT),
    ("mock", "kill9", KILL),
    ("python", "import ctypes; ctypes.string_at(0)", SEGV),
    ("python", "import os; os.abort()", ABRT),
    ("python", "import os; os._exit(3)", EXIT),
    ("python", "import os; os.kill(os.getpid(), 9)", KILL),
    ("python", "import os; os.kill(0, 9)", KILL),
    ("python", "import signal; signal.raise_signal(signal.SIGTERM)", ("ContextCrashed", "SIGTERM")),
    ("python", "import sys\nsys.setrecursionlimit(10**9)\nf = lambda: f()\n"
               "class A:\n    __getattr__ = lambda self, n: getattr(self, n)\nA().x", SEGV),
]

PRINT = {"mock": "print 1", "python": "print(1)"}
# How to get the pid of the context, and a loop that an interrupt ends.
PID = {"mock": "pid", "python": "import os; print(os.getpid())"}
LOOP = {"mock": "print go\nloop", "python": "print('go', flush=True)\nwhile True: pass"}
COUNT = {"mock": "count", "python": "n = globals().get('n', 0) + 1; print(n)"}


@pytest.fixture(params=["mock", "python"])
def language(request):
    return request.param


@pytest.fixture
def kernel(start_kernel, language):
    return start_kernel(language=language)


def free_states(client):
    """States that belong to no request."""
    return [m.state for m in client.by_parent[None] if m.state]


@pytest.mark.parametrize("language, code, cause", DEATHS,
                         ids=[f"{row[0]}-{row[2][1]}-{i}" for i, row in enumerate(DEATHS)])
def test_death_is_reported_with_its_cause(kernel, client, language, code, cause):
    client.run(COUNT[language]).ok()

    run = client.run(code)

    assert run.content["ename"] == cause[0]
    assert cause[1] in run.content["evalue"], run.content
    assert "variables are lost" in run.content["evalue"]
    assert run.error["traceback"], "a console shows nothing else"
    assert run.count == 2
    fresh = client.run(COUNT[language]).ok()
    assert "restarting" not in free_states(client), "the cell has told it"
    assert (fresh.stdout, fresh.count) == ("1\n", 1), "its variables are lost"
    kernel.take_log(f"context ended.*{cause[0]}.*{cause[1]}")


@pytest.mark.parametrize("end", ["os._exit(3)", "os.abort()", "ctypes.string_at(0)"])
def test_output_before_a_death_is_not_lost(start_kernel, end):
    kernel = start_kernel(language="python")
    run = kernel.client().run(f"""
import ctypes, os, sys
sys.stderr.write("warned")
print("printed")
print("unfinished, ", end="")
os.write(1, b"written\\n")
{end}""")

    assert run.status == "error"
    assert "printed\nunfinished, " in run.stdout
    assert "written\n" in run.stdout
    assert "warned" in run.stderr
    kernel.take_log("context ended")


def test_flushed_output_before_a_kill_is_not_lost(start_kernel):
    kernel = start_kernel(language="python")
    run = kernel.client().run("""
import os, sys
print("printed", flush=True)
sys.stderr.write("warned")
sys.stderr.flush()
os.kill(os.getpid(), 9)""")

    assert run.stdout == "printed\n"
    assert run.stderr == "warned"
    kernel.take_log("context ended")


def test_death_aborts_the_queue_like_an_error(kernel, client, language):
    first = client.execute({"mock": "sleep 200\nkill9",
                            "python": "import os, time; time.sleep(.2); os.kill(os.getpid(), 9)"}
                           [language])
    queued = client.execute(COUNT[language])
    info = client.send("shell", "kernel_info_request")

    assert client.finish(first).content["ename"] == "ContextCrashed"
    assert client.finish(queued).status == "aborted"
    assert client.finish(info).status == "ok"
    assert client.run(COUNT[language]).ok().stdout == "1\n"
    kernel.take_log("context ended")


def test_death_without_stop_on_error_goes_on_with_the_queue(kernel, client, language):
    dying = {"mock": "sleep 200\nkill9",
             "python": "import os, time; time.sleep(.2); os.kill(os.getpid(), 9)"}[language]
    first = client.execute(dying, stop_on_error=False)
    queued = [client.execute(COUNT[language]) for _ in range(3)]

    assert client.finish(first).status == "error"
    runs = [client.finish(request).ok() for request in queued]
    assert [run.stdout for run in runs] == ["1\n", "2\n", "3\n"]
    assert [run.count for run in runs] == [1, 2, 3]
    kernel.take_log("context ended")


def test_control_is_answered_while_a_context_dies_and_comes_back(kernel, client, language):
    for _ in range(5):
        running = client.execute(LOOP[language])
        client.wait_output(running, "go")
        os.kill(next(iter(kernel.contexts())), signal.SIGKILL)
        with Stopwatch() as watch:
            client.request("control", "kernel_info_request")
        assert watch.seconds < scaled(1)
        assert client.finish(running).content["ename"] == "ContextCrashed"
    kernel.take_log(*["context ended"] * 5)


def test_kill_of_an_idle_context_is_noticed(kernel, client, language):
    pid = int(client.run(PID[language]).ok().stdout)

    os.kill(pid, signal.SIGKILL)

    client.wait(lambda: "restarting" in free_states(client), "restarting")
    assert client.run(COUNT[language]).ok().stdout == "1\n"
    kernel.take_log("context ended.*SIGKILL")


def test_death_leaves_no_stray_of_the_context(kernel, client, language):
    spawn = {"mock": "spawn", "python": """
import os, subprocess
p = subprocess.Popen(["sh", "-c", "setsid sleep 1000 & echo $!; exec >&- 2>&-; setsid sleep 1000"],
                     stdout=subprocess.PIPE, start_new_session=True, text=True)
print(p.stdout.readline())"""}[language]
    stray = int(client.run(spawn).ok().stdout)
    assert alive(stray)

    client.run({"mock": "kill9", "python": "os._exit(3)"}[language])

    wait_until(lambda: not alive(stray), "the stray ends with its context")
    assert client.run(PRINT[language]).ok().stdout == "1\n"
    kernel.take_log("context ended")


def test_kill_of_the_zygote_leaves_the_contexts_alone(kernel, client, language):
    client.run(COUNT[language]).ok()
    context = int(client.run(PID[language]).ok().stdout)

    os.kill(kernel.zygote(), signal.SIGKILL)
    wait_until(lambda: kernel.children() == {context}, "the broker adopts the context")

    assert client.run(COUNT[language]).ok().stdout == "2\n", "its variables are still there"
    running = client.execute(LOOP[language])
    client.wait_output(running, "go")
    client.interrupt()
    assert client.finish(running).content["ename"] == "KeyboardInterrupt"


def test_context_after_the_death_of_its_zygote_is_reaped_and_replaced(kernel, client, language):
    context = int(client.run(PID[language]).ok().stdout)
    os.kill(kernel.zygote(), signal.SIGKILL)
    wait_until(lambda: kernel.children() == {context}, "the broker adopts the context")

    os.kill(context, signal.SIGKILL)
    client.wait(lambda: "restarting" in free_states(client), "restarting")
    run = client.run(COUNT[language]).ok()

    assert run.stdout == "1\n"
    assert len(descendants(kernel.pid)) == 2, "a new zygote and a new context"
    kernel.take_log("context ended.*SIGKILL")


def test_kill_of_the_zygote_before_any_context_is_healed(kernel, client, language):
    client.request("control", "kernel_info_request")
    for _ in range(3):
        os.kill(wait_until(lambda: descendants(kernel.pid), "zygote").pop(), signal.SIGKILL)
        wait_until(lambda: not descendants(kernel.pid), "zygote reaped")
        assert client.run(PRINT[language]).ok().stdout == "1\n"
        context = int(client.run(PID[language]).ok().stdout)
        os.kill(context, signal.SIGKILL)
        wait_until(lambda: not alive(context), "context gone")
        client.wait(lambda: free_states(client)[-1:] == ["starting"], "restart is told")
        kernel.take_log("context ended.*SIGKILL")


def test_kill_of_the_broker_ends_everything(kernel, client, language):
    client.run({"mock": "spawn\nspawn", "python": """
import subprocess
for _ in range(2):
    subprocess.Popen(["sh", "-c", "setsid sleep 1000 & setsid sleep 1000"], start_new_session=True)
subprocess.Popen(["sleep", "1000"])"""}[language]).ok()
    client.wait_output(client.execute(LOOP[language]), "go")
    family = descendants(kernel.pid)
    assert len(family) >= 4, "zygote, context, strays"

    kernel.send_signal(signal.SIGKILL)
    kernel.exit_code = -signal.SIGKILL
    kernel.wait_exit()

    wait_until(lambda: not any(map(alive, family)), "all of them are gone", seconds=5)


def test_kill_of_the_broker_ends_a_context_that_ignores_signals(start_kernel):
    kernel = start_kernel(language="python")
    client = kernel.client()
    client.wait_output(client.execute("""
import os, signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
print("go", flush=True)
while True: pass"""), "go")

    kernel.send_signal(signal.SIGKILL)
    kernel.exit_code = -signal.SIGKILL
    kernel.wait_exit()
    # The end of the test waits until nobody is left.


def test_kill_of_broker_and_zygote_ends_the_contexts(kernel, client, language):
    client.wait_output(client.execute(LOOP[language]), "go")
    context = next(iter(kernel.contexts()))
    zygote = kernel.zygote()

    for pid in (zygote, kernel.pid):
        os.kill(pid, signal.SIGKILL)
    kernel.exit_code = -signal.SIGKILL
    kernel.wait_exit()

    wait_until(lambda: not alive(context), "the context ends", seconds=5)


def test_kernel_that_does_not_find_its_worker_stays_answerable(start_kernel):
    kernel = start_kernel(language="nosuch")
    kernel.exit_code = 2

    assert kernel.wait_exit() == 2
    kernel.take_log("nosuch")
