# SPDX-License-Identifier: MIT
"""The end of a kernel, asked for or forced on it. That nothing is left behind, and that the exit
code is 0, is checked at the end of every test of this suite."""
import signal
import subprocess

import pytest

from support.build import scaled
from support.waiting import Stopwatch

RUNNING = {
    "idle": "",
    "loop": "print('go', flush=True)\nwhile True: pass",
    "sleep": "import time; print('go', flush=True); time.sleep(100)",
    "blocked": "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
               "print('go', flush=True)\nwhile True: pass",
    "stopped": "import os, signal\nprint('go', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)",
    "strays": "import subprocess, time\n"
              "subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
              "print('go', flush=True)\ntime.sleep(100)",
    "threads": "import threading, time\n"
               "threading.Thread(target=time.sleep, args=(1000,)).start()\n"
               "print('go', flush=True)\ntime.sleep(100)",
}


def run_something(client, code):
    """A cell that is running, None for no code."""
    if not code:
        client.run("pass").ok()
        return None
    running = client.execute(code)
    client.wait_output(running, "go")
    return running


@pytest.mark.parametrize("what", RUNNING)
def test_shutdown_is_through_in_two_seconds(kernel, client, what):
    running = run_something(client, RUNNING[what])

    with Stopwatch() as watch:
        request = client.send("control", "shutdown_request", {"restart": False})
        reply = client.wait_reply(request)
        kernel.wait_exit()

    assert reply.content == {"status": "ok", "restart": False}
    assert watch.seconds < scaled(2), "jupyter_client begins to kill after 2.5 s"
    client.wait_idle(request)
    if running:
        assert client.finish(running).status == "error", "no request stays without an end"


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize("channel", ["control", "shell"])
def test_shutdown_echoes_restart_and_tells_everybody(kernel, client, channel, restart):
    other = kernel.client()

    request = client.send(channel, "shutdown_request", {"restart": restart})
    run = client.finish(request)
    kernel.wait_exit()

    assert run.content == {"status": "ok", "restart": restart}
    told = other.wait_iopub(request, "broadcast", lambda m: m.type == "shutdown_reply")
    assert told.content == {"status": "ok", "restart": restart}


def test_shutdown_ends_all_requests(kernel, client):
    running = run_something(client, RUNNING["loop"])
    queued = [client.execute("1") for _ in range(3)]
    info = client.send("shell", "kernel_info_request")
    client.request("control", "kernel_info_request")  # by now the others have arrived

    request = client.send("control", "shutdown_request", {"restart": False})
    client.finish(request)
    kernel.wait_exit()

    assert client.finish(running).status == "error"
    assert {client.finish(one).status for one in queued} <= {"aborted", "error"}
    client.finish(info)


def test_shutdown_lets_a_short_cell_end_by_itself(kernel, client):
    client.run("import time").ok()
    running = client.execute("print('go', flush=True); time.sleep(.05); print('done')")
    client.wait_output(running, "go")

    client.send("control", "shutdown_request", {"restart": False})

    assert client.finish(running).ok().stdout == "go\ndone\n"
    kernel.wait_exit()


def test_shutdown_runs_exit_handlers(kernel, client, tmp_path):
    mark = tmp_path / "mark"
    client.run(f"import atexit; atexit.register(open({str(mark)!r}, 'w').close)").ok()

    kernel.shutdown()

    assert mark.exists()


def test_shutdown_before_any_cell(kernel, client):
    with Stopwatch() as watch:
        kernel.shutdown()

    assert watch.seconds < scaled(2)


def test_shutdown_right_after_start(start_kernel):
    for _ in range(5):
        kernel = start_kernel()
        client = kernel.client(wait=False)
        client.wait_reply(client.send("control", "shutdown_request", {"restart": False}))
        kernel.wait_exit()


def test_shutdown_while_the_context_starts(kernel, client):
    running = client.execute("1")
    client.send("control", "shutdown_request", {"restart": False})
    kernel.wait_exit()

    assert client.finish(running).status in ("ok", "aborted", "error")


def test_two_shutdowns_are_both_answered(kernel, client):
    run_something(client, RUNNING["blocked"])
    requests = [client.send("control", "shutdown_request", {"restart": flag})
                for flag in (False, True)]

    assert [client.finish(request).content["restart"] for request in requests] == [False, True]
    kernel.wait_exit()


@pytest.mark.parametrize("signo", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("what", ["idle", "loop", "blocked", "strays"])
def test_signal_ends_the_kernel_in_order(kernel, client, signo, what):
    running = run_something(client, RUNNING[what])

    with Stopwatch() as watch:
        kernel.send_signal(signo)
        kernel.wait_exit()

    assert watch.seconds < scaled(2)
    if running:
        assert client.finish(running).status == "error"


def test_sigint_is_for_the_cells_and_not_for_the_broker(kernel, client):
    running = run_something(client, RUNNING["loop"])

    for _ in range(10):
        kernel.send_signal(signal.SIGINT)

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    for _ in range(10):
        kernel.send_signal(signal.SIGINT)
    assert client.run("1 + 1").ok().result == "2"


@pytest.mark.parametrize("what", ["idle", "loop", "strays"])
def test_death_of_the_launcher_ends_the_kernel(start_kernel, what):
    with subprocess.Popen(["sleep", "1000"]) as launcher:
        kernel = start_kernel(env={"JPY_PARENT_PID": str(launcher.pid)})
        client = kernel.client()
        run_something(client, RUNNING[what])

        launcher.kill()
        kernel.wait_exit(seconds=5)


def test_launcher_that_is_init_is_not_watched(start_kernel):
    client = start_kernel(env={"JPY_PARENT_PID": "1"}).client()

    assert client.run("1").ok().result == "1"


def test_context_does_not_learn_how_the_kernel_was_launched(start_kernel):
    with subprocess.Popen(["sleep", "1000"]) as launcher:
        kernel = start_kernel(env={"JPY_PARENT_PID": str(launcher.pid), "MY_OWN": "value"})
        client = kernel.client()
        run = client.run("import os; print(os.environ.get('JPY_PARENT_PID'), os.environ['MY_OWN'])")
        key = client.run(f"""
import os
seen = []
for pid in (os.getpid(), os.getppid()):
    for name in ("environ", "cmdline"):
        seen.append(open(f"/proc/{{pid}}/{{name}}", "rb").read())
print({kernel.connection['key'][:16]!r}.encode() in b"".join(seen))""")
        kernel.shutdown()
        launcher.kill()

    assert run.ok().stdout == "None value\n"
    assert key.ok().stdout == "False\n"


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_restart_on_the_same_ports_works_at_once(start_kernel, transport):
    kernel = start_kernel(language="mock", transport=transport)
    kernel.client().run("print x").ok()
    for _ in range(4):
        kernel.shutdown()
        kernel = start_kernel(language="mock", connection=kernel.connection)
        assert kernel.client().run("count").ok().stdout == "1\n"


def test_restart_before_the_old_kernel_has_ended_works(start_kernel):
    old = start_kernel(language="mock", transport="tcp")
    client = old.client()
    running = client.execute("print go\nhang")
    client.wait_output(running, "go")
    client.send("control", "shutdown_request", {"restart": True})

    new = start_kernel(language="mock", connection=old.connection)

    old.wait_exit()
    assert new.client().run("count").ok().stdout == "1\n"


def test_restart_after_kill_works_at_once(start_kernel):
    old = start_kernel(language="mock", transport="tcp")
    client = old.client()
    client.wait_output(client.execute("print go\nloop"), "go")
    old.send_signal(signal.SIGKILL)
    old.exit_code = -signal.SIGKILL
    old.wait_exit()

    new = start_kernel(language="mock", connection=old.connection)

    assert new.client().run("count").ok().stdout == "1\n"
