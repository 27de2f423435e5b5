# SPDX-License-Identifier: MIT
"""Reading what people read."""
import re


def stable(value):
    """repr() of a parameter of a test, the same in every process: the order of a set is not."""
    return repr(sorted(value) if isinstance(value, set) else value)


def plain(traceback):
    """A traceback as one text without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(traceback))


def failure(client, code):
    """Runs code that must fail; returns its kind and its traceback."""
    run = client.run(code)
    assert run.status == "error", run.types
    return run.content["ename"], plain(run.content["traceback"])
