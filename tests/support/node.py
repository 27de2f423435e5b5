# SPDX-License-Identifier: MIT
"""Node itself, as the yardstick of JavaScript contexts: the same lines run in both, in folders of
the same content, and must print the same."""
import json
import os
import subprocess

import pytest

from support.build import ROOT, scaled
from support.node_path import node_path

NPM = ROOT / "build/deps/npm-tests"
MARK = "\x1e"
ROW = """try {{ {code} }} catch (error) {{
  console.log(error.name, error.code, String(error.message).split(/\\n(?:Looked|Require stack)/)[0]);
}}"""


def node_program():
    """Node 20 or newer; see node_path.py."""
    found = node_path()
    if found is None:
        pytest.skip("no node: run script/get-npm-tests")
    return found


def statement(row):
    """A row is an expression to print, or statements that print by themselves."""
    return row if "console." in row or ";" in row else f"console.log({row});"


def node_prints(rows, folder):
    """What Node prints for each row."""
    parts = [f"console.log({json.dumps(MARK)});\n{ROW.format(code=statement(row))}" for row in rows]
    program = folder / "rows.cjs"
    program.write_text("(async () => {\n" + "\n".join(parts) + "\n})();\n", "utf-8")
    done = subprocess.run([node_program(), program], cwd=folder, capture_output=True,
                          timeout=scaled(60), check=False,
                          env={"PATH": os.environ["PATH"], "HOME": str(folder)})
    program.unlink()
    assert done.returncode == 0, done.stderr
    return [text[1:] for text in done.stdout.decode().split(MARK)[1:]]


def our_prints(client, rows, folder):
    client.run(f"process.chdir({json.dumps(str(folder))})").ok()
    return [client.run(f"await (async () => {{ {ROW.format(code=statement(row))} }})()",
                       seconds=60).ok().stdout for row in rows]


def differences(client, rows, base, prepare=lambda folder: None):
    """Rows whose output differs, with both outputs. `prepare` fills the two folders alike."""
    folders = [base / "node", base / "ours"]
    for folder in folders:
        folder.mkdir(parents=True)
        prepare(folder)
    theirs = [text.replace(str(folders[0]), "DIR") for text in node_prints(rows, folders[0])]
    ours = [text.replace(str(folders[1]), "DIR") for text in our_prints(client, rows, folders[1])]
    assert len(theirs) == len(rows)
    return [{"row": row, "node": node, "ours": our}
            for row, node, our in zip(rows, theirs, ours, strict=True) if node != our]


def link_packages(folder):
    """Gives a folder the packages of script/get-npm-tests."""
    if not (NPM / "node_modules").is_dir():
        pytest.skip("no packages: run script/get-npm-tests")
    (folder / "node_modules").symlink_to(NPM / "node_modules")
