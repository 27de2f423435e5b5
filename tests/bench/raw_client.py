# SPDX-License-Identifier: MIT
"""The smallest Jupyter client that is still honest: raw ZeroMQ, signs what it sends, verifies what
it receives. The same code drives every kernel that is measured."""

import hashlib
import hmac
import json
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
import uuid

import zmq

CHANNELS = ("shell", "iopub", "stdin", "control", "hb")
DELIMITER = b"<IDS|MSG>"


def free_ports(count):
    """Ports that were free a moment ago; held together so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Kernel:
    """One kernel process and a client connected to it."""

    def __init__(self, argv, env=None, deadline=60.0):
        self.key = secrets.token_hex(16).encode()
        self.session = uuid.uuid4().hex
        self.deadline = deadline
        self.dir = tempfile.TemporaryDirectory(prefix="bench-")
        self.file = os.path.join(self.dir.name, "connection.json")
        ports = dict(zip((c + "_port" for c in CHANNELS), free_ports(5)))
        with open(self.file, "w") as f:
            json.dump({**ports, "ip": "127.0.0.1", "transport": "tcp", "key": self.key.decode(),
                       "signature_scheme": "hmac-sha256", "kernel_name": ""}, f)
        self.zmq = zmq.Context()
        self.shell = self._connect(zmq.DEALER, ports["shell_port"])
        self.control = self._connect(zmq.DEALER, ports["control_port"])
        self.iopub = self._connect(zmq.SUB, ports["iopub_port"])
        self.iopub.setsockopt(zmq.SUBSCRIBE, b"")
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [a.replace("{connection_file}", self.file) for a in argv], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True, env=env)

    def _connect(self, kind, port):
        s = self.zmq.socket(kind)
        s.linger = 0
        s.rcvhwm = 0
        # A kernel is asked before it listens: try again soon, or the wait would be ours.
        s.setsockopt(zmq.RECONNECT_IVL, 1)
        s.setsockopt(zmq.RECONNECT_IVL_MAX, 2)
        s.connect("tcp://127.0.0.1:%d" % port)
        return s

    def _sign(self, frames):
        h = hmac.new(self.key, digestmod=hashlib.sha256)
        for frame in frames:
            h.update(frame)
        return h.hexdigest().encode()

    def send(self, channel, msg_type, content):
        msg_id = uuid.uuid4().hex
        header = {"msg_id": msg_id, "session": self.session, "username": "bench",
                  "date": "2026-01-01T00:00:00.000000Z", "msg_type": msg_type, "version": "5.3"}
        frames = [json.dumps(part).encode() for part in (header, {}, {}, content)]
        channel.send_multipart([DELIMITER, self._sign(frames), *frames])
        return msg_id

    def receive(self, channel):
        """Returns (type, parent id, content) of the next message; fails when it is not genuine."""
        if not channel.poll(int(self.deadline * 1000)):
            raise TimeoutError("no message within %g s" % self.deadline)
        parts = channel.recv_multipart()
        at = parts.index(DELIMITER)
        frames = parts[at + 2:at + 6]
        if not hmac.compare_digest(self._sign(frames), parts[at + 1]):
            raise ValueError("bad signature from the kernel")
        header, parent = json.loads(frames[0]), json.loads(frames[1])
        return header["msg_type"], parent.get("msg_id"), json.loads(frames[3])

    def wait_reply(self, channel, msg_id):
        while True:
            kind, parent, content = self.receive(channel)
            if parent == msg_id:
                return kind, content

    def wait_idle(self, msg_id):
        while True:
            kind, parent, content = self.receive(self.iopub)
            if kind == "status" and parent == msg_id and content["execution_state"] == "idle":
                return

    def kernel_info(self):
        return self.wait_reply(self.shell, self.send(self.shell, "kernel_info_request", {}))

    def execute(self, code):
        """Runs a cell; returns when both the reply and `idle` are here."""
        msg_id = self.send(self.shell, "execute_request", {
            "code": code, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": True})
        _, content = self.wait_reply(self.shell, msg_id)
        self.wait_idle(msg_id)
        return content

    def settle(self):
        """Waits until iopub really delivers: a subscription takes effect some time after it."""
        while True:
            msg_id = self.send(self.shell, "kernel_info_request", {})
            self.wait_reply(self.shell, msg_id)
            if self.iopub.poll(200):
                self.wait_idle_of_any()
                return

    def wait_idle_of_any(self):
        while self.iopub.poll(50):
            self.receive(self.iopub)

    def close(self):
        try:
            self.send(self.control, "shutdown_request", {"restart": False})
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stderr.close()
        self.zmq.destroy(linger=0)
        self.dir.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
