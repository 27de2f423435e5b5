# SPDX-License-Identifier: MIT
"""Completion and inspection on a DataFrame, as a person meets them: the first key press after the
table was made, and the ones after it, beside ipykernel in the same run."""

import sys
import time

from raw_client import Kernel
from report import Row, arguments, show

FIRST_MS = 50  # that a person may wait for the first completion on a table

TABLE = "import pandas as pd; df = pd.DataFrame({'alpha': [1, 2], 'beta': ['x', 'y']})"
QUESTIONS = {
    "complete df.": ("complete_request", "df.", "matches"),
    "complete df['": ("complete_request", "df['", "matches"),
    "complete pd.read_": ("complete_request", "pd.read_", "matches"),
    "complete import j": ("complete_request", "import j", "matches"),
    "inspect df": ("inspect_request", "df", "found"),
    "inspect pd.read_csv": ("inspect_request", "pd.read_csv", "found"),
}


def ask_ms(kernel, msg_type, code, member):
    """From just before the request is sent to its reply."""
    start = time.perf_counter()
    msg_id = kernel.send(kernel.shell, msg_type, {"code": code, "cursor_pos": len(code),
                                                  "detail_level": 0})
    _, content = kernel.wait_reply(kernel.shell, msg_id)
    elapsed = (time.perf_counter() - start) * 1000
    assert content["status"] == "ok" and content[member], (code, content)
    return elapsed


def completion_ms(argv, times=20, env=None):
    """{question: (first, median of the rest)}. The first question of all meets a kernel that has
    never been asked anything."""
    figures = {}
    with Kernel(argv, env=env) as kernel:
        kernel.settle()
        reply = kernel.execute(TABLE)
        assert reply["status"] == "ok", reply
        for what, question in QUESTIONS.items():
            first, *rest = [ask_ms(kernel, *question) for _ in range(times)]
            figures[what] = (first, sorted(rest)[len(rest) // 2])
    return figures


def main():
    args = arguments(__doc__.splitlines()[0])
    times = max(5, round(20 * args.scale))
    ours = completion_ms(
        [args.pandia, "kernel", "--python", sys.executable, "-f", "{connection_file}"], times)
    theirs = completion_ms(
        [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], times)
    rows = [Row(f"{what}, {when}", ours[what][i], theirs[what][i], theirs[what][i] / ours[what][i])
            for what in QUESTIONS for i, when in enumerate(("first", "later"))]
    missed = show("completion (ms)", ("pandia", "ipykernel"), rows, args.json)
    first = max(ours[what][0] for what in QUESTIONS if what.startswith("complete df"))
    if first > FIRST_MS:
        missed = f"the first completion on a DataFrame takes {first:.1f} ms, wanted {FIRST_MS}"
    sys.exit(missed)


if __name__ == "__main__":
    main()
