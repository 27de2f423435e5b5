# SPDX-License-Identifier: MIT
"""Comms: the channel between widgets and their views. The package `comm`, which ipywidgets and
others build on, is given ends that lead to the client when user code imports it."""

import sys

publish = None  # set by install(): publish(msg_type, content, metadata, buffers)
manager = None
MESSAGES = ("comm_open", "comm_msg", "comm_close")


def install(publish_function):
    global publish
    publish = publish_function


def connect(comm):
    """Makes create_comm() and get_comm_manager() ours."""
    from comm.base_comm import BaseComm, CommManager

    class Comm(BaseComm):
        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
            content = {"data": {} if data is None else data, "comm_id": self.comm_id, **keys}
            publish(msg_type, to_json(content), to_json(metadata or {}),
                    [bytes(b) for b in buffers or ()])

    def create_comm(*args, **kwargs):
        return Comm(*args, **kwargs)

    def get_comm_manager():
        global manager
        if manager is None:
            manager = CommManager()
        return manager

    comm.create_comm = create_comm
    comm.get_comm_manager = get_comm_manager


def to_json(value):
    import json
    return json.dumps(value, allow_nan=False, default=plain)


def plain(value):
    """What widgets put into their state beyond JSON: numpy's numbers and arrays, dates, sets."""
    for convert in ("tolist", "isoformat"):
        method = getattr(value, convert, None)
        if callable(method):
            return method()
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    kind = type(value).__name__
    raise TypeError(f"a comm cannot carry {kind} objects; send plain data or buffers")


def handle(msg_type, content, metadata, buffers):
    """A message of the client. What nobody wants is closed, so that its sender knows."""
    import json
    if msg_type not in MESSAGES:
        return
    content = json.loads(content)
    comm = sys.modules.get("comm")
    if comm is None:
        if msg_type == "comm_open":
            closed = {"comm_id": content.get("comm_id"), "data": {}}
            publish("comm_close", json.dumps(closed), "{}", [])
        return
    message = {"header": {"msg_type": msg_type}, "parent_header": {},
               "metadata": json.loads(metadata), "content": content,
               "buffers": [memoryview(b) for b in buffers]}
    getattr(comm.get_comm_manager(), msg_type)(None, None, message)
