# SPDX-License-Identifier: MIT
"""Comms, as widgets use them: opened by either side, data, metadata and buffers unchanged both ways,
found by their ids in whatever context they live. Python's package `comm` is in the tests' venv."""
import os
import random
import signal
import uuid

import pytest

from support.build import ROOT
from support.contexts import create, delete, listed, restart
from support.waiting import wait_until

VENV = ROOT / "build/venv/bin/python"
BUFFERS = [b"", b"\0", b"<IDS|MSG>", b"\xff\xfe" * 10, random.Random(4).randbytes(1_000_000)]
DATA = {"text": "ü😀\u2028\0", "big": 123456789012345678901234567890, "float": 1.5, "none": None,
        "deep": [[{"a": [True, False]}]], "": ""}

# A target whose comms say back what they hear, and a record of all that happened.
ECHO = """
import comm
heard = []
def opened(c, msg):
    heard.append(("open", msg))
    c.on_msg(lambda msg: (heard.append(("msg", msg)),
                          c.send(msg["content"]["data"], msg["metadata"], msg["buffers"])))
    c.on_close(lambda msg: heard.append(("close", msg)))
comm.get_comm_manager().register_target("echo", opened)
"""


@pytest.fixture
def kernel(start_kernel):
    return start_kernel(args=["--python", str(VENV)])


def open_comm(client, target="echo", data=None, **more):
    """Opens a comm from the client's side; returns its id and all that was said about it."""
    comm_id = uuid.uuid4().hex
    request = client.send("shell", "comm_open",
                          {"comm_id": comm_id, "target_name": target, "data": data or {}}, **more)
    return comm_id, client.settle(request)


def tell(client, comm_id, data=None, **more):
    return client.settle(client.send("shell", "comm_msg", {"comm_id": comm_id, "data": data or {}},
                                     **more))


def comms(client, **content):
    info = client.request("shell", "comm_info_request", content)
    assert client.request("control", "comm_info_request", content).content == info.content
    assert info.status == "ok"
    return {name: comm["target_name"] for name, comm in info.content["comms"].items()}


# From the kernel.


def test_comm_of_the_kernel_is_published_whole(client):
    run = client.run(f"""
import comm
c = comm.create_comm(target_name="views", data={DATA!r}, metadata={{"version": "2.1.0", "ü": [1]}},
                     buffers={BUFFERS[:-1]!r})
c.send({DATA!r}, {{"m": 1}}, [memoryview(b"abc"), bytearray(b"def")])
c.comm_id""").ok()

    assert run.types == ["execute_input", "comm_open", "comm_msg", "execute_result"]
    opened, told = (m for m in run.messages if m.type in ("comm_open", "comm_msg"))
    comm_id = eval(run.result)
    assert opened.content == {"comm_id": comm_id, "target_name": "views", "data": DATA,
                              "target_module": None}
    assert opened.metadata == {"version": "2.1.0", "ü": [1]}
    assert opened.buffers == BUFFERS[:-1]
    assert told.content == {"comm_id": comm_id, "data": DATA}
    assert (told.metadata, told.buffers) == ({"m": 1}, [b"abc", b"def"])
    assert comms(client) == {comm_id: "views"}


def test_comm_closed_by_the_kernel_is_forgotten(client):
    client.run("import comm; c = comm.create_comm(target_name='views')").ok()
    assert list(comms(client).values()) == ["views"]

    run = client.run("c.close({'bye': 1}, {'m': 2}, [b'last'])").ok()

    (closed,) = (m for m in run.messages if m.type == "comm_close")
    assert closed.content["data"] == {"bye": 1}
    assert (closed.metadata, closed.buffers) == ({"m": 2}, [b"last"])
    assert comms(client) == {}


def test_comm_is_in_order_with_other_output(client):
    run = client.run("""
import comm
c = comm.create_comm(target_name="views")
for i in range(3):
    print(i)
    c.send({"i": i})
c.close()""").ok()

    assert run.types == ["execute_input", "comm_open", *["stream", "comm_msg"] * 3, "comm_close"]


def test_comm_of_a_thread_that_outlives_its_cell_is_heard(client):
    run = client.run("""
import comm, threading
go = threading.Event()
def later():
    go.wait()
    comm.create_comm(target_name="late")
thread = threading.Thread(target=later)
thread.start()""").ok()
    last = client.execute("go.set()\nthread.join()")
    client.finish(last).ok()

    opened = client.wait(lambda: next((m for m in client.iopub if m.type == "comm_open"), None),
                         "comm_open")
    assert opened.parent_id in (run.request.msg_id, last.msg_id)
    assert list(comms(client).values()) == ["late"]


# From the client.


def test_comm_of_the_client_reaches_its_target(client):
    client.run(ECHO).ok()

    comm_id, run = open_comm(client, data=DATA, metadata={"version": "2", "ü": 1},
                             buffers=BUFFERS)

    assert run.types == []
    assert comms(client) == {comm_id: "echo"}
    seen = client.run(f"""
kind, msg = heard[0]
(kind, msg["content"] == {{"comm_id": {comm_id!r}, "target_name": "echo", "data": {DATA!r}}},
 msg["metadata"], [bytes(b) for b in msg["buffers"]] == {BUFFERS[:-1]!r} + [bytes(msg["buffers"][-1])],
 hash(bytes(msg["buffers"][-1])) == hash({BUFFERS[-1]!r}))""").ok()
    assert seen.result == "('open', True, {'version': '2', 'ü': 1}, True, True)"


def test_comm_message_comes_back_as_it_was_sent(client):
    client.run(ECHO).ok()
    comm_id, _ = open_comm(client)

    run = tell(client, comm_id, DATA, metadata={"m": [1, "ü"]}, buffers=BUFFERS)

    assert run.types == ["comm_msg"]
    (answer,) = (m for m in run.messages if m.type == "comm_msg")
    assert answer.content == {"comm_id": comm_id, "data": DATA}
    assert answer.metadata == {"m": [1, "ü"]}
    assert answer.buffers == BUFFERS
    assert answer.parent_id == run.request.msg_id


def test_comm_with_many_buffers_comes_back_whole(client):
    client.run(ECHO).ok()
    comm_id, _ = open_comm(client)
    buffers = [bytes([i % 256]) * i for i in range(900)]

    run = tell(client, comm_id, buffers=buffers)

    (answer,) = (m for m in run.messages if m.type == "comm_msg")
    assert answer.buffers == buffers


def test_comm_closed_by_the_client_is_forgotten(client):
    client.run(ECHO).ok()
    comm_id, _ = open_comm(client)

    request = client.send("shell", "comm_close", {"comm_id": comm_id, "data": {"bye": 1}},
                          buffers=[b"last"])
    run = client.settle(request)

    assert run.types == []
    assert comms(client) == {}
    seen = client.run("[(k, m['content']['data'], [bytes(b) for b in m['buffers']]) for k, m in heard]")
    assert seen.ok().result == "[('open', {}, []), ('close', {'bye': 1}, [b'last'])]"


def test_output_of_a_handler_belongs_to_its_message(client):
    client.run(ECHO).ok()
    client.run("""
def noisy(c, msg):
    print("opened")
    c.on_msg(lambda msg: (print("heard", msg["content"]["data"]["n"]), display(msg)))
class display:
    def __init__(self, msg): import sys; print("err", file=sys.stderr)
comm.get_comm_manager().register_target("noisy", noisy)""").ok()
    comm_id, opened = open_comm(client, "noisy")

    runs = [tell(client, comm_id, {"n": n}) for n in range(3)]

    assert opened.stdout == "opened\n"
    assert [run.stdout for run in runs] == ["heard 0\n", "heard 1\n", "heard 2\n"]
    assert [run.stderr for run in runs] == ["err\n"] * 3


def test_comm_does_not_count_as_an_execution(client):
    first = client.run(ECHO).ok()
    comm_id, _ = open_comm(client)
    tell(client, comm_id)

    assert client.run("1").ok().count == first.count + 1


def test_comm_messages_wait_for_the_cell_and_survive_its_error(client):
    client.run(ECHO).ok()
    comm_id, _ = open_comm(client)
    failing = client.execute("import time; time.sleep(.3); 1/0")
    queued = [client.send("shell", "comm_msg", {"comm_id": comm_id, "data": {"n": n}})
              for n in range(3)]

    client.finish(failing)

    for n, request in enumerate(queued):
        (answer,) = client.settle(request).contents("comm_msg")
        assert answer["data"] == {"n": n}
    ends = [m.parent_id for m in client.iopub if m.state == "idle"]
    assert ends[-4:] == [failing.msg_id, *(request.msg_id for request in queued)]


# To a cell that awaits.

ASK = """
import asyncio, comm
async def ask(seconds=20):
    answer = asyncio.get_running_loop().create_future()
    c = comm.create_comm(target_name="question")
    def hear(msg):
        print("heard", msg["content"]["data"])
        answer.done() or answer.set_result(msg["content"]["data"])
    c.on_msg(hear)
    return await asyncio.wait_for(answer, seconds)
"""


def ask(client, code="print('got', await ask())"):
    """Runs code that asks, and returns its request and the comm it has opened."""
    running = client.execute(code)
    opened = client.wait_iopub(running, "comm_open", lambda m: m.type == "comm_open")
    return running, opened.content["comm_id"]


def test_comm_message_reaches_the_cell_that_awaits_it(client):
    client.run(ASK).ok()
    running, comm_id = ask(client)
    waiting = client.execute("'next'")

    told = tell(client, comm_id, {"n": 42})

    assert told.stdout == "heard {'n': 42}\n", "a handler speaks for its message"
    assert client.finish(running).ok().stdout == "got {'n': 42}\n"
    assert client.finish(waiting).ok().result == "'next'"
    order = [m.parent_id for m in client.iopub if m.state == "idle"][-3:]
    assert order == [told.request.msg_id, running.msg_id, waiting.msg_id]


def test_comm_messages_to_a_cell_that_awaits_keep_their_order(client):
    client.run(ECHO).ok()
    comm_id, _ = open_comm(client)
    running = client.execute("import asyncio\nfor i in range(20): await asyncio.sleep(0.005)")
    client.wait_started(running)
    requests = [client.send("shell", "comm_msg", {"comm_id": comm_id, "data": {"n": n}})
                for n in range(300)]

    for n, request in enumerate(requests):
        (answer,) = client.settle(request).contents("comm_msg")
        assert answer["data"] == {"n": n}
    client.finish(running).ok()
    assert client.run("len(heard), [m['content']['data'].get('n') for _, m in heard[1:]] == "
                      "list(range(300))").ok().result == "(301, True)"


def test_comm_that_a_waiting_cell_prepares_is_not_opened_before_it(client):
    client.run("import comm").ok()
    running = client.execute("import asyncio; await asyncio.sleep(0.3)")
    client.wait_started(running)
    preparing = client.execute(ECHO)

    comm_id, opened = open_comm(client)

    assert not opened.contents("comm_close")
    client.finish(running).ok()
    client.finish(preparing).ok()
    assert tell(client, comm_id, {"a": 1}).contents("comm_msg")


def test_handler_in_an_awaiting_cell_can_be_interrupted_and_fail(client):
    client.run(ASK).ok()
    running, comm_id = ask(client, "c = comm.create_comm(target_name='bad')\n"
                                   "c.on_msg(lambda msg: 1 / 0)\nawait asyncio.sleep(100)")

    told = tell(client, comm_id)
    client.interrupt()

    assert "ZeroDivisionError" in told.stderr
    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    assert client.run("1 + 1").ok().result == "2"


def test_handler_in_an_awaiting_cell_that_kills_the_context_ends_both(kernel, client):
    client.run(ASK).ok()
    running, comm_id = ask(client, "import os\nc = comm.create_comm(target_name='bad')\n"
                                   "c.on_msg(lambda msg: os._exit(3))\nawait asyncio.sleep(100)")

    told = client.send("shell", "comm_msg", {"comm_id": comm_id, "data": {}})

    assert client.finish(running).status == "error"
    client.wait_idle(told)
    assert client.run("1 + 1").ok().result == "2"
    kernel.take_log("context ended")


def test_input_in_an_awaiting_cell_and_comms_do_not_mix_up(client):
    client.run(ASK).ok()
    running = client.execute("thread = asyncio.to_thread(input)\n"
                             "print(*await asyncio.gather(thread, ask()))", allow_stdin=True)
    opened = client.wait_iopub(running, "comm_open", lambda m: m.type == "comm_open")
    client.wait_asked(running)

    client.answer("typed")
    tell(client, opened.content["comm_id"], {"n": 1})

    assert client.finish(running).ok().stdout.endswith("typed {'n': 1}\n")


# What nobody wants.


@pytest.mark.parametrize("before", ["", "import comm", ECHO], ids=["not imported", "imported", "other"])
def test_unknown_target_is_closed_for_everybody_to_see(kernel, client, before):
    other = kernel.client()
    client.run(before).ok()

    comm_id, run = open_comm(client, "nosuch")

    assert [content["comm_id"] for content in run.contents("comm_close")] == [comm_id]
    other.wait_idle(run.request)
    assert [m.content["comm_id"] for m in other.iopub if m.type == "comm_close"] == [comm_id]
    assert comms(client) == {}


def test_language_without_comms_closes_them(start_kernel):
    client = start_kernel(language="mock").client()

    comm_id, run = open_comm(client)

    assert [content["comm_id"] for content in run.contents("comm_close")] == [comm_id]
    assert comms(client) == {}
    assert client.run("count").ok().stdout == "1\n"


def test_target_that_raises_closes_the_comm(client):
    client.run("import comm\ndef bad(c, msg): raise ValueError('no views today')\n"
               "comm.get_comm_manager().register_target('bad', bad)").ok()

    comm_id, run = open_comm(client, "bad")

    assert [content["comm_id"] for content in run.contents("comm_close")] == [comm_id]
    assert "no views today" in run.stderr
    assert comms(client) == {}


def test_handler_that_raises_is_told_and_the_comm_lives(client):
    client.run("""
import comm
def opened(c, msg):
    c.on_msg(lambda msg: c.send({"half": 100 / msg["content"]["data"]["n"]}))
comm.get_comm_manager().register_target("half", opened)""").ok()
    comm_id, _ = open_comm(client, "half")

    failed = tell(client, comm_id, {"n": 0})
    well = tell(client, comm_id, {"n": 50})

    assert "ZeroDivisionError" in failed.stderr
    assert failed.contents("comm_close") == []
    assert well.contents("comm_msg")[0]["data"] == {"half": 2.0}


def test_message_to_an_unknown_comm_is_harmless(client):
    client.run(ECHO).ok()
    for kind in ("comm_msg", "comm_close"):
        run = client.settle(client.send("shell", kind, {"comm_id": "nosuch", "data": {}}))
        assert [m.state for m in run.messages] == ["busy", "idle"]

    assert client.run("heard").ok().result == "[]"


@pytest.mark.parametrize("kind, content", [
    ("comm_open", {}), ("comm_open", {"comm_id": "x"}), ("comm_open", {"target_name": "echo"}),
    ("comm_open", {"comm_id": 5, "target_name": "echo"}), ("comm_open", {"comm_id": "x" * 5000,
                                                                         "target_name": "echo"}),
    ("comm_msg", {}), ("comm_msg", {"comm_id": []}), ("comm_close", {"comm_id": None})],
    ids=lambda value: str(value)[:40])
def test_malformed_comm_message_is_harmless(client, kind, content):
    client.run(ECHO).ok()

    run = client.settle(client.send("shell", kind, content))

    assert [m.state for m in run.messages] == ["busy", "idle"]
    assert comms(client) == {}
    assert client.run("heard").ok().result == "[]"


# Asking for them.


def test_comm_info_is_filtered_by_target(client):
    client.run("""
import comm
ids = [comm.create_comm(target_name=t).comm_id for t in ("a", "a", "b", "ü \\"quoted\\"")]""").ok()
    ids = eval(client.run("ids").ok().result)

    assert comms(client) == dict(zip(ids, ["a", "a", "b", 'ü "quoted"']))
    assert comms(client, target_name=None) == comms(client)
    assert set(comms(client, target_name="a")) == set(ids[:2])
    assert set(comms(client, target_name='ü "quoted"')) == {ids[3]}
    assert comms(client, target_name="nosuch") == {}


# In other contexts.


def test_comm_finds_its_context_by_its_id(client):
    for name in ("a", "b"):
        create(client, name)
        client.run(ECHO, context=name).ok()
    comm_id, opened = open_comm(client, metadata={"context": "a"})

    run = tell(client, comm_id, {"n": 1})

    assert {m.metadata.get("context_id") for m in opened.messages} == {"a"}
    assert run.contents("comm_msg")[0]["data"] == {"n": 1}
    assert {m.metadata.get("context_id") for m in run.messages} == {"a"}
    assert client.run("len(heard)", context="a").ok().result == "2"
    assert client.run("len(heard)", context="b").ok().result == "0"
    assert comms(client) == {comm_id: "echo"}


def test_comm_of_a_context_keeps_its_own_metadata(client):
    create(client, "a")

    run = client.run("import comm\ncomm.create_comm(target_name='x', metadata={'version': '2'})",
                     context="a").ok()

    (opened,) = (m for m in run.messages if m.type == "comm_open")
    assert opened.metadata == {"context_id": "a", "version": "2"}


@pytest.mark.parametrize("end", ["death", "restart", "delete"])
def test_comms_are_forgotten_with_their_context(kernel, client, end):
    pid = create(client, "a")["pid"]
    for name in ("a", None):
        client.run(ECHO, context=name).ok()
    theirs, _ = open_comm(client, metadata={"context": "a"})
    client.run("comm.create_comm(target_name='views')", context="a").ok()
    mine, _ = open_comm(client)
    assert len(comms(client)) == 3

    if end == "death":
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: listed(client)["a"]["state"] == "stopped", "the death is noticed")
        kernel.take_log("context ended.*SIGKILL")
    else:
        {"restart": restart, "delete": delete}[end](client, "a")

    closed = [m for m in client.by_parent[None] if m.type == "comm_close"]
    assert theirs in {m.content["comm_id"] for m in closed} and len(closed) == 2
    assert {m.metadata["context_id"] for m in closed} == {"a"}
    assert comms(client) == {mine: "echo"}
    assert tell(client, theirs).types == [], "nobody is there any more"
    assert tell(client, mine, {"n": 1}).types == ["comm_msg"]
