# SPDX-License-Identifier: MIT
"""The handshake of JEP 66: the launcher names a registration socket in the connection file, the
kernel chooses its ports and tells them there. Run against the mock."""
import json
import signal
import stat
import uuid

import pytest
import zmq

from support.build import SOON, scaled
from support.client import DELIMITER, PORTS, sign
from support.waiting import Stopwatch

ACK_SECONDS = 5  # base/bounds.h


class Launcher:
    """The other side: a socket that kernels register with."""

    def __init__(self, folder, transport):
        self.transport = transport
        self.key = uuid.uuid4().hex
        self.kernel_id = str(uuid.uuid4())
        self.ip = str(folder / "r") if transport == "ipc" else "127.0.0.1"
        self.context = zmq.Context()
        self.socket = self.context.socket(zmq.ROUTER)
        self.socket.linger = 0
        if transport == "ipc":
            self.port = 1
            self.socket.bind(f"ipc://{self.ip}-{self.port}")
        else:
            self.port = self.socket.bind_to_random_port(f"tcp://{self.ip}")

    def file(self, folder, **fields):
        """Content of a connection file without ports."""
        return {"transport": self.transport, "key": self.key, "signature_scheme": "hmac-sha256",
                "ip": str(folder / "s") if self.transport == "ipc" else "127.0.0.1",
                "registration_ip": self.ip, "registration_port": self.port,
                "kernel_id": self.kernel_id, **fields}

    def receive(self):
        """Waits for a kernel; returns its identity and what it said, checked."""
        assert self.socket.poll(scaled(SOON) * 1000), "no kernel registers"
        identity, delimiter, signature, content = self.socket.recv_multipart()
        assert delimiter == DELIMITER
        assert signature == sign(self.key, [content])
        return identity, json.loads(content)

    def answer(self, identity, content=b"ACK", key=None):
        signature = sign(self.key if key is None else key, [content])
        self.socket.send_multipart([identity, DELIMITER, signature, content])

    def close(self):
        self.context.destroy(linger=0)


@pytest.fixture(params=["tcp", "ipc"])
def launcher(tmp_path, request):
    launcher = Launcher(tmp_path, request.param)
    yield launcher
    launcher.close()


def written(kernel):
    """The connection file as the kernel left it; clients use it from now on."""
    kernel.connection = json.loads(kernel.file.read_text("utf-8"))
    return kernel.connection


def test_kernel_registers_its_ports_and_serves(start_kernel, launcher, tmp_path):
    kernel = start_kernel(language="mock", connection=launcher.file(tmp_path))

    identity, told = launcher.receive()
    launcher.answer(identity)

    ports = {name: told.pop(name) for name in PORTS.values()}
    assert told == {"kernel_id": launcher.kernel_id}
    assert len({int(port) for port in ports.values()}) == len(PORTS)
    file = written(kernel)
    assert ports == {name: str(file[name]) for name in ports}
    assert stat.S_IMODE(kernel.file.stat().st_mode) == 0o600
    assert kernel.client().run("print hello").ok().stdout == "hello\n"


def test_kernel_that_is_acknowledged_leaves_the_launcher(start_kernel, tmp_path):
    launcher = Launcher(tmp_path, "tcp")
    kernel = start_kernel(language="mock", connection=launcher.file(tmp_path))
    identity, _ = launcher.receive()
    monitor = launcher.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)

    launcher.answer(identity)

    assert monitor.poll(scaled(SOON) * 1000), "the kernel stays connected"
    launcher.socket.disable_monitor()
    launcher.close()
    written(kernel)
    assert kernel.client().run("print hello").ok().stdout == "hello\n"


def test_kernel_started_again_with_the_same_file_registers_again(start_kernel, launcher, tmp_path):
    first = start_kernel(language="mock", connection=launcher.file(tmp_path))
    launcher.answer(launcher.receive()[0])
    first.connection = written(first)
    first.shutdown()

    second = start_kernel(language="mock", connection=first.connection)
    launcher.answer(launcher.receive()[0])

    written(second)
    assert second.client().run("print hello").ok().stdout == "hello\n"


def test_registration_port_may_be_text(start_kernel, tmp_path):
    launcher = Launcher(tmp_path, "tcp")
    kernel = start_kernel(language="mock", connection=launcher.file(
        tmp_path, registration_port=str(launcher.port)))

    launcher.answer(launcher.receive()[0])

    written(kernel)
    assert kernel.client().run("print hello").ok().stdout == "hello\n"
    launcher.close()


def test_many_kernels_register_with_one_launcher(start_kernel, tmp_path):
    launcher = Launcher(tmp_path, "tcp")
    kernels = [start_kernel(language="mock", connection=launcher.file(tmp_path, kernel_id=str(i)))
               for i in range(5)]

    ports = []
    for _ in kernels:
        identity, told = launcher.receive()
        launcher.answer(identity)
        ports += [int(told[name]) for name in PORTS.values()]

    assert len(set(ports)) == len(kernels) * len(PORTS), "two kernels with one port"
    for kernel in kernels:
        written(kernel)
        kernel.client().run("print hello").ok()
    launcher.close()


def test_encrypted_kernel_registers_in_the_clear(start_kernel, launcher, tmp_path):
    public, secret = zmq.curve_keypair()
    kernel = start_kernel(language="mock", connection=launcher.file(
        tmp_path, curve_publickey=public.decode(), curve_secretkey=secret.decode()))

    launcher.answer(launcher.receive()[0])

    assert written(kernel)["curve_publickey"] == public.decode()
    assert kernel.client().run("print hello").ok().stdout == "hello\n"


def test_no_acknowledgement_ends_the_kernel(start_kernel, tmp_path):
    launchers = [Launcher(tmp_path, "tcp") for _ in ("silent", "absent")]
    launchers[1].close()
    with Stopwatch() as watch:
        kernels = [start_kernel(language="mock", connection=launcher.file(tmp_path))
                   for launcher in launchers]
        for kernel in kernels:
            kernel.exit_code = 2
            assert kernel.wait_exit() == 2

    assert ACK_SECONDS <= watch.seconds < scaled(ACK_SECONDS + 1)
    for kernel, launcher in zip(kernels, launchers):
        kernel.take_log(f"no acknowledgement from tcp://127.0.0.1:{launcher.port} within 5 s")
    launchers[0].close()


def test_acknowledgement_with_another_key_is_refused(start_kernel, launcher, tmp_path):
    kernel = start_kernel(language="mock", connection=launcher.file(tmp_path))
    kernel.exit_code = 2
    identity, _ = launcher.receive()

    with Stopwatch() as watch:
        launcher.answer(identity, key="another")
        assert kernel.wait_exit() == 2

    assert watch.seconds < scaled(ACK_SECONDS - 1), "it should not wait for a better one"
    kernel.take_log("acknowledgement from .* is refused .wrong signature")


def test_own_message_sent_back_is_refused(start_kernel, launcher, tmp_path):
    kernel = start_kernel(language="mock", connection=launcher.file(tmp_path))
    kernel.exit_code = 2
    assert launcher.socket.poll(scaled(SOON) * 1000)

    launcher.socket.send_multipart(launcher.socket.recv_multipart())

    assert kernel.wait_exit() == 2
    kernel.take_log("is refused .it is our own message")


@pytest.mark.parametrize("signo", [signal.SIGTERM, signal.SIGHUP])
def test_signal_ends_a_kernel_that_waits(start_kernel, tmp_path, signo):
    launcher = Launcher(tmp_path, "tcp")
    kernel = start_kernel(language="mock", connection=launcher.file(tmp_path))
    launcher.receive()

    with Stopwatch() as watch:
        kernel.send_signal(signo)
        assert kernel.wait_exit() == 0

    assert watch.seconds < scaled(2)
    launcher.close()


@pytest.mark.parametrize("fields, line", [
    ({"registration_port": 0}, '"registration_port" is no port'),
    ({"registration_ip": "a b"}, '"registration_ip" is not an address'),
    ({"kernel_id": None}, '"kernel_id" is missing'),
], ids=["port", "ip", "id"])
def test_bad_registration_fields_are_refused_with_one_line(start_kernel, tmp_path, fields, line):
    launcher = Launcher(tmp_path, "tcp")
    kernel = start_kernel(language="mock", connection=launcher.file(tmp_path, **fields))
    kernel.exit_code = 2

    assert kernel.wait_exit() == 2
    kernel.take_log(line)
    launcher.close()
