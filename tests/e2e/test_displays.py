# SPDX-License-Identifier: MIT
"""Displays with an id, their updates, clear_output, payloads."""
LANGUAGE = "mock"


def kinds(run):
    return [message.type for message in run.messages if message.type.endswith(("data", "output"))]


def test_display_is_updated_under_its_id(client):
    run = client.run("named d1 first\nupdate d1 second").ok()

    assert kinds(run) == ["display_data", "update_display_data"]
    shown, updated = (m for m in run.messages if m.type.endswith("display_data"))
    assert shown.content["data"]["text/plain"] == "first"
    assert updated.content["data"]["text/plain"] == "second"
    assert shown.content["transient"] == updated.content["transient"] == {"display_id": "d1"}


def test_update_may_come_from_a_later_cell(client):
    client.run("named d1 first").ok()

    run = client.run("update d1 second").ok()

    assert kinds(run) == ["update_display_data"]


def test_clear_output_keeps_its_place(client):
    run = client.run("display before\nclear\ndisplay after").ok()

    assert kinds(run) == ["display_data", "clear_output", "display_data"]
    assert [m for m in run.messages if m.type == "clear_output"][0].content == {"wait": True}


def test_payload_comes_with_the_reply(client):
    run = client.run("payload x = 1").ok()

    assert run.content["payload"] == [
        {"source": "set_next_input", "replace": False, "text": "x = 1"}]


def test_python_display_updates(start_kernel):
    client = start_kernel(language="python").client()

    run = client.run("display(1, display_id='d')\ndisplay(2, display_id='d', update=True)").ok()

    assert kinds(run) == ["display_data", "update_display_data"]
    bad = client.run("display(2, update=True)")
    assert (bad.status, bad.content["ename"]) == ("error", "TypeError")
