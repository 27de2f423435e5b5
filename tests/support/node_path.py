# SPDX-License-Identifier: MIT
"""Where Node is, the yardstick of JavaScript: PANDIA_NODE, what script/bootstrap --test fetched, or
the one on PATH."""
import os
import pathlib
import shutil
import subprocess

from support.build import ROOT

FETCHED = ROOT / "build/deps/npm-tests/bin/node"
OLDEST = 20


def node_path():
    """A Node that is not older than 20; None when there is none."""
    for found in (os.environ.get("PANDIA_NODE"), FETCHED, shutil.which("node")):
        if found is not None and pathlib.Path(found).is_file():
            version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
            if int(version.stdout.lstrip("v").split(".")[0]) >= OLDEST:
                return str(found)
    return None
