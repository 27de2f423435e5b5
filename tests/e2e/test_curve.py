# SPDX-License-Identifier: MIT
"""CURVE: with the keys of the connection file all five sockets are encrypted, and who does not know
the public one is not answered. Run against the mock."""
import contextlib
import json
import socket
import stat

import pytest
import zmq
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager
from zmq.utils.monitor import recv_monitor_message

from support.build import PANDIA, ROOT, SOON, scaled
from support.client import PORTS, Client, endpoint

KINDS = {"shell": zmq.DEALER, "control": zmq.DEALER, "stdin": zmq.DEALER, "iopub": zmq.SUB,
         "heartbeat": zmq.REQ}
REFUSED = (zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
           | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_DISCONNECTED)


def keys():
    public, secret = zmq.curve_keypair()
    return {"curve_publickey": public.decode(), "curve_secretkey": secret.decode()}


@pytest.fixture(params=["tcp", "ipc"])
def kernel(start_kernel, request):
    return start_kernel(language="mock", transport=request.param, **keys())


def greet(connection, channel, mechanism):
    """Offers the security mechanism to a socket of the kernel; returns the one that it names in
    turn, or nothing when it hangs up (ZMTP 3, RFC 23)."""
    if connection["transport"] == "ipc":
        stream = socket.socket(socket.AF_UNIX)
        stream.connect(endpoint(connection, channel).removeprefix("ipc://"))
    else:
        stream = socket.create_connection((connection["ip"], connection[PORTS[channel]]))
    answer = b""
    with stream, contextlib.suppress(ConnectionResetError):
        stream.settimeout(scaled(SOON))
        stream.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00" + mechanism.ljust(20, b"\0")
                       + bytes(32))
        while len(answer) < 64 and (more := stream.recv(64)):
            answer += more
    return answer[12:32].rstrip(b"\0")


def knock(context, connection, channel, public=None):
    """Connects as somebody who has no keys, or believes the kernel's to be `public`; sends where
    the socket can, and waits until the connection is refused. Returns the socket."""
    stranger = context.socket(KINDS[channel])
    stranger.linger = 0
    if public is not None:
        stranger.curve_publickey, stranger.curve_secretkey = zmq.curve_keypair()
        stranger.curve_serverkey = public
    monitor = stranger.get_monitor_socket(REFUSED)
    stranger.connect(endpoint(connection, channel))
    if channel == "iopub":
        stranger.subscribe(b"")
    else:
        stranger.send(b"let me in")
    assert monitor.poll(scaled(SOON) * 1000), f"{channel} does not refuse"
    assert recv_monitor_message(monitor)["event"] & REFUSED
    stranger.disable_monitor()
    return stranger


def test_encrypted_kernel_serves_every_channel(kernel):
    client = kernel.client()

    assert client.request("control", "kernel_info_request").content["status"] == "ok"
    assert client.run("print hello\nresult 1").ok().stdout == "hello\n"
    assert client.beat(b"still there?") == b"still there?"
    asking = client.execute("input name?", allow_stdin=True)
    client.wait(lambda: client.replies.get(("stdin", asking.msg_id)), "input_request")
    client.send("stdin", "input_reply", {"value": "me"})
    assert client.finish(asking).stdout == "me\n"


def test_encrypted_kernel_speaks_only_curve_on_every_socket(kernel):
    kernel.client()

    for channel in PORTS:
        assert greet(kernel.connection, channel, b"CURVE") == b"CURVE"
        assert greet(kernel.connection, channel, b"NULL") == b""


@pytest.mark.parametrize("public", [None, zmq.curve_keypair()[0]], ids=["no keys", "wrong key"])
def test_encrypted_kernel_does_not_hear_strangers(kernel, public):
    client = kernel.client()
    with zmq.Context() as context:
        strangers = [knock(context, kernel.connection, channel, public) for channel in PORTS]

        assert client.run("print hello").ok().stdout == "hello\n"

        assert not [stranger for stranger in strangers if stranger.poll(0)]
    kernel.take_log()  # nothing arrived, so nothing was dropped


def test_encrypted_kernel_serves_a_client_that_only_knows_the_public_key(kernel):
    kernel.client()
    public, secret = zmq.curve_keypair()
    with zmq.Context() as context, context.socket(zmq.REQ) as heart:
        heart.linger = 0
        heart.curve_publickey, heart.curve_secretkey = public, secret
        heart.curve_serverkey = kernel.connection["curve_publickey"].encode()
        heart.connect(endpoint(kernel.connection, "heartbeat"))
        heart.send(b"ping")

        assert heart.poll(scaled(SOON) * 1000), "jupyter_client's heartbeat has keys of its own"
        assert heart.recv() == b"ping"


def test_encrypted_clients_come_and_go(kernel):
    stays = kernel.client()
    leaves = Client(kernel.connection, kernel.sent)
    leaves.run("print 1").ok()
    leaves.close()

    assert stays.run("print 2").ok().stdout == "2\n"
    assert kernel.client().run("print 3").ok().stdout == "3\n"


def test_chosen_ports_are_written_back_with_the_keys(start_kernel):
    pair = keys()
    kernel = start_kernel(language="mock", transport="tcp", **pair)
    kernel.client()

    written = json.loads(kernel.file.read_text("utf-8"))

    assert {name: written[name] for name in pair} == pair
    assert 0 not in [written[port] for port in PORTS.values()]
    assert stat.S_IMODE(kernel.file.stat().st_mode) == 0o600


def test_kernel_without_keys_stays_plain(start_kernel):
    kernel = start_kernel(language="mock", transport="tcp")
    kernel.client()

    assert greet(kernel.connection, "shell", b"NULL") == b"NULL"
    assert "curve_publickey" not in json.loads(kernel.file.read_text("utf-8"))


@pytest.mark.parametrize("fields, line", [
    ({"curve_publickey": keys()["curve_publickey"]}, '"curve_secretkey" is missing'),
    ({**keys(), "curve_secretkey": "short"}, '"curve_secretkey" is no CURVE key'),
    ({**keys(), "curve_publickey": keys()["curve_publickey"]}, "does not belong to"),
], ids=["one key", "short key", "two pairs"])
def test_bad_keys_are_refused_with_one_line(start_kernel, fields, line):
    kernel = start_kernel(language="mock", **fields)
    kernel.exit_code = 2

    assert kernel.wait_exit() == 2
    found, = kernel.take_log(line)
    for name in ("curve_publickey", "curve_secretkey"):
        assert fields.get(name, "absent") not in found


@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_jupyter_client_that_requires_encryption_gets_it(tmp_path, transport):
    spec = json.loads((ROOT / "kernelspec/pandia-python/kernel.json").read_text("utf-8"))
    spec["argv"] = [str(PANDIA), "kernel", "-f", "{connection_file}", "--language", "mock"]
    folder = tmp_path / "kernels/mock"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps(spec), "utf-8")
    manager = KernelManager(kernel_name="mock", transport=transport, transport_encryption="required",
                            connection_file=str(tmp_path / "c.json"), kernel_spec_manager=
                            KernelSpecManager(kernel_dirs=[str(tmp_path / "kernels")]))
    if transport == "ipc":
        manager.ip = str(tmp_path / "s")

    manager.start_kernel()
    try:
        client = manager.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=scaled(SOON))
        replies = [client.execute_interactive("print hello", timeout=scaled(SOON),
                                              output_hook=lambda message: None)]
        manager.restart_kernel()
        client.wait_for_ready(timeout=scaled(SOON))
        replies.append(client.execute_interactive("print hello", timeout=scaled(SOON),
                                                  output_hook=lambda message: None))
        assert client.hb_channel.is_beating()
        client.stop_channels()
    finally:
        manager.shutdown_kernel()

    assert [reply["content"]["status"] for reply in replies] == ["ok", "ok"]
    assert "curve_secretkey" in manager.get_connection_info()
