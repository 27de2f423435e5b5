#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tidy.py BUILD - clang-tidy over every file in BUILD/compile_commands.json, in parallel.

A file that was clean is not looked at again until it, a header, its flags or .clang-tidy change;
all headers count for all files, which is coarse but never wrong. With PANDIA_SCALE below 1 only the
product is looked at, not the tests.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

from layers import sources


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


def common_key(root):
    """What every verdict depends on: the configuration, the tool and all headers."""
    files = [".clang-tidy", "tests/.clang-tidy"]
    files += [path for path in sources(root) if path.endswith(".h")]
    version = subprocess.run(["clang-tidy", "--version"], check=True, stdout=subprocess.PIPE).stdout
    return digest(version, *((root / path).read_bytes() for path in files)).encode()


def units(build, root):
    """{file: command} of everything of ours that is compiled as C."""
    entries = json.loads((build / "compile_commands.json").read_text("utf-8"))
    whole = float(os.environ.get("PANDIA_SCALE", "1")) >= 1
    others = ("..", "build" + os.sep) if whole else ("..", "build" + os.sep, "tests" + os.sep)
    return {entry["file"]: entry["command"] for entry in entries
            if entry["file"].endswith(".c")
            and not os.path.relpath(entry["file"], root).startswith(others)}


def verdict(build, stamp, file, key):
    """The complaints about one file, or None when it is clean."""
    if stamp.exists() and stamp.read_text("utf-8") == key:
        return None
    done = subprocess.run(["clang-tidy", "--quiet", "-p", str(build), file], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode or done.stdout.strip():
        return done.stdout or done.stderr
    stamp.write_text(key, "utf-8")
    return None


def unique(outputs):
    """Single diagnostics with their notes; one in a header is said once, not for every file."""
    seen = {}
    for output in outputs:
        for part in re.split(r"^(?=\S+:\d+:\d+: (?:error|warning):)", output, flags=re.MULTILINE):
            seen.setdefault(part.rstrip())
    return [part for part in seen if part]


def main(argv):
    build = pathlib.Path(argv[1]).resolve()
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)
    common = common_key(root)

    def look(unit):
        file, command = unit
        stamp = stamps / os.path.relpath(file, root).replace(os.sep, ".")
        return verdict(build, stamp, file, digest(pathlib.Path(file).read_bytes(),
                                                  command.encode(), common))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(look, units(build, root).items()))
    complaints = [one for one in found if one]
    for one in unique(complaints):
        print(one)
    print(f"tidy: {len(found)} files, {len(complaints)} with complaints")
    return 1 if complaints or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
