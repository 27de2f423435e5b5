# SPDX-License-Identifier: MIT
"""Values and figures in Pandia and in ipykernel, in the same run: the same messages, MIME types,
texts, metadata, and sizes of pictures within a pixel. What differs on purpose has a row here."""
import base64
import io
import os
import re
import struct
import sys

import pytest
from jupyter_client.manager import KernelManager

from conformance.results_figures import FIGURES
from conformance.results_values import VALUES
from support.build import SOON, scaled

TIMEOUT = scaled(3 * SOON)
PICTURES = ("image/png", "image/jpeg", "application/pdf")

# Cell -> why its outputs need not be equal.
TOLD = "a form that fails is told on standard error, not by an error message: the cell has not failed"
DIFFERENCES = {
    "method: raising html": TOLD, "method: raising bundle": TOLD, "method: bundle without wishes": TOLD,
    "method: raising display": TOLD,
    "method: wrong type": "the warning names the method; IPython's names its formatter",
    "figure then error": "the error of a cell is the last thing it shows; ipykernel shows figures after it",
}


class Cells:
    """Runs cells in one kernel and keeps what they show."""

    def __init__(self, name):
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel(env={**os.environ, "VIRTUAL_ENV": sys.prefix})
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=TIMEOUT)

    def run(self, code):
        messages = []
        self.client.execute_interactive(code, timeout=TIMEOUT, allow_stdin=False, stop_on_error=False,
                                        output_hook=messages.append)
        return merged(m for m in messages if m["msg_type"] not in ("status", "execute_input"))

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel()


def merged(messages):
    """Streams as one text each: how they are cut is a matter of time."""
    out = []
    for message in messages:
        last = out[-1] if out else None
        if last and message["msg_type"] == last["msg_type"] == "stream" and \
                last["content"]["name"] == message["content"]["name"]:
            last["content"]["text"] += message["content"]["text"]
        else:
            out.append(message)
    return out


def simplified(message):
    """What of a message must be equal."""
    content, kind = message["content"], message["msg_type"]
    if kind == "error":
        return kind, content["ename"], masked(content["evalue"])
    if kind == "stream":
        # A traceback that is only told: the frames are each kernel's own.
        text = content["text"] if "Traceback (most recent call last)" not in content["text"] \
            else content["text"].strip().splitlines()[-1]
        return kind, content["name"], masked(text)
    if kind == "clear_output":
        return kind, content["wait"]
    data = {mime: looked_at(mime, value) for mime, value in content["data"].items()}
    return kind, data, content["metadata"], bool(content.get("transient", {}).get("display_id"))


def looked_at(mime, value):
    if mime in PICTURES:
        return "picture"
    if mime == "image/svg+xml" and "matplotlib" in value:
        return "picture"
    return masked(value) if isinstance(value, str) else value


def masked(text):
    """Addresses and ids are each kernel's own."""
    text = re.sub(r"\b0x[0-9a-f]+", "0x", text)
    return re.sub(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", text)


def drawn(messages):
    """The PNGs that a cell has shown."""
    pngs = [m["content"].get("data", {}).get("image/png") for m in messages]
    return [base64.b64decode(png) for png in pngs if png]


def sizes(messages):
    return [struct.unpack(">II", png[16:24]) for png in drawn(messages)]


def pixels(png):
    """What a viewer sees, transparency included."""
    from PIL import Image
    return Image.open(io.BytesIO(png)).convert("RGBA").tobytes()


@pytest.fixture(scope="module")
def both(jupyter):
    """name -> (ipykernel's messages, ours), of all cells; each list of cells in kernels of its own."""
    found = {}
    for cells in (VALUES, FIGURES):
        kernels = Cells("python3"), Cells("pandia-python")
        for name, code in cells.items():
            found[name] = [kernel.run(code) for kernel in kernels]
        for kernel in kernels:
            kernel.end()
    return found


@pytest.mark.parametrize("name", [name for name in (*VALUES, *FIGURES) if name not in DIFFERENCES])
def test_cell_shows_what_ipykernel_shows(both, name):
    theirs, ours = both[name]

    assert [simplified(m) for m in ours] == [simplified(m) for m in theirs]
    assert len(sizes(ours)) == len(sizes(theirs))
    for png, their_png in zip(drawn(ours), drawn(theirs)):
        assert not name.startswith("library:") or pixels(png) == pixels(their_png)
    for (width, height), (their_width, their_height) in zip(sizes(ours), sizes(theirs)):
        assert abs(width - their_width) <= 1 and abs(height - their_height) <= 1


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_listed_difference_is_one(both, name):
    """A row that is no longer needed is to go."""
    theirs, ours = both[name]

    assert [simplified(m) for m in ours] != [simplified(m) for m in theirs], DIFFERENCES[name]


def test_there_are_enough_of_them():
    assert len(VALUES) >= 80
    assert len(FIGURES) >= 25
