# SPDX-License-Identifier: MIT
"""complete, inspect and is_complete on their way to a context and back. Cursors are code points."""
import pytest

LANGUAGE = "mock"


@pytest.mark.parametrize("before", ["", "print x\n", "print \U0001d54f\u00e9\n"])
def test_completion_counts_code_points(client, before):
    code = before + "prin"

    reply = client.request("shell", "complete_request", {"code": code, "cursor_pos": len(code)})

    assert reply.content["matches"] == ["print"]
    assert (reply.content["cursor_start"], reply.content["cursor_end"]) == (len(before), len(code))


def test_completion_without_a_cursor_is_at_the_end(client):
    reply = client.request("shell", "complete_request", {"code": "disp"})

    assert reply.content["matches"] == ["display"]


@pytest.mark.parametrize("cursor", [-1, 10 ** 12])
def test_completion_outside_the_code_harms_nobody(client, cursor):
    reply = client.request("shell", "complete_request", {"code": "prin", "cursor_pos": cursor})

    assert reply.content["status"] in ("ok", "error")
    assert client.run("result 1").ok().result == "1"


@pytest.mark.parametrize("detail", [0, 1])
def test_inspection_passes_its_level_on(client, detail):
    reply = client.request("shell", "inspect_request",
                           {"code": "print", "cursor_pos": 5, "detail_level": detail})

    assert reply.content["found"] is True
    assert reply.content["data"]["text/plain"] == f"print, detail {detail}"


def test_inspection_of_nothing_is_not_found(client):
    reply = client.request("shell", "inspect_request", {"code": "nonsense", "cursor_pos": 3})

    assert (reply.content["status"], reply.content["found"]) == ("ok", False)


@pytest.mark.parametrize("code, status", [("print x", "complete"), ("print x\\", "incomplete")])
def test_is_complete_is_the_languages_word(client, code, status):
    reply = client.request("shell", "is_complete_request", {"code": code})

    assert reply.content["status"] == status


def test_questions_wait_their_turn(client):
    running = client.execute("sleep 200\nprint done")

    asked = client.send("shell", "complete_request", {"code": "prin", "cursor_pos": 4})

    assert client.finish(asked).content["matches"] == ["print"]
    assert client.finish(running).stdout == "done\n"
