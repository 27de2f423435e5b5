# SPDX-License-Identifier: MIT
"""Another opinion on what could stand at the cursor: jedi's, where PANDIA_JEDI asks for it."""

import os
import re
from _thread import allocate_lock

within = use("deadline").within  # noqa: F821

PATIENCE = 300  # milliseconds, when nobody says how many
PATIENCE_MAX = 10_000

at_work = allocate_lock()  # held while jedi thinks: one question at a time


def find(before, space):
    """Pairs of name and kind. A late answer is dropped, but jedi may finish: what it has learnt
    makes the next one quicker."""
    wanted = os.environ.get("PANDIA_JEDI", "0")
    patience = int(wanted) if wanted.isdecimal() else 0
    if patience == 0:
        return []
    patience = PATIENCE if patience == 1 else min(patience, PATIENCE_MAX)
    _, found = within(patience / 1000, ask, before, space, stop=False)
    return found or []


def ask(before, space):
    if not at_work.acquire(blocking=False):
        return []
    try:
        import jedi
        lines = re.split(r"\r\n?|\n", before)
        script = jedi.Interpreter(before, [space])
        return [(each.name_with_symbols, each.type)
                for each in script.complete(len(lines), len(lines[-1]))]
    finally:
        at_work.release()
