# SPDX-License-Identifier: MIT
"""What every request and its answers look like, whatever the language: run against the mock, whose
cells are commands (tests/support/mock_engine.c)."""
import json

import pytest
import zmq

from support.build import scaled
from support.client import Run
from support.processes import descendants
from support.waiting import Stopwatch

LANGUAGE = "mock"


def test_kernel_info_before_any_context_is_answered_on_shell_and_control(kernel, client):
    for channel in ("shell", "control"):
        info = client.request(channel, "kernel_info_request").content

        assert info["status"] == "ok"
        assert info["implementation"] == "pandia"
        assert info["language_info"]["name"] == "mock"
        assert info["supported_features"] == ["contexts"]
    assert len(descendants(kernel.pid)) <= 1, "a zygote at most, no context"


def test_kernel_info_after_launch_is_answered_fast(start_kernel):
    with Stopwatch() as watch:
        client = start_kernel(language="python").client(wait=False)
        client.wait_reply(client.send("shell", "kernel_info_request"))

    assert watch.seconds < scaled(0.5), "ipykernel takes this long"


def test_kernel_info_of_python_names_its_language(start_kernel):
    client = start_kernel(language="python").client()

    language = client.request("shell", "kernel_info_request").content["language_info"]

    assert language["name"] == "python"
    assert language["file_extension"] == ".py"
    assert language["mimetype"] == "text/x-python"
    assert language["version"].startswith("3.")


def test_parent_header_is_sent_back_byte_for_byte(client):
    header = client.header("execute_request")
    odd = ('{ "unknown" : [1.0e2, 123456789012345678901234567890 , "\\u00e9\\ud83d\\ude00\\u0000"],'
           + '  "z":null, ' + json.dumps(header)[1:-1] + '\n}').encode()

    request = client.send("shell", "execute_request", {"code": "print hello\nresult 1"},
                          header_bytes=odd)
    run = client.finish(request)

    assert run.stdout == "hello\n"
    assert {message.parent_bytes for message in [run.reply, *run.messages]} == {odd}


def test_session_is_one_and_differs_between_kernels(start_kernel):
    first = start_kernel(language="mock").client()
    second = start_kernel(language="mock").client()
    for client in (first, second):
        client.run("print x\nerror E v")
        client.request("control", "kernel_info_request")

    # That it never changes is checked with every message.
    assert first.kernel_session != second.kernel_session
    assert first.kernel_session != first.session


def test_execute_publishes_in_the_order_of_the_cell(client):
    run = client.run("print one\neprint two\ndisplay three\nprint four\nresult five")

    assert run.status == "ok"
    assert run.types == ["execute_input", "stream", "stream", "display_data", "stream",
                         "execute_result"]
    assert [c["name"] for c in run.contents("stream")] == ["stdout", "stderr", "stdout"]
    assert (run.stdout, run.stderr, run.result) == ("one\nfour\n", "two\n", "five")
    assert run.contents("display_data")[0]["data"] == {"text/plain": "three"}
    assert run.contents("execute_input")[0] == {
        "code": "print one\neprint two\ndisplay three\nprint four\nresult five",
        "execution_count": 1}


def test_execute_counts_go_up_by_one(client):
    runs = [client.run("result x") for _ in range(3)]

    assert [run.count for run in runs] == [1, 2, 3]
    for run in runs:
        assert run.contents("execute_input")[0]["execution_count"] == run.count
        assert run.contents("execute_result")[0]["execution_count"] == run.count


def test_execute_error_is_published_and_replied(client):
    run = client.run("print before\nerror SomeError some words\nprint after")

    assert run.status == "error"
    assert (run.content["ename"], run.content["evalue"]) == ("SomeError", "some words")
    assert run.content["traceback"]
    assert run.types == ["execute_input", "stream", "error"]
    assert run.stdout == "before\n"
    assert run.count == 1


def test_execute_silent_publishes_nothing_and_does_not_count(client):
    client.run("print x")

    silent = client.run("print y\nresult z\ncount", silent=True)
    failed = client.run("error E v", silent=True)
    after = client.run("count")

    assert (silent.status, failed.status) == ("ok", "error")
    assert silent.types == failed.types == []
    assert silent.count == 1
    assert after.count == 2
    assert after.stdout == "2\n", "the silent cell has run"


def test_execute_silent_overrules_store_history(client):
    assert client.run("print x", silent=True, store_history=True).count == 0
    assert client.run("print x").count == 1


def test_execute_without_history_does_not_count(client):
    client.run("print x")

    run = client.run("print y\nresult z", store_history=False)

    assert run.types == ["execute_input", "stream", "execute_result"]
    assert run.count == 1
    assert client.run("print x").count == 2


def test_execute_with_code_only_takes_the_defaults(client):
    run = client.finish(client.send("shell", "execute_request", {"code": "print x\ninput ?"}))

    assert run.stdout == "x\n"
    assert run.status == "error", "who does not allow input is not asked"
    assert run.content["ename"] == "StdinNotImplementedError"


def test_execute_of_wrong_types_is_refused_with_the_field(client):
    for content, field in (({}, "code"), ({"code": 1}, "code"),
                           ({"code": "print x", "silent": "yes"}, "silent"),
                           ({"code": "print x", "user_expressions": []}, "user_expressions")):
        request = client.send("shell", "execute_request", content)

        reply = client.wait_reply(request).content
        client.wait_idle(request)

        assert reply["status"] == "error"
        assert field in reply["evalue"], reply
    assert client.run("print x").ok().stdout == "x\n"


def test_error_aborts_what_is_queued_but_not_other_requests(client):
    first = client.execute("sleep 300\nerror E v")
    queued = [client.execute("count") for _ in range(3)]
    info = client.send("shell", "kernel_info_request")
    complete = client.send("shell", "is_complete_request", {"code": "print x"})

    assert client.finish(first).status == "error"
    aborted = [client.finish(request) for request in queued]
    assert client.finish(info).status == "ok"
    assert client.finish(complete).status == "complete"
    later = client.run("count")

    assert [run.status for run in aborted] == ["aborted"] * 3
    assert [run.types for run in aborted] == [[]] * 3
    assert later.status == "ok"
    assert later.stdout == "1\n", "none of the aborted cells has run"
    assert later.count == 2


def test_error_aborts_a_long_queue_as_a_whole(client):
    first = client.execute("error E v")
    queued = [client.execute("count") for _ in range(300)]

    assert client.finish(first).status == "error"
    statuses = [client.finish(request).status for request in queued]

    # What arrived after the error has the right to run, what arrived before has not.
    assert statuses == sorted(statuses), "aborted ones first, then those that came later"
    assert client.run("count").status == "ok"


def cell(client, code, second, **metadata):
    """Runs a cell as JupyterLab sends it, at a second of the client's own clock; until its reply."""
    header = client.header("execute_request", date=f"2026-01-01T00:00:{second:06.3f}Z")
    return client.request("shell", "execute_request", {"code": code, "stop_on_error": True},
                          metadata={"cellId": "x", "trusted": True, **metadata},
                          header_bytes=json.dumps(header).encode())


def test_error_ends_a_run_of_all_cells_that_is_still_being_sent(client):
    client.run("count").ok()
    assert cell(client, "error E v", 1.000).status == "error"

    # Sent before the error was seen, arrived after the reply.
    rest = [cell(client, "count", 1 + 0.09 * i) for i in range(1, 5)]
    later = cell(client, "count", 2.000)

    assert [run.content for run in rest] == [{"status": "aborted"}] * 4
    assert later.stdout == "2\n", "none of the aborted cells has run"
    assert cell(client, "count", 2.001).stdout == "3\n"


@pytest.mark.parametrize("second", [1.1, 0.999], ids=["later", "by another clock"])
def test_error_lets_a_cell_run_that_was_sent_apart(client, second):
    assert cell(client, "error E v", 1).status == "error"

    assert cell(client, "count", second).stdout == "1\n"


def test_error_lets_the_requests_of_a_program_run(client):
    assert cell(client, "error E v", 1).status == "error"
    assert client.run("count").stdout == "1\n", "no cell"
    client.run("error E v")
    assert cell(client, "count", 1.001).stdout == "2\n", "no cell has failed"


def test_error_without_stop_on_error_lets_the_queue_run(client):
    first = client.execute("sleep 200\nerror E v", stop_on_error=False)
    queued = [client.execute("count") for _ in range(3)]

    assert client.finish(first).status == "error"
    assert [client.finish(request).stdout for request in queued] == ["1\n", "2\n", "3\n"]


def test_error_of_a_silent_cell_lets_the_queue_run(client):
    first = client.execute("sleep 200\nerror E v", silent=True)
    queued = client.execute("count")

    assert client.finish(first).status == "error"
    assert client.finish(queued).status == "ok"


def test_interrupt_aborts_the_queue_like_an_error(client):
    first = client.execute("loop")
    queued = client.execute("count")
    client.wait_started(first)

    client.interrupt()

    assert client.finish(first).content["ename"] == "KeyboardInterrupt"
    assert client.finish(queued).status == "aborted"
    assert client.run("count").stdout == "1\n"


def test_shell_requests_are_answered_in_their_order(client):
    kinds = [("execute_request", {"code": "sleep 100"}), ("kernel_info_request", {}),
             ("is_complete_request", {"code": "x"}), ("execute_request", {"code": "count"}),
             ("kernel_info_request", {})]
    requests = [client.send("shell", *kind) for kind in kinds]

    for request in requests:
        client.finish(request)

    order = [m.parent_id for m in client.iopub if m.state == "idle"]
    assert order == [request.msg_id for request in requests]


def test_control_is_answered_while_a_cell_runs(client):
    running = client.execute("loop")
    client.wait_started(running)

    info = client.request("control", "kernel_info_request")
    client.interrupt()

    assert info.status == "ok"
    assert client.finish(running).status == "error"
    states = [(m.parent_id, m.state) for m in client.iopub if m.state]
    inside = states.index((running.msg_id, "busy"))
    assert inside < states.index((info.request.msg_id, "busy"))
    assert states.index((info.request.msg_id, "idle")) < states.index((running.msg_id, "idle"))


def test_code_on_control_waits_its_turn_and_is_answered_there(client):
    running = client.execute("loop")
    client.wait_started(running)
    after = client.send("control", "execute_request", {"code": "print after"})
    info = client.request("control", "kernel_info_request")

    assert info.status == "ok"
    assert not [m for m in client.by_parent[after.msg_id] if m.state], "it waits"
    client.interrupt()

    assert client.finish(running).status == "error"
    assert client.finish(after).status == "aborted"
    again = client.request("control", "execute_request", {"code": "print again"})
    assert (again.status, again.stdout) == ("ok", "again\n")
    assert again.reply.metadata["started"]


def test_queue_of_many_cells_is_answered_in_order(client):
    requests = [client.execute(f"print {i}\nresult {i}") for i in range(500)]

    runs = [client.finish(request) for request in requests]

    assert [run.stdout for run in runs] == [f"{i}\n" for i in range(500)]
    assert [run.count for run in runs] == list(range(1, 501))


def test_is_complete_is_answered_by_the_language(client):
    assert client.request("shell", "is_complete_request", {"code": "print"}).status == "complete"
    assert client.request("shell", "is_complete_request", {"code": "x\\"}).status == "incomplete"


def test_two_clients_see_all_output_and_their_own_replies(kernel, client):
    other = kernel.client()

    mine = client.execute("print mine")
    theirs = other.execute("print theirs")
    client.finish(mine)
    other.finish(theirs)

    for one in (client, other):
        for request, text in ((mine, "mine\n"), (theirs, "theirs\n")):
            one.wait_idle(request)
            assert Run(request, None, one.by_parent[request.msg_id]).stdout == text
    assert client.pump(0) is False or ("shell", theirs.msg_id) not in client.replies
    assert ("shell", mine.msg_id) not in other.replies


def test_welcome_is_the_first_message_of_every_subscriber(kernel, client):
    running = client.execute("loop")
    client.wait_started(running)

    others = [kernel.client() for _ in range(3)]  # waits for it, and checks that it is the first
    client.interrupt()
    client.finish(running)

    for one in (client, *others):
        welcome = one.iopub[0]
        assert welcome.content == {"subscription": ""}
        assert welcome.parent == {}


def test_welcome_names_the_topic_of_the_subscription(kernel, client):
    other = kernel.client()
    other.sockets["iopub"].subscribe("stream")

    welcome = other.wait(lambda: next((m for m in other.iopub[1:] if m.type == "iopub_welcome"),
                                      None), "welcome of the second subscription")

    assert welcome.content == {"subscription": "stream"}


def test_connect_request_names_the_ports(kernel, client):
    for channel in ("shell", "control"):
        content = client.request(channel, "connect_request").content

        del content["status"]
        assert content == {name: kernel.connection[name] for name in content}
        assert len(content) == 5


def test_requests_nobody_serves_are_dropped_with_a_line(kernel, client):
    dropped = (("shell", "no_such_request"),
               ("control", "no_such_request"), ("control", "inspect_request"),
               ("shell", "interrupt_request"), ("shell", "execute_reply"), ("shell", "status"))
    for channel, kind in dropped:
        client.send(channel, kind, {"code": "print x"})

    assert client.run("count").stdout == "1\n"
    client.request("control", "kernel_info_request")
    kernel.take_log(*(rf'msg="message dropped".*channel={channel}.*{kind}'
                      for channel, kind in dropped))


def test_input_reply_nobody_asked_for_is_dropped(kernel, client):
    client.send("stdin", "input_reply", {"value": "x"})

    assert client.run("count").stdout == "1\n"
    kernel.take_log("channel=stdin.*input_reply")


def test_input_goes_to_the_asker_and_back(kernel, client):
    other = kernel.client()
    running = client.execute("input name?", allow_stdin=True)

    asked = client.wait(lambda: client.replies.get(("stdin", running.msg_id)), "input_request")
    other.send("stdin", "input_reply", {"value": "intruder"})
    kernel.take_log("channel=stdin.*input_reply")
    client.send("stdin", "input_reply", {"value": "Ada\u0000 \U0001f600"})
    run = client.finish(running)

    assert asked.content == {"prompt": "name?", "password": False}
    assert run.stdout.startswith("Ada")
    assert ("stdin", running.msg_id) not in other.replies


def test_input_is_interruptible(client):
    running = client.execute("input name?", allow_stdin=True)
    client.wait(lambda: client.replies.get(("stdin", running.msg_id)), "input_request")

    client.interrupt()

    assert client.finish(running).content["ename"] == "KeyboardInterrupt"
    assert client.run("count").stdout == "1\n"


def test_reconnecting_client_with_its_old_identity_is_answered(kernel, client):
    assert client.run("count").stdout == "1\n"
    again = kernel.client()
    again.sockets["shell"].close()
    again.session = client.session
    again.connect("shell", zmq.DEALER)
    again.poller.register(again.sockets["shell"], zmq.POLLIN)

    assert again.run("count").stdout == "2\n"


def test_tcp_serves_like_ipc(start_kernel):
    client = start_kernel(language="mock", transport="tcp").client()

    assert client.run("print x\nresult y").ok().result == "y"
    assert client.beat() == b"ping"


def test_unsigned_kernel_on_ipc_serves_and_warns(start_kernel):
    kernel = start_kernel(language="mock", key="")
    client = kernel.client()

    assert client.run("print x").ok().stdout == "x\n"
    kernel.take_log("key is empty")
