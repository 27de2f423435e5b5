# SPDX-License-Identifier: MIT
"""Starts `pandia kernel` as a launcher does, and sees to it that nothing of it is left. A test says
which log lines it expects; any other warning is a failure."""
import json
import os
import re
import signal
import stat
import subprocess
import uuid

import psutil

from support.build import PANDIA, SANITIZED, SOON, environment, sanitizer_reports, scaled
from support.client import PORTS, Client
from support.processes import Adopted, describe
from support.waiting import wait_until

# A kernel ends with its launcher: also when the tests themselves are killed.
LAUNCHER = {"JPY_PARENT_PID": str(os.getpid())}

# A disk may stall for longer than a kernel waits for it at its end. Whether history is kept is asked
# by test_history.py, not read off the log of every test.
SLOW_DISK = 'msg="history not written to its end"'


def connection_info(folder, transport="ipc", key=None, **fields):
    """Content of a connection file: sockets in `folder`, or any free ports."""
    ports = {name: number for number, name in enumerate(PORTS.values(), 1)}
    if transport == "tcp":
        ports = dict.fromkeys(ports, 0)
    return {"transport": transport, "ip": str(folder / "s") if transport == "ipc" else "127.0.0.1",
            "key": uuid.uuid4().hex if key is None else key, "signature_scheme": "hmac-sha256",
            "kernel_name": "pandia-test", **ports, **fields}


def socket_files(folder):
    return [path for path in folder.rglob("*") if stat.S_ISSOCK(path.lstat().st_mode)]


class Kernel:
    """A running kernel. `start` in the order: Kernel(...), client(), ..., finish()."""

    def __init__(self, folder, *, language="python", args=(), env=None, connection=None,
                 program=PANDIA, **connection_fields):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.file = folder / "connection.json"
        self.connection = connection or connection_info(folder, **connection_fields)
        self.clients = []
        self.sent = {}
        self.log_taken = 0
        self.adopted = Adopted()
        self.exit_code = 0  # what it has to be
        self.file.write_text(json.dumps(self.connection), "utf-8")
        self.stderr_path = folder / "stderr"
        argv = [program, "kernel", "-f", self.file, "--language", language, *args]
        with open(self.stderr_path, "wb") as stderr, open(folder / "stdout", "wb") as stdout:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=folder,
                env=environment(folder, **{**LAUNCHER, **(env or {})}), start_new_session=True)
        self.adopted.started(self.process.pid)

    @property
    def pid(self):
        return self.process.pid

    def client(self, **options):
        """A new client, once the kernel listens."""
        if self.connection["transport"] == "tcp" and 0 in self.ports():
            wait_until(self._read_back, "chosen ports in the connection file")
        client = Client(self.connection, self.sent, gone=self.has_ended, **options)
        self.clients.append(client)
        return client

    def forget(self, client):
        """Closes a client before the kernel ends: its sockets would otherwise stay open on both sides,
        five for each test of a kernel that many tests share."""
        self.clients.remove(client)
        client.close()

    def has_ended(self):
        return self.process.poll() is not None

    def ports(self):
        return [self.connection[name] for name in PORTS.values()]

    def _read_back(self):
        assert self.process.poll() is None, self.stderr()
        self.connection = json.loads(self.file.read_text("utf-8"))
        return 0 not in self.ports()

    def stderr(self):
        return self.stderr_path.read_text("utf-8", "replace")

    def take_log(self, *patterns):
        """Waits for one line for each pattern (an expression that must be found in it), in any
        order, and returns them; all lines so far count as expected only if each was asked for."""
        wait_until(lambda: len(self._new_lines()) >= len(patterns),
                   f"{len(patterns)} log lines, have {self.stderr()!r}")
        lines = self._new_lines()
        left = list(lines)
        found = []
        for pattern in patterns:
            line = next((text for text in left if re.search(pattern, text)), None)
            assert line is not None, f"no line with {pattern!r} among {left}"
            left.remove(line)
            found.append(line)
        assert not left, f"lines that nobody expected: {left}"
        self.log_taken += len(lines)
        return found

    def _new_lines(self):
        """Whole lines that no test has asked for yet."""
        text = self.stderr()
        lines = text[:text.rfind("\n") + 1].splitlines()
        return [line for line in lines if SLOW_DISK not in line][self.log_taken:]

    # Its processes.

    def children(self):
        return {process.pid for process in psutil.Process(self.pid).children()}

    def zygote(self):
        """The one child that a kernel with one language has."""
        (pid,) = self.children()
        return pid

    def contexts(self):
        return {process.pid for process in psutil.Process(self.zygote()).children()}

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def send_signal(self, signo):
        self.process.send_signal(signo)

    # Its end.

    def wait_exit(self, seconds=SOON):
        try:
            return self.process.wait(scaled(seconds))
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the kernel still runs after {scaled(seconds):g} s") from None

    def shutdown(self):
        """As a client does it; returns the reply."""
        client = self.clients[0] if self.clients else self.client()
        reply = client.wait_reply(client.send("control", "shutdown_request", {"restart": False}))
        self.wait_exit()
        return reply

    def finish(self):
        """Ends it if need be, then looks for what it should not have left."""
        try:
            if self.process.poll() is None:
                self.shutdown()
            self._check_end()
        finally:
            for client in self.clients:
                client.close()
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.adopted.kill()

    def _check_end(self):
        reports = sanitizer_reports(self.folder)
        assert not reports, "\n".join(reports)
        assert self.process.returncode == self.exit_code, (self.process.returncode, self.stderr())
        if self.exit_code == -signal.SIGKILL:
            self.adopted.wait_gone("contexts of a killed kernel end")
        else:
            if SANITIZED:  # a leak check that was killed leaves a helper, which follows on its own
                self.adopted.wait_gone("the helpers of leak checks end")
            left = self.adopted.now()
            assert not left, f"left behind: {[describe(pid) for pid in left]}"
            assert not socket_files(self.folder), socket_files(self.folder)
        assert (self.folder / "stdout").read_bytes() == b""
        self.take_log()
