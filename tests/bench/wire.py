# SPDX-License-Identifier: MIT
"""A worker without a broker: starts a zygote, asks it for contexts, talks frames with them
(docs/WIRE.md). What is measured through it is the worker alone: no ZeroMQ, no signatures."""

import ctypes
import fcntl
import itertools
import json
import os
import re
import signal
import socket
import struct

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "contexts", "wire", "msg.h")
HEADER = struct.Struct("=IIQQQII")
WILL_BYTES = 512 * 1024  # more than struct will
CONTROL_FD, LIFELINE_FD = 3, 4
ORDER = json.dumps({"policy": "open", "descriptors": [
    "wire", "stdout_read", "stdout_write", "stderr_read", "stderr_write", "will"]}).encode()


def read_table():
    """Version and message types, from the header that defines them."""
    with open(SOURCE) as f:
        text = f.read()
    version = int(re.search(r"#define WIRE_VERSION (\d+)", text).group(1))
    names = re.findall(r"^ +X\(\w+, (\w+), \w+\)", text, re.MULTILINE)
    return version, {name: number for number, name in enumerate(names)}


VERSION, TYPES = read_table()
NAMES = {number: name for name, number in TYPES.items()}
MAGIC = 0x50570000 | VERSION


def encode(kind, execution=0, content=b"", buffers=()):
    table = b"".join(struct.pack("=Q", len(b)) for b in buffers)
    header = HEADER.pack(MAGIC, TYPES[kind], execution, len(content), sum(map(len, buffers)),
                         len(buffers), 0)
    return b"".join((header, content, table, *buffers))


def decode(data, at):
    """Returns (type, execution, content, end) of the frame at `at`; None: it is not all there."""
    if len(data) - at < HEADER.size:
        return None
    magic, kind, execution, length, total, count, _ = HEADER.unpack_from(data, at)
    if magic != MAGIC:
        raise ValueError("not a frame of this build")
    begin = at + HEADER.size
    end = begin + length + 8 * count + total
    if len(data) < end:
        return None
    return NAMES[kind], execution, bytes(data[begin:begin + length]), end


def cpu_clock(pid):
    """The clock of all CPU time that the process has used, in the kernel and out of it."""
    clock = ctypes.c_int()
    failed = ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock))
    if failed:
        raise OSError(failed, os.strerror(failed))
    return clock.value


class Context:
    """One context: a fork of the zygote, this end of its stream, and its pipes."""

    def __init__(self, wire, pipes, will):
        self.wire = wire
        self.wire.settimeout(60)
        self.pipes = pipes
        self.will = will
        self.pid = None
        self.data = bytearray()
        self.count = 0

    def start(self, options=None):
        self.wire.sendall(encode("start", 0, json.dumps(options or {"context": "bench"}).encode()))
        self.wait_for("ready")

    def request(self, code):
        """An execute frame, encoded."""
        self.count += 1
        content = json.dumps({"code": code, "silent": False, "store_history": True,
                              "user_expressions": {}, "allow_stdin": False,
                              "stop_on_error": True}).encode()
        options = json.dumps({"execution_count": self.count}).encode()
        return encode("execute", self.count, content, [options])

    def frames(self):
        """Every frame that arrives from now on."""
        while True:
            at = 0
            while (frame := decode(self.data, at)) is not None:
                at = frame[3]
                yield frame[:3]
            del self.data[:at]
            piece = self.wire.recv(1 << 16)
            if not piece:
                raise EOFError("the context is gone: " + self.last_words())
            self.data += piece

    def last_words(self):
        os.set_blocking(self.pipes[1], False)
        try:
            return os.read(self.pipes[1], 1 << 16).decode(errors="replace")
        except BlockingIOError:
            return ""

    def wait_for(self, kind, how_many=1):
        """Reads up to the last of `how_many` frames of a kind; returns all contents by kind."""
        seen = {}
        for name, _, content in self.frames():
            seen.setdefault(name, []).append(content)
            if len(seen.get(kind, ())) == how_many:
                # Everything up to here was used; nothing follows a reply that was waited for.
                self.data.clear()
                return seen

    def execute(self, code):
        """Runs one cell; returns what it printed."""
        self.wire.sendall(self.request(code))
        seen = self.wait_for("done")
        reply = json.loads(seen["done"][0])
        assert reply["status"] == "ok", reply
        return "".join(json.loads(text)["text"] for text in seen.get("stream", ()))

    def close(self):
        self.wire.close()
        for fd in (*self.pipes, self.will):
            os.close(fd)


class Zygote:
    """pandia-python, started as the broker starts it."""

    def __init__(self, program):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(60)
        read_end, self.lifeline = os.pipe()
        self.pid = self._spawn(program, theirs.fileno(), read_end)
        theirs.close()
        os.close(read_end)
        self.tickets = itertools.count(1)
        self.hello = self._receive("hello")

    @staticmethod
    def _spawn(program, control, lifeline):
        # Copied out of the way first: either might lie where the other has to go.
        sources = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (control, lifeline)]
        plan = [(os.POSIX_SPAWN_DUP2, source, target)
                for source, target in zip(sources, (CONTROL_FD, LIFELINE_FD))]
        pid = os.posix_spawn(program, [program], os.environ, file_actions=plan, setsid=True,
                             setsigmask=[], setsigdef=[signal.SIGPIPE, signal.SIGINT])
        for fd in sources:
            os.close(fd)
        return pid

    def _receive(self, wanted):
        """Content of the next message, which must be of the wanted type."""
        data, fds, _, _ = socket.recv_fds(self.control, 1 << 16, 4)
        for fd in fds:
            os.close(fd)
        if not data:
            raise EOFError("the zygote is gone")
        kind, _, content, _ = decode(data, 0)
        assert kind == wanted, (kind, content)
        return json.loads(content)

    def fork(self):
        """A context that has not been started: Context.start is the next step."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        will = os.memfd_create("will")
        os.ftruncate(will, WILL_BYTES)
        socket.send_fds(self.control, [encode("fork", next(self.tickets), ORDER)],
                        [theirs.fileno(), out_read, out_write, err_read, err_write, will])
        context = Context(ours, (out_read, err_read), will)
        theirs.close()
        os.close(out_write)
        os.close(err_write)
        context.pid = self._receive("forked")["pid"]
        return context

    def close(self):
        """The end of the control socket ends the zygote and its contexts."""
        self.control.close()
        os.waitpid(self.pid, 0)
        os.close(self.lifeline)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()
