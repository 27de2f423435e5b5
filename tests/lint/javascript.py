#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""javascript.py [ROOT] - checks the JavaScript of the prelude.

Names that are declared and never used, or used and declared nowhere; forms that user code can
change where that must not be (javascript.txt); lengths of files, functions and lines. Syntax trees
are acorn's, which the build embeds anyway, read by Node, the yardstick of the tests
(javascript.cjs). Without Node it says so and passes, but not under PANDIA_MUST_WORK.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support.node_path import node_path  # noqa: E402

PRELUDE = "contexts/javascript/prelude"
GUARDED = "user/"
FILE_LINES = 400
LINE_LENGTH = 100


class Rules:
    """javascript.txt: who may use what user code can replace."""

    def __init__(self, text):
        self.open = set()
        self.allowed = {}
        self.used = set()
        for line in text.splitlines():
            line = line.split("#", 1)[0].strip()
            if line:
                self._add(line)

    def _add(self, line):
        words, dash, reason = line.partition(" - ")
        kind, *names = words.split()
        if not (dash and reason and names) or kind not in ("open:", "allowed:"):
            raise ValueError(f"javascript.txt: {line}")
        if kind == "open:":
            self.open.add(names[0])
        else:
            self.allowed[names[0]] = set(names[1:])

    def is_guarded(self, path):
        for name in self.open:
            if path == name or (name.endswith("/") and path.startswith(name)):
                self.used.add(name)
                return False
        return path.startswith(GUARDED)

    def is_allowed(self, path, text):
        for form in self.allowed.get(path, ()):
            if text.startswith(form):
                self.used.add((path, form))
                return True
        return False

    def stale(self):
        """Lines that fit nothing any more."""
        forms = {(path, form) for path, every in self.allowed.items() for form in every}
        return [f"javascript.txt: {name} fits nothing" for name in sorted(self.open - self.used)] + \
               [f"javascript.txt: {path} {form} fits nothing" for path, form in sorted(forms - self.used)]


def lengths(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES:
        yield f"{path}: {len(lines)} lines, at most {FILE_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LENGTH:
            yield f"{path}:{number}: a line of {len(line)} characters, at most {LINE_LENGTH}"


def read_trees(files, node, acorn):
    """What javascript.cjs finds."""
    done = subprocess.run([node, HERE / "javascript.cjs", acorn], input=json.dumps(files), text=True,
                          check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def check(root, rules, node, acorn):
    """Gives the complaints and the number of files looked at."""
    base = root / PRELUDE
    complaints = []
    files = []
    for file in sorted(base.rglob("*.js")):
        path = file.relative_to(base).as_posix()
        text = file.read_text("utf-8")
        complaints += lengths(path, text)
        files.append({"path": path, "text": text, "guarded": rules.is_guarded(path)})
    for one in read_trees(files, node, acorn):
        if one["rule"] != "primordials" or not rules.is_allowed(one["path"], one["text"]):
            complaints.append(f"{one['path']}:{one['line']}: {one['text']}")
    return complaints + rules.stale(), len(files)


def main(argv):
    root = pathlib.Path(argv[1]) if len(argv) > 1 else HERE.parent.parent
    acorn = root / "build/deps/npm/acorn.js"
    node = node_path()
    if node is None or not acorn.exists():
        print("javascript: no node or no acorn; run script/bootstrap --test")
        return 1 if os.environ.get("PANDIA_MUST_WORK") else 0
    complaints, files = check(root, Rules((HERE / "javascript.txt").read_text("utf-8")), node, acorn)
    for complaint in complaints:
        print(complaint)
    print(f"javascript: {files} files, {len(complaints)} complaints")
    return 1 if complaints or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
