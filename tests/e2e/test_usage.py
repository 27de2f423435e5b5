# SPDX-License-Identifier: MIT
"""usage_request, as jupyter-resource-usage asks it: memory and processor time of the kernel with all
its processes, and of the machine."""
import os
import socket

import psutil
import pytest

from support.build import SANITIZED, scaled
from support.contexts import create, delete
from support.waiting import Stopwatch, wait_until

MIB = 1 << 20


def usage(client):
    return client.request("control", "usage_request").content


def test_usage_names_the_kernel_and_the_machine(kernel, client):
    content = usage(client)

    assert content["hostname"] == socket.gethostname()
    assert content["pid"] == kernel.pid
    assert content["cpu_count"] == len(os.sched_getaffinity(0)) or \
        content["cpu_count"] == os.cpu_count()
    memory = content["host_virtual_memory"]
    real = psutil.virtual_memory()
    assert memory["total"] == real.total
    assert 0 < memory["available"] <= memory["total"]
    assert abs(memory["available"] - real.available) < real.total * 0.2
    assert 0 <= memory["percent"] <= 100


def test_usage_counts_the_memory_of_all_processes(kernel, client):
    client.run("x = 1").ok()
    before = usage(client)["kernel_memory"]
    family = [psutil.Process(kernel.pid), *psutil.Process(kernel.pid).children(recursive=True)]
    real = sum(process.memory_full_info().pss for process in family)

    assert abs(before - real) < 20 * MIB, f"{before} and psutil says {real}"
    client.run(f"x = bytearray({100 * MIB})\nx[::4096] = b'x' * len(x[::4096])").ok()
    during = usage(client)["kernel_memory"]
    client.run("del x").ok()
    after = usage(client)["kernel_memory"]

    assert 95 * MIB < during - before < (300 if SANITIZED else 130) * MIB
    assert SANITIZED or after - before < 20 * MIB


def test_usage_counts_other_contexts_and_their_children(client):
    create(client, "a")
    before = usage(client)["kernel_memory"]
    hog = ("import subprocess, sys\n"
           "p = subprocess.Popen([sys.executable, '-c', "
           f"\"x = b'x' * {100 * MIB}; print('go', flush=True); input()\"], "
           "stdin=subprocess.PIPE, stdout=subprocess.PIPE)\nprint(p.stdout.readline())")
    client.run(hog, context="a", seconds=30).ok()

    during = usage(client)["kernel_memory"]
    delete(client, "a")

    assert during - before > 95 * MIB
    wait_until(lambda: usage(client)["kernel_memory"] < during - 80 * MIB, "it is given back")


@pytest.mark.parametrize("code", ["while True: pass", "import time; time.sleep(100)"])
def test_usage_is_answered_while_a_cell_runs(client, code):
    running = client.execute(f"print('go', flush=True)\n{code}")
    client.wait_output(running, "go")

    with Stopwatch() as watch:
        for _ in range(10):
            assert usage(client)["kernel_memory"] > MIB

    assert watch.seconds < scaled(5)
    client.interrupt()
    client.finish(running)


def test_usage_counts_processor_time(client):
    usage(client)  # percentages are of the time since the last question
    client.run("import time\nend = time.process_time() + .5\nwhile time.process_time() < end: pass").ok()
    busy = usage(client)
    client.run("time.sleep(.5)").ok()
    idle = usage(client)

    assert 30 < busy["kernel_cpu"] < 250
    assert idle["kernel_cpu"] < busy["kernel_cpu"] / 2
    assert 0 <= busy["host_cpu_percent"] <= 100


def test_usage_does_not_hold_up_control(client):
    client.run(f"x = bytearray({200 * MIB})").ok()
    asked = [client.send("control", "usage_request") for _ in range(20)]

    with Stopwatch() as watch:
        client.request("control", "kernel_info_request")

    assert watch.seconds < scaled(0.5)
    for request in asked:
        assert client.finish(request).content["kernel_memory"] > 0


def test_usage_before_any_context_is_answered(client):
    assert usage(client)["kernel_memory"] > 0


def test_usage_that_is_under_way_does_not_hold_the_end(kernel, client):
    client.run("x = 1").ok()
    asked = [client.send("control", "usage_request") for _ in range(50)]
    kernel.shutdown()

    for request in asked:
        client.wait_reply(request)
