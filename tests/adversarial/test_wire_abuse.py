# SPDX-License-Identifier: MIT
"""Messages that no honest client sends. Each is dropped with one line in the log, nothing else
happens, and the next good message is answered."""
import json
import os
import socket

import pytest
import zmq

from support.client import DELIMITER, PORTS, endpoint, sign
from support.waiting import Stopwatch, wait_until

LANGUAGE = "mock"
MIB = 1 << 20


@pytest.fixture
def wire(kernel, client):
    return Wire(kernel, client)


class Wire:
    """Sends bad messages and watches what becomes of them."""

    def __init__(self, kernel, client):
        self.kernel = kernel
        self.client = client
        self.dropped = 0

    def request(self, **content):
        """The four JSON frames of a good request."""
        header = json.dumps(self.client.header("execute_request")).encode()
        self.client.sent[json.loads(header)["msg_id"]] = header
        content = json.dumps({"code": "count", **content}).encode()
        return [header, b"{}", b"{}", content]

    def signed(self, parts):
        return [DELIMITER, sign(self.client.key, parts), *parts]

    def drops(self, frames, why, channel="shell"):
        """Sends `frames`; fails unless exactly one line says that they were dropped, and why."""
        self.client.send_raw(channel, frames)
        self.dropped += 1
        self.kernel.take_log(rf'msg="message dropped".*channel={channel}.*why=.*{why}.*'
                             rf'dropped={self.dropped}$')
        self.still_works()

    def still_works(self):
        for channel in ("shell", "control"):
            assert self.client.request(channel, "kernel_info_request").status == "ok"
        assert self.client.run("print x").ok().stdout == "x\n"

    def has_run(self, times=0):
        """Fails unless so many cells with `count` have run."""
        assert self.client.run("count").ok().stdout == f"{times + 1}\n"


@pytest.mark.parametrize("signature", [
    b"", b"0" * 64, b"0" * 63, b"0" * 65, b"x" * 64, b"\0" * 64, b"\xff" * 64, b"0" * MIB])
def test_bad_signature_is_dropped(wire, signature):
    wire.drops([DELIMITER, signature, *wire.request()], "sign")
    wire.has_run(0)


def test_signature_of_other_content_is_dropped(wire):
    parts = wire.request()
    for place in range(4):
        changed = list(parts)
        changed[place] = changed[place] + b" "
        wire.drops([DELIMITER, sign(wire.client.key, parts), *changed], "signature")
    wire.has_run(0)


def test_signature_with_another_key_is_dropped(wire):
    parts = wire.request()
    wire.drops([DELIMITER, sign("another key", parts), *parts], "signature")
    wire.has_run(0)


def test_signature_of_swapped_frames_is_dropped(wire):
    header, parent, metadata, content = wire.request()
    signature = sign(wire.client.key, [header, parent, metadata, content])
    wire.drops([DELIMITER, signature, content, parent, metadata, header], "signature")
    wire.has_run(0)


def test_replay_is_dropped_on_every_channel(wire):
    frames = wire.signed(wire.request())
    wire.client.send_raw("shell", frames)
    wire.still_works()

    for channel in ("shell", "control", "stdin"):
        wire.drops(frames, "replayed", channel)
    wire.has_run(1)


@pytest.mark.parametrize("count", range(6))
def test_too_few_frames_are_dropped(wire, count):
    wire.drops(wire.signed(wire.request())[:count] or [b""], "frames|delimiter")
    wire.has_run(0)


def test_no_delimiter_is_dropped(wire):
    frames = wire.signed(wire.request())
    wire.drops(frames[1:], "delimiter")
    wire.drops([b"<IDS|MSG", *frames[1:]], "delimiter")
    wire.drops([b"x"] * 40 + frames, "delimiter")
    wire.has_run(0)


def test_extra_identities_come_back_in_front_of_the_reply(wire):
    frames = wire.signed(wire.request())

    wire.client.poller.unregister(wire.client.sockets["shell"])
    wire.client.send_raw("shell", [b"hop one", b"\0\xff", *frames])
    assert wire.client.sockets["shell"].poll(20000)
    answer = wire.client.sockets["shell"].recv_multipart()
    wire.client.poller.register(wire.client.sockets["shell"], zmq.POLLIN)

    assert answer[:3] == [b"hop one", b"\0\xff", DELIMITER]
    wire.still_works()


def test_huge_identity_is_dropped(wire):
    wire.drops([b"i" * MIB, *wire.signed(wire.request())], "identity")
    wire.has_run(0)


def test_many_frames_are_dropped(wire):
    wire.drops(wire.signed(wire.request()) + [b"buffer"] * 2000, "frames")
    wire.drops([b""] * 2000, "frames")
    wire.has_run(0)


@pytest.mark.parametrize("bad", [
    b"{", b'{"code": "count"', b'{"code": "count",}', b"{'code': 'count'}", b'{"code": "\x01"}',
    b'{"code": "\\x"}', b'{"code": "\\u12"}', b"nul", b'{"code": "count"} x', b"\0", b"\xff\xfe{}",
    b'{"a": 01}', b'{"a": +1}', b'{"a": .5}', b'{"a": 1.}', b'{"a": 1e}', b"{" * 100000])
def test_broken_json_is_dropped(wire, bad):
    header, parent, metadata, _ = wire.request()
    wire.drops(wire.signed([header, parent, metadata, bad]), ".")
    wire.has_run(0)


@pytest.mark.parametrize("place", ["header", "parent", "metadata", "content"])
def test_json_that_is_no_object_is_dropped(wire, place):
    parts = wire.request()
    for bad in (b"[]", b'"text"', b"1", b"true"):
        parts[["header", "parent", "metadata", "content"].index(place)] = bad
        wire.drops(wire.signed(parts), "object")
    wire.has_run(0)


@pytest.mark.parametrize("header", [
    {"msg_id": None}, {"msg_type": None}, {"msg_id": 1}, {"msg_type": ["execute_request"]},
    {"msg_id": "i" * 100000}, {"msg_type": "t" * 2000}, {"msg_id": ""}])
def test_header_that_names_no_message_is_dropped(wire, header):
    full = {**wire.client.header("execute_request"), **header}
    full = {name: value for name, value in full.items() if value is not None}
    parts = [json.dumps(full).encode(), *wire.request()[1:]]

    if header == {"msg_id": ""}:  # odd, but a string like any other
        wire.client.sent[""] = parts[0]
        wire.client.send_raw("shell", wire.signed(parts))
        wire.still_works()
        wire.has_run(1)
    else:
        wire.drops(wire.signed(parts), ".")
        wire.has_run(0)


def test_type_of_a_message_cannot_forge_a_log_line(wire):
    evil = 'x"\nts=2026 lvl=error msg="forged" \x1b[31m'
    parts = [json.dumps(wire.client.header(evil)).encode(), *wire.request()[1:]]

    wire.drops(wire.signed(parts), "unknown type")  # takes exactly one line


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_hundred_megabytes_of_nesting_are_dropped(wire, opening, signed):
    header, parent, metadata, _ = wire.request()
    deep = opening * (100 * MIB // len(opening))
    parts = [header, parent, metadata, deep]
    frames = wire.signed(parts) if signed else [DELIMITER, b"0" * 64, *parts]

    wire.drops(frames, "bytes|limit")
    wire.has_run(0)


@pytest.mark.parametrize("place", range(4), ids=["header", "parent", "metadata", "content"])
def test_deep_nesting_of_allowed_size_is_dropped(wire, place):
    parts = wire.request()
    size = 30000 if place < 2 else 30 * MIB
    parts[place] = b'{"a":' + b"[" * size + b"]" * size + b"}" if place < 2 else b"[" * size

    with Stopwatch() as watch:
        wire.drops(wire.signed(parts), ".")

    assert watch.seconds < 20
    wire.has_run(0)


def test_nesting_that_is_allowed_is_served(wire):
    header, parent, _, content = wire.request()
    wire.client.send_raw("shell", wire.signed([header, parent, b'{"a":' + b"[" * 100 + b"]" * 100
                                               + b"}", content]))
    wire.still_works()
    wire.has_run(1)


@pytest.mark.parametrize("odd", [
    b"NaN", b"[Infinity, -Infinity]", b"123456789012345678901234567890", b"-9223372036854775809",
    b"1e999", b'"\\ud800"', b'"\\udfff\\ud800"', b'"\\u0000"', b'"\xff\xfe"', b'"\xed\xa0\x80"'],
    ids=repr)
def test_odd_json_beside_the_code_is_served(wire, odd):
    header, parent, _, _ = wire.request()
    metadata = b'{"x": ' + odd + b"}"
    wire.client.send_raw("shell", wire.signed([header, parent, metadata, b'{"code": "count"}']))
    wire.still_works()
    wire.has_run(1)

    request = wire.client.send("shell", "execute_request", b'{"x": ' + odd + b', "code": "count"}')
    assert wire.client.finish(request).ok().stdout == "3\n"


@pytest.mark.parametrize("odd, shown", [
    (b"\\ud800", "\ufffd"), (b"\xff", "\ufffd"), (b"\xc3", "\ufffd"), (b"\\u00e9", "é"),
    (b"\xf0\x9f\x98\x80", "😀"), (b"\\ud83d\\ude00", "😀")])
def test_odd_text_in_the_code_comes_back_as_utf8(wire, odd, shown):
    request = wire.client.send("shell", "execute_request", b'{"code": "print a' + odd + b'b"}')
    run = wire.client.finish(request).ok()

    # One replacement per bad byte, and at least one for each unit that is no character.
    squeezed = run.stdout
    while "\ufffd\ufffd" in squeezed:
        squeezed = squeezed.replace("\ufffd\ufffd", "\ufffd")
    assert squeezed == f"a{shown}b\n"
    wire.has_run(0)


def test_header_with_bad_utf8_is_answered_in_good_utf8(wire):
    header = wire.client.header("execute_request")
    raw = json.dumps(header).encode().replace(b"tester", b"t\xffster")
    wire.client.sent[header["msg_id"]] = raw.replace(b"\xff", "\ufffd".encode())

    wire.client.send_raw("shell", wire.signed([raw, b"{}", b"{}", b'{"code": "print x"}']))

    # That the parent is what it should be is checked with every message.
    reply = wire.client.wait(lambda: wire.client.replies.get(("shell", header["msg_id"])), "reply")
    assert reply.content["status"] == "ok"


def test_unsigned_message_to_a_keyed_kernel_is_never_parsed(wire):
    wire.drops([DELIMITER, b"", *wire.request()], "not signed")
    wire.drops([DELIMITER, b"", b"{" * 1000, b"", b"", b""], "not signed")


def test_many_bad_messages_do_not_keep_good_ones_waiting(wire, kernel, client):
    parts = wire.request()
    for number in range(2000):
        client.send_raw("shell", [DELIMITER, b"%064d" % number, *parts])

    assert client.request("control", "kernel_info_request").status == "ok"
    assert client.run("count").ok().stdout == "1\n"
    kernel.take_log(*["message dropped"] * 2000)


def test_heartbeat_echoes_anything_and_survives_everything(wire, client):
    for payload in (b"", b"\0" * 100, os.urandom(MIB)):
        assert client.beat(payload) == payload
    dealer = client.context.socket(zmq.DEALER)
    dealer.linger = 0
    dealer.connect(endpoint(client.connection, "heartbeat"))
    dealer.send_multipart([b"x"] * 2000)
    dealer.send_multipart([b"", b"after"])

    assert dealer.poll(20000), "the beat behind a bad one is lost"
    assert dealer.recv_multipart() == [b"", b"after"]
    dealer.close()
    wire.still_works()


def test_iopub_survives_what_is_no_subscription(wire, kernel, client):
    xsub = client.context.socket(zmq.XSUB)
    xsub.linger = 0
    xsub.connect(endpoint(client.connection, "iopub"))
    for frames in ([b""], [b"\2junk"], [b"\1\xff\xfe"], [b"\0never"], [b"x"] * 2000,
                   [b"\1" + b"t" * 10000], [b"\1", b"second", b"third"], [b"\1"]):
        xsub.send_multipart(frames)

    def welcome():
        while xsub.poll(0):
            frames = xsub.recv_multipart()
            if frames[0] == b"":
                return frames
        return None

    # The last one is a subscription to everything.
    assert wait_until(welcome, "welcome behind nonsense")
    wire.still_works()
    xsub.close()
    assert kernel.client().iopub[0].type == "iopub_welcome"


@pytest.mark.parametrize("noise", [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" + b"\0" * 8 + b"\x7f" + b"\3", b"\0" * 100000,
    b"\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL" + b"\xff" * 200])
def test_bytes_that_are_no_zeromq_are_ignored(start_kernel, noise):
    kernel = start_kernel(language="mock", transport="tcp")
    client = kernel.client()
    for name in PORTS.values():
        with socket.create_connection(("127.0.0.1", kernel.connection[name])) as raw:
            raw.sendall(noise)

    assert client.run("print x").ok().stdout == "x\n"


def test_many_silent_connections_do_not_keep_clients_out(start_kernel):
    kernel = start_kernel(language="mock", transport="tcp")
    kernel.client()
    idle = [socket.create_connection(("127.0.0.1", kernel.connection["shell_port"]))
            for _ in range(300)]

    assert kernel.client().run("print x").ok().stdout == "x\n"
    for one in idle:
        one.close()


def test_client_that_leaves_at_once_does_no_harm(kernel, client):
    for _ in range(20):
        passing = kernel.client()
        passing.execute("flood 100000")
        passing.close()
        kernel.clients.remove(passing)

    assert client.run("print x").ok().stdout == "x\n"
