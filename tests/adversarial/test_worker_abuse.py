# SPDX-License-Identifier: MIT
"""A context says what no worker of ours would say. The broker believes nothing: the request ends,
the context is marked or killed, and the next request is served."""
import pytest

LANGUAGE = "mock"


@pytest.mark.parametrize("command", ["garbage", "hugeframe"])
def test_stream_that_is_none_is_killed_with_the_cause(kernel, client, command):
    client.run("count").ok()

    run = client.run(f"print before\n{command}\nsleep 10000")

    assert run.content["ename"] == "ContextProtocolError"
    assert "protocol" in run.content["evalue"]
    assert run.stdout == "before\n"
    fresh = client.run("count").ok()
    assert (fresh.stdout, fresh.count) == ("1\n", 1)
    kernel.take_log("context sends garbage", "context ended.*ContextProtocolError")


def test_garbage_does_not_grow_the_broker(kernel, client):
    client.run("count").ok()
    before = kernel.resident_bytes()

    for _ in range(20):
        client.run("hugeframe\nsleep 10000")

    assert kernel.resident_bytes() - before < 8 << 20
    kernel.take_log(*["context sends garbage", "context ended"] * 20)


def test_frames_in_the_wrong_state_are_dropped_and_the_context_marked(kernel, client):
    # It ends its execution itself, and then goes on to speak about it.
    run = client.run("badstate")

    assert run.status == "ok"
    assert run.result is None, "a result after the end is none"
    assert run.stdout == "", "nobody's output is nobody's"
    assert client.run("count").ok().stdout == "1\n", "the context itself lives on"
    kernel.take_log("context marked")


def test_frames_in_the_wrong_state_are_reported_once(kernel, client):
    for _ in range(5):
        client.run("badstate")

    assert client.run("count").ok().stdout == "1\n"
    kernel.take_log("context marked")


def test_content_that_is_no_json_is_dropped(kernel, client):
    run = client.run("badjson\nprint after").ok()

    assert run.stdout == "after\n"
    kernel.take_log("context marked")


def test_context_that_does_not_read_does_not_block_the_broker(kernel, client):
    client.run("noread").ok()
    request = client.execute("print " + "x" * (1 << 20))

    assert client.request("control", "kernel_info_request").status == "ok"
    assert client.beat() == b"ping"
    client.interrupt()
    run = client.finish(request, seconds=30)

    assert run.content["ename"] == "ContextKilled"
    assert client.run("count").ok().stdout == "1\n"
    kernel.take_log("interrupts ignored, killing", "context ended.*ContextKilled")


def test_queue_for_a_context_that_does_not_read_is_bounded(kernel, client):
    client.run("noread").ok()
    requests = [client.execute("print x", stop_on_error=False) for _ in range(10100)]

    refused = [client.finish(request, seconds=60) for request in requests[-50:]]

    assert {run.content["ename"] for run in refused} == {"LimitExceeded"}
    assert "limit" in refused[0].content["evalue"]
    assert client.request("control", "kernel_info_request").status == "ok"
    client.interrupt()
    assert client.finish(requests[0], seconds=30).content["ename"] == "ContextKilled"
    for request in requests[1:]:
        client.wait_reply(request, seconds=60)
    assert client.run("count").ok().stdout == "1\n"
    kernel.take_log("interrupts ignored, killing", "context ended.*ContextKilled")


def test_flood_of_output_and_of_requests_at_once_is_served(client):
    running = client.execute("flood 20000000")
    beats = [client.request("control", "kernel_info_request") for _ in range(20)]

    assert all(beat.status == "ok" for beat in beats)
    assert len(client.finish(running, seconds=60).ok().stdout) == 20000000


def test_context_that_dies_again_and_again_is_replaced_each_time(kernel, client):
    for number in range(20):
        assert client.run("kill9").content["ename"] == "ContextCrashed"
        assert client.run("count").ok().stdout == "1\n", number
    kernel.take_log(*["context ended"] * 20)
