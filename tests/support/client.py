# SPDX-License-Identifier: MIT
"""A Jupyter client of our own, close to the wire: it sends exactly what a test wants, and checks
everything it ever receives: signature, strict JSON, header, parent bytes, schema.
Not here: the kernel's process (kernel.py)."""
import collections
import contextlib
import dataclasses
import hashlib
import hmac
import json
import time
import uuid

import zmq

from support import schemas
from support.build import SOON, scaled

DELIMITER = b"<IDS|MSG>"
LAST_WORDS = 1.0  # seconds that a message of a kernel that has ended may still take
PORTS = {"shell": "shell_port", "control": "control_port", "stdin": "stdin_port",
         "iopub": "iopub_port", "heartbeat": "hb_port"}


def endpoint(connection, channel):
    port = connection[PORTS[channel]]
    if connection["transport"] == "ipc":
        return f"ipc://{connection['ip']}-{port}"
    host = f"[{connection['ip']}]" if ":" in connection["ip"] else connection["ip"]
    return f"tcp://{host}:{port}"


def encrypt(socket, connection):
    """Gives `socket` the CURVE keys of the connection file, if it has any. They are the client's
    own too: so does jupyter_client."""
    if "curve_publickey" in connection:
        socket.curve_publickey = connection["curve_publickey"].encode()
        socket.curve_secretkey = connection["curve_secretkey"].encode()
        socket.curve_serverkey = connection["curve_publickey"].encode()


def sign(key, frames):
    if not key:
        return b""
    digest = hmac.new(key.encode(), digestmod=hashlib.sha256)
    for frame in frames:
        digest.update(frame)
    return digest.hexdigest().encode()


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def strict_json(data):
    return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)


@dataclasses.dataclass
class Request:
    """What was sent."""
    channel: str
    msg_id: str
    msg_type: str
    header: bytes  # as it went out
    silent: bool = False


@dataclasses.dataclass
class Message:
    """What came back, checked."""
    channel: str
    topic: bytes
    header: dict
    parent: dict
    metadata: dict
    content: dict
    buffers: list
    parent_bytes: bytes

    @property
    def type(self):
        return self.header["msg_type"]

    @property
    def parent_id(self):
        return self.parent.get("msg_id")

    @property
    def state(self):
        return self.content.get("execution_state") if self.type == "status" else None


class Run:
    """One request with all that was said about it."""

    def __init__(self, request, reply, messages):
        self.request = request
        self.reply = reply
        self.messages = messages  # on iopub, busy and idle included

    @property
    def content(self):
        return self.reply.content

    @property
    def status(self):
        return self.content["status"]

    @property
    def count(self):
        return self.content["execution_count"]

    @property
    def types(self):
        """What was published, without the states around it."""
        return [message.type for message in self.messages if message.type != "status"]

    def contents(self, msg_type):
        return [message.content for message in self.messages if message.type == msg_type]

    def text(self, name):
        return "".join(c["text"] for c in self.contents("stream") if c["name"] == name)

    @property
    def stdout(self):
        return self.text("stdout")

    @property
    def stderr(self):
        return self.text("stderr")

    @property
    def result(self):
        """text/plain of the execute_result, None without one."""
        found = self.contents("execute_result")
        assert len(found) <= 1, f"{len(found)} results"
        return found[0]["data"]["text/plain"] if found else None

    @property
    def error(self):
        found = self.contents("error")
        assert len(found) <= 1, f"{len(found)} errors"
        return found[0] if found else None

    def ok(self):
        """Itself, if it went well."""
        assert self.status == "ok", self.content
        return self


class Client:
    """Connects to all five sockets of a kernel. `sent` is shared by the clients of one kernel:
    the header of every request, to compare parents with."""

    def __init__(self, connection, sent, *, wait=True, reads=True, session=None, stdin=True,
                 gone=lambda: False):
        self.connection = connection
        self.gone = gone  # tells whether waiting has become useless
        self.key = connection["key"]
        self.session = session or uuid.uuid4().hex
        self.sent = sent
        self.kernel_session = None
        self.seen = set()
        self.replies = {}
        self.replies_twice = []
        self.asked = []  # every input_request, in order
        self.iopub = []  # all of it, in order
        self.by_parent = collections.defaultdict(list)
        self.context = zmq.Context()
        self.sockets = {}
        self.poller = zmq.Poller()
        self.stdin_ready = None  # not connected yet
        for channel in ("shell", "control", "iopub"):
            self.connect(channel, zmq.SUB if channel == "iopub" else zmq.DEALER, reads)
        if stdin:
            self.connect_stdin(reads)
        if wait:
            try:
                self.wait_welcome()
            except BaseException:
                self.close()
                raise

    def connect_stdin(self, reads=True):
        self.connect("stdin", zmq.DEALER, reads)

    def connect(self, channel, kind, reads=True):
        socket = self.context.socket(kind)
        socket.linger = 0
        socket.ipv6 = True
        socket.reconnect_ivl = 10
        if reads:
            socket.rcvhwm = 0  # the tests are slower than the kernel
        else:
            socket.rcvhwm = 1
            socket.setsockopt(zmq.RCVBUF, 4096)
        if kind == zmq.SUB:
            socket.subscribe(b"")
        elif channel != "heartbeat":
            socket.routing_id = self.session.encode()  # stdin finds us by the identity of shell
        encrypt(socket, self.connection)
        if channel == "stdin":
            self.stdin_ready = socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
        socket.connect(endpoint(self.connection, channel))
        self.sockets[channel] = socket
        self.poller.register(socket, zmq.POLLIN)
        return socket

    def close(self):
        self.context.destroy(linger=0)

    # Sending.

    def header(self, msg_type, **more):
        return {"msg_id": uuid.uuid4().hex, "session": self.session, "username": "tester",
                "date": "2026-01-01T00:00:00.000000Z", "msg_type": msg_type, "version": "5.3",
                **more}

    def frames(self, header, content, metadata=b"{}", parent=b"{}", buffers=()):
        parts = [header, parent, metadata, content]
        return [DELIMITER, sign(self.key, parts), *parts, *buffers]

    def send_raw(self, channel, frames):
        self.sockets[channel].send_multipart(frames)

    def send(self, channel, msg_type, content=None, *, metadata=None, header_bytes=None,
             parent=None, buffers=()):
        """Sends a request. `content` is an object, or bytes to be sent as they are."""
        header = header_bytes or json.dumps(self.header(msg_type)).encode()
        if not isinstance(content, bytes):
            content = json.dumps(content or {}).encode()
        request = Request(channel, json.loads(header)["msg_id"], msg_type, header)
        self.sent[request.msg_id] = header
        self.send_raw(channel, self.frames(header, content, json.dumps(metadata or {}).encode(),
                                           json.dumps(parent or {}).encode(), buffers))
        return request

    def execute(self, code, *, metadata=None, context=None, **options):
        """Sends an execute_request; `context` is short for metadata that names one."""
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {},
                   "allow_stdin": False, "stop_on_error": True, **options}
        if context is not None:
            metadata = {**(metadata or {}), "context": context}
        request = self.send("shell", "execute_request", content, metadata=metadata)
        request.silent = content["silent"]
        return request

    def answer(self, value, *, asked=None, **more):
        """Sends an input_reply, to the input_request `asked` or, as many clients do, to none."""
        return self.send("stdin", "input_reply", {"value": value},
                         parent=asked and asked.header, **more)

    # Receiving.

    def decode(self, channel, frames):
        at = frames.index(DELIMITER)
        assert at == (1 if channel == "iopub" else 0), f"{at} frames in front of the delimiter"
        signature, *parts = frames[at + 1:at + 6]
        assert len(parts) == 4, f"{len(frames)} frames on {channel}"
        assert signature == sign(self.key, parts), f"bad signature on {channel}"
        header, parent, metadata, content = (strict_json(part) for part in parts)
        message = Message(channel, frames[0] if at else b"", header, parent, metadata, content,
                          frames[at + 6:], parts[1])
        self.check(message)
        return message

    def check(self, message):
        schemas.check("header", message.header)
        if not message.type.startswith("comm_") or message.type.endswith("_reply"):
            schemas.check("metadata", message.metadata)  # that of a comm message is its own
        schemas.check(message.type, message.content)
        assert message.header["msg_id"] not in self.seen, "msg_id used twice"
        self.seen.add(message.header["msg_id"])
        if self.kernel_session is None:
            self.kernel_session = message.header["session"]
        assert message.header["session"] == self.kernel_session, "the kernel changed its session"
        if message.parent_id in self.sent:
            assert message.parent_bytes == self.sent[message.parent_id], "parent is not the header"
        else:
            assert message.parent_bytes == b"{}", f"unknown parent {message.parent_bytes!r}"
        if message.channel == "iopub":
            welcome = message.type == "iopub_welcome"
            assert message.topic.decode() == (message.content["subscription"] if welcome
                                              else message.type)

    def _take(self, channel, frames):
        message = self.decode(channel, frames)
        if channel == "iopub":
            self.iopub.append(message)
            self.by_parent[message.parent_id].append(message)
        elif (channel, message.parent_id) in self.replies and channel != "stdin":
            self.replies_twice.append(message)
        else:
            self.replies[channel, message.parent_id] = message
            if channel == "stdin":
                self.asked.append(message)

    def pump(self, seconds=0):
        """Takes in what is there, waiting for the first of it; returns whether anything came."""
        ready = dict(self.poller.poll(seconds * 1000))
        for channel, socket in self.sockets.items():
            if socket not in ready:
                continue
            with contextlib.suppress(zmq.Again):
                for _ in range(1000):
                    self._take(channel, socket.recv_multipart(zmq.NOBLOCK))
        assert not self.replies_twice, f"answered twice: {self.replies_twice}"
        return bool(ready)

    def wait(self, condition, what, seconds=SOON):
        """Receives until `condition()` is true, and returns what it gave."""
        deadline = time.monotonic() + scaled(seconds)
        while True:
            value = condition()
            if value:
                return value
            left = deadline - time.monotonic()
            # Asked first: what a kernel sends just before its end may be under way.
            ended = self.gone()
            if not self.pump(LAST_WORDS if ended else max(min(left, 0.2), 0)) and ended:
                raise AssertionError(f"{what}: the kernel has ended")
            if left <= 0:
                last = [(m.type, m.parent_id, m.content) for m in self.iopub[-5:]]
                raise AssertionError(f"{what}: not within {scaled(seconds):g} s; last: {last}")

    def wait_welcome(self, seconds=SOON):
        """Until nothing that the kernel says can pass us by."""
        self.wait(lambda: self.iopub, "iopub_welcome", seconds)
        assert self.iopub[0].type == "iopub_welcome", self.iopub[0]
        if self.stdin_ready is not None:
            self.wait(lambda: self.stdin_ready.poll(0), "stdin connected", seconds)

    def wait_iopub(self, request, what, matches, seconds=SOON):
        """The first message about `request` that matches."""
        return self.wait(lambda: next(filter(matches, self.by_parent[request.msg_id]), None), what,
                         seconds)

    def wait_started(self, request, seconds=SOON):
        """Until its code runs, or at least has been handed to the context."""
        return self.wait_iopub(request, "execute_input", lambda m: m.type == "execute_input",
                               seconds)

    def wait_output(self, request, text, seconds=SOON):
        """Until its stdout holds `text`."""
        return self.wait(lambda: text in Run(request, None, self.by_parent[request.msg_id]).stdout,
                         f"output {text!r}", seconds)

    def wait_reply(self, request, seconds=SOON):
        return self.wait(lambda: self.replies.get((request.channel, request.msg_id)),
                         f"answer to {request.msg_type}", seconds)

    def wait_asked(self, request, times=1, seconds=SOON):
        """The input_request number `times` of the cell."""
        def last():
            found = [message for message in self.asked if message.parent_id == request.msg_id]
            return found[times - 1] if len(found) >= times else None
        return self.wait(last, f"input_request {times}", seconds)

    def wait_idle(self, request, seconds=SOON):
        return self.wait_iopub(request, f"idle after {request.msg_type}",
                               lambda m: m.state == "idle", seconds)

    # Both.

    def settle(self, request, seconds=SOON):
        """Waits for the idle of a message that has no reply."""
        self.wait_idle(request, seconds)
        return Run(request, None, list(self.by_parent[request.msg_id]))

    def control(self, msg_type, seconds=SOON, **content):
        """Sends a request on control and waits for its answer."""
        return self.request("control", msg_type, content, seconds)

    def finish(self, request, seconds=SOON):
        """Waits for reply and idle, and checks the order of what was published."""
        reply = self.wait_reply(request, seconds)
        self.wait_idle(request, seconds)
        messages = list(self.by_parent[request.msg_id])
        states = [m.state for m in messages if m.state]
        assert states == ["busy", "idle"], f"states of {request.msg_type}: {states}"
        assert messages[0].state == "busy", f"{messages[0].type} came before busy"
        run = Run(request, reply, messages)
        if request.msg_type == "execute_request" and run.status != "aborted":
            self._check_execution(run)
        return run

    @staticmethod
    def _check_execution(run):
        types = run.types
        if run.request.silent:
            assert not types, f"a silent execution published {types}"
            return
        if types:  # a refused request has not even been started
            assert types.count("execute_input") <= 1
            assert "execute_input" not in types[1:], f"execute_input is not the first of {types}"
        assert (run.error is not None) == (run.status == "error"), (types, run.content)
        if run.error is not None:
            assert run.error == {name: run.content[name] for name in run.error}

    def request(self, channel, msg_type, content=None, seconds=SOON, **more):
        return self.finish(self.send(channel, msg_type, content, **more), seconds)

    def run(self, code, seconds=SOON, **options):
        return self.finish(self.execute(code, **options), seconds)

    def interrupt(self):
        return self.request("control", "interrupt_request")

    def beat(self, payload=b"ping", seconds=SOON):
        """One heartbeat; returns what came back."""
        with self.context.socket(zmq.REQ) as socket:
            socket.linger = 0
            encrypt(socket, self.connection)
            socket.connect(endpoint(self.connection, "heartbeat"))
            socket.send(payload)
            assert socket.poll(scaled(seconds) * 1000), "no heartbeat"
            return socket.recv()
