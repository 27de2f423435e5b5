#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""headers.py BUILD [ROOT] - compiles each header on its own, twice in one unit.

The flags are those of a source file nearest to the header, from BUILD/compile_commands.json, so
that this test knows nothing about flags and include paths.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

from layers import sources

# What a command says about its own input and output, with the number of words that follow.
DROPPED = {"-o": 1, "-c": 0, "-MD": 0, "-MMD": 0, "-MT": 1, "-MF": 1}


def flags_of(command):
    """The compiler and its flags, less input and output."""
    words = iter(command[:-1])
    kept = []
    for word in words:
        if word in DROPPED:
            for _ in range(DROPPED[word]):
                next(words)
        else:
            kept.append(word)
    return kept


def load_commands(build, root):
    """{path from root: flags} of every compiled file of ours."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text("utf-8")):
        path = os.path.relpath(entry["file"], root)
        if not path.startswith(("..", "build" + os.sep)):
            command = entry.get("arguments") or shlex.split(entry["command"])
            commands[path] = flags_of(command)
    return commands


def includers(root, commands):
    """{header: the compiled files that include it themselves}."""
    found = {}
    for path in commands:
        for line in (root / path).read_text("utf-8").splitlines():
            if line.startswith('#include "'):
                found.setdefault(line.split('"')[1], set()).add(path)
    return found


def nearest(commands, users, header):
    """The flags of the header's own source; else of one that includes it; else of the one in the
    nearest folder that has most, since a folder may hold targets that need less than its headers
    do."""
    def closeness(path):
        own = path == header.removesuffix(".h") + ".c"
        folder = os.path.commonprefix([os.path.dirname(path) + "/", header])
        return own, path in users.get(header, ()), len(folder), len(commands[path])
    return commands[max(commands, key=closeness)]


def complaint(root, header, flags):
    unit = f'#include "{header}"\n#include "{header}"\ntypedef int self_contained;\n'
    done = subprocess.run([*flags, "-fsyntax-only", "-x", "c", "-"], input=unit, text=True,
                          cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return f"{header} does not compile alone:\n{done.stderr}" if done.returncode else None


def check(build, root):
    """Gives the complaints and the number of headers looked at."""
    commands = load_commands(build, root)
    users = includers(root, commands)
    headers = [path for path in sources(root) if path.endswith(".h")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda header: complaint(
            root, header, nearest(commands, users, header)), headers)
        return [one for one in found if one], len(headers)


def main(argv):
    root = pathlib.Path(argv[2] if len(argv) > 2 else __file__).resolve()
    root = root if len(argv) > 2 else root.parent.parent.parent
    complaints, count = check(pathlib.Path(argv[1]).resolve(), root)
    for one in complaints:
        print(one)
    print(f"headers: {count} compiled alone, {len(complaints)} complaints")
    return 1 if complaints or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
