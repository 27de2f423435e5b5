# SPDX-License-Identifier: MIT
"""Requests about contexts, as short calls. A request that is to fail is sent with client.control()."""


def create(client, context_id=None, **options):
    """Makes a context; returns what the kernel says of it."""
    if context_id is not None:
        options["context_id"] = context_id
    run = client.control("create_context_request", **options)
    assert run.status == "ok", run.content
    return run.content["context"]


def restart(client, context_id):
    run = client.control("restart_context_request", context_id=context_id)
    assert run.status == "ok", run.content
    return run.content["context"]


def delete(client, context_id):
    run = client.control("delete_context_request", context_id=context_id)
    assert run.status == "ok", run.content


def listed(client):
    """All contexts by their ids."""
    run = client.control("list_context_request")
    assert run.status == "ok", run.content
    contexts = run.content["contexts"]
    by_id = {context["id"]: context for context in contexts}
    assert len(by_id) == len(contexts), "an id twice"
    return by_id


def refusal(client, msg_type, **content):
    """The text with which a control request is refused."""
    run = client.control(msg_type, **content)
    assert run.status == "error", run.content
    assert run.content["ename"] != "KernelError", "it is the client's mistake"
    return run.content["evalue"]


def arrived(client, idle=None):
    """Waits until all that was sent on shell has been taken in, by asking a context that is idle:
    control and shell are different connections, either may be faster."""
    client.run("", context=idle, silent=True).ok()


def free_states(client):
    """States that belong to no request."""
    return [message.state for message in client.by_parent[None] if message.state]
