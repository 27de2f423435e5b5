# SPDX-License-Identifier: MIT
"""Nothing is lost, nothing overtakes: great amounts of output, clients that do not read, clients that
come back, long queues, and control that answers while all this goes on."""
import json
import time

import pytest
import zmq

from support.build import SANITIZED, many, scaled
from support.client import Run, endpoint
from support.contexts import arrived, create
from support.waiting import Stopwatch

MIB = 1 << 20
STALLED = "subscriber does not read"


# Great amounts.


def test_every_print_arrives_in_order(client):
    number = many(200_000)

    run = client.run(f"for i in range({number}): print(i)", seconds=60).ok()

    assert run.stdout == "".join(f"{i}\n" for i in range(number))


def test_every_flushed_print_arrives_in_order(client):
    number = many(200_000)

    run = client.run(f"for i in range({number}): print(i, flush=True)", seconds=60).ok()

    assert run.stdout == "".join(f"{i}\n" for i in range(number))


@pytest.mark.slow
def test_every_display_arrives_in_order(start_kernel):
    number = many(10_000)
    client = start_kernel(language="mock").client()
    code = "\n".join(f"display {i}" for i in range(number))

    run = client.run(code, seconds=120).ok()

    shown = [content["data"]["text/plain"] for content in run.contents("display_data")]
    assert shown == [str(i) for i in range(number)]


@pytest.mark.slow
def test_every_display_of_python_arrives_in_order_with_its_prints(client):
    number = many(10_000)
    code = f"""
class Thing:
    def __init__(self, i): self.i = i
    def __repr__(self): return f"thing {{self.i}}"
for i in range({number}):
    print(i)
    display(Thing(i))"""

    run = client.run(code, seconds=120).ok()

    said = [m.content["text"] if m.type == "stream" else m.content["data"]["text/plain"]
            for m in run.messages if m.type in ("stream", "display_data")]
    assert said == [text for i in range(number) for text in (f"{i}\n", f"thing {i}")]


def test_print_in_a_loop_stays_below_the_rate_limit_of_servers(client):
    """jupyter_server drops what comes at more than 1000 messages or 1 MB a second."""
    with Stopwatch() as watch:
        run = client.run("""
import time
end = time.monotonic() + 1
n = 0
while time.monotonic() < end:
    print(n)
    n += 1
    time.sleep(.0002)""").ok()

    streams = run.contents("stream")
    lines = run.stdout.splitlines()
    assert lines == [str(i) for i in range(len(lines))]
    assert len(lines) > 300
    assert len(streams) / watch.seconds < 100, f"{len(streams)} messages for {len(lines)} lines"
    assert len(streams) >= 3, "but it is heard while it runs"


def test_flushed_print_in_a_loop_stays_below_the_rate_limit_of_servers(client):
    with Stopwatch() as watch:
        run = client.run("""
import time
end = time.monotonic() + 1
while time.monotonic() < end:
    print("x", flush=True)""").ok()

    assert len(run.contents("stream")) / watch.seconds < 200


def test_streams_in_turns_stay_below_the_rate_limit_of_servers(client):
    with Stopwatch() as watch:
        run = client.run("""
import sys, time
for n in range(300):
    print(n)
    print(n, file=sys.stderr)
    time.sleep(.003)""").ok()

    assert run.stdout == run.stderr == "".join(f"{i}\n" for i in range(300))
    assert len(run.contents("stream")) / watch.seconds < 1000


# Who does not read.

@pytest.fixture
def stalled_subscriber(start_kernel):
    """A kernel with a subscriber that never reads, as a suspended browser tab."""
    kernel = start_kernel(language="mock")
    with zmq.Context() as context, context.socket(zmq.SUB) as deaf:
        deaf.linger = 0
        deaf.rcvhwm = 1
        deaf.setsockopt(zmq.RCVBUF, 4096)
        deaf.subscribe(b"")
        kernel.client()
        deaf.connect(endpoint(kernel.connection, "iopub"))
        assert deaf.poll(scaled(20) * 1000), "it is welcome"
        yield kernel
        stalls = kernel.stderr().count(STALLED)
        kernel.take_log(*[STALLED] * stalls)
        assert stalls, "it has never been full: the test has shown nothing"


@pytest.mark.slow
def test_stalled_subscriber_costs_others_nothing(stalled_subscriber):
    kernel = stalled_subscriber
    client = kernel.clients[0]
    client.run("print x").ok()
    before = kernel.resident_bytes()
    most = 0

    for i in range(100):
        code = f"flood {2 * MIB}\ndisplay {i}\nresult {i}" + (f"\nerror E {i}" if i % 2 else "")
        run = client.run(code, seconds=60, stop_on_error=False)
        most = max(most, kernel.resident_bytes())
        assert run.status == ("error" if i % 2 else "ok")
        assert len(run.stdout) == 2 * MIB
        assert run.result == str(i)
        assert run.contents("display_data")[0]["data"] == {"text/plain": str(i)}

    assert most - before < (300 if SANITIZED else 150) * MIB, f"{(most - before) // MIB} MiB more"


@pytest.mark.slow
def test_stalled_subscriber_does_not_cost_small_messages_either(stalled_subscriber):
    client = stalled_subscriber.clients[0]

    for i in range(max(2000, many(10_000))):
        run = client.run(f"display {i}\nresult {i}", seconds=60).ok()
        assert run.types == ["execute_input", "display_data", "execute_result"]
        assert run.result == str(i)


@pytest.mark.slow
def test_stalled_subscriber_does_not_stop_a_flood_for_a_live_client(stalled_subscriber):
    client = stalled_subscriber.clients[0]
    size = 200 * MIB

    run = client.run(f"flood {size}\nresult done", seconds=120).ok()

    assert len(run.stdout) == size
    assert run.result == "done"


@pytest.mark.slow
def test_stalled_subscriber_costs_a_slow_one_nothing(stalled_subscriber):
    kernel = stalled_subscriber
    client = kernel.clients[0]
    size = 300 * MIB
    with zmq.Context() as context, context.socket(zmq.SUB) as slow:
        slow.linger = 0
        slow.subscribe(b"")
        slow.connect(endpoint(kernel.connection, "iopub"))
        assert slow.poll(scaled(20) * 1000), "it is welcome"
        client.sockets["iopub"].unsubscribe(b"")
        running = client.execute(f"flood {size}\nresult done")
        states, kinds, received = [], [], 0
        while states.count("idle") < 1:
            assert slow.poll(scaled(20) * 1000), "the rest is missing"
            _, header, parent, _, content = slow.recv_multipart()[2:7]
            if json.loads(parent or b"{}").get("msg_id") != running.msg_id:
                continue
            content = json.loads(content)
            kinds.append(json.loads(header)["msg_type"])
            states.append(content.get("execution_state"))
            received += len(content.get("text", ""))
            slow.poll(1, zmq.POLLERR)  # a millisecond of other work for each message

    assert received == size
    assert kinds[:2] == ["status", "execute_input"]
    assert kinds[-2:] == ["execute_result", "status"]


@pytest.mark.slow
def test_stalled_subscriber_does_not_slow_control(stalled_subscriber):
    kernel = stalled_subscriber
    client = kernel.clients[0]
    running = client.execute(f"flood {10_000 * MIB}")
    client.wait_output(running, "0123")

    slowest = 0
    deadline = time.monotonic() + scaled(60)
    while kernel.stderr().count(STALLED) == 0:
        slowest = max(slowest, *latencies(kernel, client, 10))
        assert client.beat() == b"ping"
        client.pump()
        client.iopub.clear()
        client.by_parent.clear()
        assert time.monotonic() < deadline, "it is never full"
    client.send("control", "interrupt_request")
    client.wait_reply(running, seconds=60)
    client.wait_idle(running, seconds=60)

    assert slowest < scaled(0.5)


@pytest.mark.slow
def test_subscriber_that_reads_again_gets_everything_from_then_on(start_kernel):
    kernel = start_kernel(language="mock")
    client = kernel.client()
    late = kernel.client(reads=False)
    for _ in range(100):
        client.run(f"flood {2 * MIB}", seconds=60).ok()
    stalls = kernel.stderr().count(STALLED)
    assert stalls, "it has never been full: the test would show nothing"

    late.wait(lambda: not late.pump(0.5), "it has caught up", seconds=60)
    for i in range(50):
        run = client.run(f"print {i}", seconds=60).ok()
        late.wait_idle(run.request, seconds=60)
        assert Run(run.request, None, late.by_parent[run.request.msg_id]).stdout == f"{i}\n"
    kernel.take_log(*[STALLED] * kernel.stderr().count(STALLED))


# Who comes late.


def test_late_output_of_a_thread_belongs_to_the_last_execute(client):
    client.run("""
import threading
go, done = threading.Event(), threading.Event()
def chatter():
    go.wait()
    print("late words")
    done.set()
thread = threading.Thread(target=chatter)
thread.start()""").ok()
    client.run("x = 1").ok()
    last = client.run("threading.Timer(.1, go.set).start()").ok()

    client.wait_output(last.request, "late words")

    messages = client.by_parent[last.request.msg_id]
    assert [m.type for m in messages[-2:]] == ["status", "stream"], "after its idle"


def test_late_output_of_another_context_carries_its_id(client):
    create(client, "a")
    last = client.run("import threading; threading.Timer(.1, print, ['late words']).start()",
                      context="a").ok()
    client.run("x = 1").ok()

    client.wait_output(last.request, "late words")

    (late,) = (m for m in client.by_parent[last.request.msg_id] if m.type == "stream")
    assert late.metadata == {"context_id": "a"}


# Who comes back.


@pytest.mark.parametrize("cut", [True, False], ids=["cut", "still there"])
@pytest.mark.parametrize("transport", ["tcp", "ipc"])
def test_client_that_comes_back_gets_the_reply_of_its_running_cell(start_kernel, transport, cut):
    kernel = start_kernel(language="mock", transport=transport)
    watcher = kernel.client()  # the test's own, to end the kernel with
    create(watcher, "a")
    old = kernel.client()
    running = old.execute("input name?\nresult done", allow_stdin=True)
    old.wait_asked(running)
    if cut:
        old.close()

    new = kernel.client(session=old.session)  # whose connection was cut, or so it believes
    arrived(new, idle="a")  # by now the kernel knows the new connection
    new.answer("Ada")
    reply = new.wait_reply(running)
    new.wait_idle(running)

    assert reply.content["status"] == "ok"
    assert Run(running, reply, new.by_parent[running.msg_id]).stdout == "Ada\n"
    assert cut or ("shell", running.msg_id) not in old.replies
    new.run("count").ok()


def test_client_that_comes_back_may_ask_again_at_once(start_kernel):
    kernel = start_kernel(language="mock", transport="tcp")
    client = kernel.client()
    create(client, "a")
    running = client.execute("print go\nloop")
    client.wait_output(running, "go")
    for _ in range(5):
        new = kernel.client(session=client.session)
        assert new.request("control", "kernel_info_request").status == "ok"
        arrived(new, idle="a")

    assert new.interrupt().status == "ok"
    assert new.wait_reply(running).content["ename"] == "KeyboardInterrupt"
    kernel.clients.reverse()  # the last one is the one that is still answered


# Queues.


def test_error_aborts_a_hundred_queued_runs(start_kernel):
    client = start_kernel(language="mock").client()
    create(client, "a")
    failing = client.execute("sleep 300\nerror E v")
    queued = [client.execute("count") for _ in range(100)]
    arrived(client, idle="a")

    assert client.finish(failing).status == "error"
    runs = [client.finish(request) for request in queued]

    assert [run.status for run in runs] == ["aborted"] * 100
    assert [run.types for run in runs] == [[]] * 100
    after = client.run("count").ok()
    assert (after.stdout, after.count) == ("1\n", 2)
    ends = [m.parent_id for m in client.iopub if m.state == "idle"]
    wanted = [request.msg_id for request in (failing, *queued)]
    assert [end for end in ends if end in wanted] == wanted, "in the order of the queue"


MIXED = [("execute_request", {"code": "sleep 100"}), ("kernel_info_request", {}),
         ("complete_request", {"code": "x", "cursor_pos": 1}), ("comm_info_request", {}),
         ("execute_request", {"code": "count"}), ("is_complete_request", {"code": "x"}),
         ("inspect_request", {"code": "x", "cursor_pos": 1}), ("connect_request", {}),
         ("execute_request", {"code": "count", "silent": True}),
         ("execute_request", {"code": "error E v", "stop_on_error": False}),
         ("kernel_info_request", {}), ("execute_request", {"code": "count"})]


def test_shell_answers_all_kinds_of_requests_in_their_order(start_kernel):
    client = start_kernel(language="mock").client()
    requests = [client.send("shell", kind, content) for _ in range(3) for kind, content in MIXED]

    for request in requests:
        client.wait_reply(request)
        client.wait_idle(request)

    order = [request.msg_id for request in requests]
    assert [parent for channel, parent in client.replies if channel == "shell"] == order
    assert [m.parent_id for m in client.iopub if m.state == "idle"] == order
    states = [m.state for m in client.iopub if m.parent_id in order and m.state]
    assert states == ["busy", "idle"] * len(order), "one at a time"


# Control.


def latencies(kernel, client, number):
    """Seconds that each of so many requests on control took, measured without our own decoding of
    what else arrives meanwhile."""
    taken = []
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(endpoint(kernel.connection, "control"))
        for _ in range(number):
            header = client.header("kernel_info_request")
            message = client.frames(json.dumps(header).encode(), b"{}")
            kernel.sent[header["msg_id"]] = message[2]
            begun = time.monotonic()
            socket.send_multipart(message)
            assert socket.poll(scaled(20) * 1000), "control does not answer"
            taken.append(time.monotonic() - begun)
            socket.recv_multipart()
    return sorted(taken)


@pytest.mark.parametrize("code", ["while True: pass", "while True: print('x' * 1000)",
                                  # No interrupt reaches it: it must end before it is killed.
                                  f"sum(range(10**{6 if SANITIZED else 7}))"],
                         ids=["loop", "prints", "C code"])
def test_control_answers_within_milliseconds_while_a_cell_computes(kernel, client, code):
    running = client.execute(f"print('go', flush=True)\n{code}")
    client.wait_output(running, "go")

    taken = latencies(kernel, client, 300)

    assert taken[round(len(taken) * .99) - 1] < scaled(0.05), f"slowest: {taken[-5:]}"
    client.interrupt()
    client.finish(running)


def test_control_is_not_behind_a_full_shell(start_kernel):
    kernel = start_kernel(language="mock")
    client = kernel.client()
    running = client.execute("print go\nloop")
    client.wait_output(running, "go")
    queued = [client.execute("count") for _ in range(1000)]

    taken = latencies(kernel, client, 100)

    assert taken[98] < scaled(0.05), f"slowest: {taken[-5:]}"
    client.interrupt()
    client.finish(running)
    for request in queued:
        client.finish(request)


# Replay.


@pytest.mark.slow
def test_replayed_message_is_dropped_after_many_others(kernel, client):
    number = many(65_536) - 1
    frames = [client.frames(json.dumps(client.header("kernel_info_request")).encode(), b"{}")
              for _ in range(number + 1)]
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.rcvhwm = socket.sndhwm = 0
        socket.connect(endpoint(kernel.connection, "control"))
        client.sockets["iopub"].unsubscribe(b"")  # thousands of states that nobody wants
        for message in frames:
            socket.send_multipart(message)
        for _ in frames:
            assert socket.poll(scaled(20) * 1000), "an answer is missing"
            socket.recv_multipart()

        for message in (frames[0], frames[number // 2], frames[-1]):
            socket.send_multipart(message)
        kernel.take_log(*["channel=control.*(replay|seen|twice|duplicate)"] * 3)
        socket.send_multipart(client.frames(
            json.dumps(client.header("kernel_info_request")).encode(), b"{}"))
        assert socket.poll(scaled(20) * 1000)
        socket.recv_multipart()
        assert not socket.poll(0), "only the new message is answered"
