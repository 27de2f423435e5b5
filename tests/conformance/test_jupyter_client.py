# SPDX-License-Identifier: MIT
"""jupyter_client as people use it: it starts, asks, interrupts, restarts and ends the kernel."""
import time

import pytest
from jupyter_client.manager import KernelManager

from support.build import SOON, scaled
from support.processes import Adopted
from support.waiting import Stopwatch

TIMEOUT = scaled(SOON)

# How long every one of these kernels takes to end is measured.
pytestmark = pytest.mark.alone


@pytest.fixture
def manage(tmp_path):
    """Makes managers; at the end each kernel is shut down, and must not have to be killed."""
    managers = []

    def manage(**options):
        manager = KernelManager(kernel_name="pandia-python", **options)
        managers.append(manager)
        return manager

    yield manage
    for manager in managers:
        if manager.has_kernel:
            process = manager.provisioner.process
            with Stopwatch() as watch:
                manager.shutdown_kernel()
            assert process.returncode == 0, "it had to be killed"
            assert watch.seconds < scaled(2.5)


@pytest.fixture
def manager(manage):
    manager = manage()
    manager.start_kernel()
    return manager


@pytest.fixture
def client(manager):
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=TIMEOUT)
    yield client
    client.stop_channels()


def run(client, code):
    """The reply and the outputs by type."""
    outputs = []
    reply = client.execute_interactive(code, timeout=TIMEOUT, allow_stdin=False,
                                       output_hook=outputs.append)
    return reply["content"], [(m["msg_type"], m["content"]) for m in outputs
                              if m["msg_type"] != "status"]


def texts(outputs, name="stdout"):
    return "".join(content["text"] for kind, content in outputs
                   if kind == "stream" and content["name"] == name)


def test_ready_at_once(manage):
    manager = manage()
    with Stopwatch() as watch:
        manager.start_kernel()
        client = manager.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=TIMEOUT)
    client.stop_channels()

    assert watch.seconds < scaled(2), "jupyter_client itself waits for most of it"


def test_execute_interactive(client):
    reply, outputs = run(client, "print('out')\nimport sys\nprint('err', file=sys.stderr)\n40 + 2")

    assert reply["status"] == "ok"
    assert texts(outputs) == "out\n"
    assert texts(outputs, "stderr") == "err\n"
    assert outputs[-1][1]["data"]["text/plain"] == "42"


def test_large_output(client):
    _, outputs = run(client, "for i in range(100000): print(i)")

    assert len(texts(outputs).splitlines()) == 100000


@pytest.mark.parametrize("code", ["while True: pass", "import time; time.sleep(100)"])
def test_interrupt_kernel(manager, client, code):
    msg_id = client.execute(f"print('go', flush=True)\n{code}")
    while True:
        message = client.get_iopub_msg(timeout=TIMEOUT)
        if message["msg_type"] == "stream":
            break

    with Stopwatch() as watch:
        manager.interrupt_kernel()
        while True:
            reply = client.get_shell_msg(timeout=TIMEOUT)
            if reply["parent_header"]["msg_id"] == msg_id:
                break

    assert reply["content"]["ename"] == "KeyboardInterrupt"
    assert watch.seconds < scaled(2)
    assert run(client, "1")[0]["status"] == "ok"


def test_restart_kernel_forgets_everything(manager, client):
    run(client, "x = 1")
    for _ in range(3):
        manager.restart_kernel()
        client.wait_for_ready(timeout=TIMEOUT)
        reply, _ = run(client, "x = globals().get('x', 0) + 1\nassert x == 1")
        assert reply["status"] == "ok", reply


def test_restart_kernel_while_a_cell_runs(manager, client):
    client.execute("while True: pass")

    manager.restart_kernel()
    client.wait_for_ready(timeout=TIMEOUT)

    assert run(client, "1")[0]["status"] == "ok"


def test_shutdown_kernel_now(manage):
    adopted = Adopted()
    manager = manage()
    manager.start_kernel()
    adopted.started(manager.provisioner.process.pid)
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=TIMEOUT)
    client.execute("while True: pass")
    client.stop_channels()

    manager.shutdown_kernel(now=True)

    assert not manager.is_alive()
    # It was killed, and its context follows it on its own.
    adopted.wait_gone("its context ends", seconds=5)


def test_heartbeat_channel(client):
    client.hb_channel.unpause()
    run(client, "1")

    assert client.is_alive()


def test_input_goes_through(client):
    answers = []

    def answer(message):
        answers.append(message["content"]["prompt"])
        client.input("Ada")

    outputs = []
    reply = client.execute_interactive("print('Hello', input('Who? '))", timeout=TIMEOUT,
                                       allow_stdin=True, stdin_hook=answer,
                                       output_hook=outputs.append)

    assert reply["content"]["status"] == "ok"
    assert answers == ["Who? "]
    assert [m["content"]["text"] for m in outputs if m["msg_type"] == "stream"] == ["Hello Ada\n"]


def test_ipc_transport(manage, tmp_path):
    manager = manage(transport="ipc", connection_file=str(tmp_path / "kernel.json"))
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=TIMEOUT)

    reply, _ = run(client, "1")

    client.stop_channels()
    assert reply["status"] == "ok"


def test_many_kernels_at_once(manage):
    managers = [manage() for _ in range(5)]
    for manager in managers:
        manager.start_kernel()
    clients = [manager.blocking_client() for manager in managers]
    for client in clients:
        client.start_channels()
        client.wait_for_ready(timeout=TIMEOUT)

    for number, client in enumerate(clients):
        _, outputs = run(client, f"{number} * 10")
        assert outputs[-1][1]["data"]["text/plain"] == str(number * 10)
        client.stop_channels()


def test_shutdown_by_the_client_ends_the_process(manager, client):
    client.shutdown()

    deadline = time.monotonic() + scaled(5)
    while manager.is_alive():
        assert time.monotonic() < deadline
