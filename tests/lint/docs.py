#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs.py [ROOT] - every path of this tree that the documentation names must exist.

A path is what stands in backticks, or where a link leads, and begins with a folder of the tree or
ends like one of its files. It may be written from any folder above it; `*`, `<part>`, `{a,b}` and
NAME stand for anything, and a module may be named without .c or .h.
"""
import fnmatch
import pathlib
import re
import subprocess
import sys

CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^)#\s]+)")
WORD = re.compile(r"[\w.*<>{},/@+-]+\Z")
OURS = (".c", ".h", ".py", ".js", ".cjs", ".cmake", ".S", ".txt", ".md", ".dict")

# Names in examples: files of users, not of the tree.
EXAMPLES = {"program.ts", "lib.ts", "lib.js", "index.ts", "cell.js"}


def tracked(root):
    """Every file that git has or would take."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "--cached", "--others",
                           "--exclude-standard"], check=True, text=True, stdout=subprocess.PIPE)
    return {name for name in done.stdout.split("\n") if name and (root / name).exists()}


class Tree:
    """Files and folders, to be found by the end of their path."""

    def __init__(self, files):
        self.paths = {"/" + "/".join(name.split("/")[:depth])
                      for name in files for depth in range(1, name.count("/") + 2)}
        self.tops = {path.split("/")[1] for path in self.paths if path.count("/") > 1}

    def has(self, path):
        pattern = re.sub(r"<[^>]*>|\{[^}]*\}|NAME", "*", path).rstrip("/")
        return any(fnmatch.filter(self.paths, "*/" + pattern + end) for end in ("", ".[ch]"))


def looks_ours(path, tops):
    if not WORD.match(path) or path.startswith(("/", "-", ".", "@", "<", "{", "*")) or "://" in path:
        return False
    first, slash, _ = path.partition("/")
    return path.endswith(OURS) if not slash else first in tops


def candidates(line, tops):
    for path in CODE.findall(line):
        path = path.split(" ")[0]
        if looks_ours(path, tops) and path not in EXAMPLES:
            yield path
    for path in LINK.findall(line):
        if "://" not in path and not path.startswith("mailto:"):
            yield path


def check_page(name, text, tree):
    """Complaints about one page."""
    for number, line in enumerate(text.split("\n"), 1):
        for path in candidates(line, tree.tops):
            if not tree.has(path.removeprefix("../")):
                yield f"{name}:{number}: `{path}` does not exist"


def check(root, files=None):
    """Gives the complaints and the number of pages looked at."""
    files = tracked(root) if files is None else files
    tree = Tree(files)
    pages = sorted(path for path in files if path.endswith(".md"))
    complaints = []
    for page in pages:
        complaints += check_page(page, (root / page).read_text("utf-8"), tree)
    return complaints, len(pages)


def main(argv):
    here = pathlib.Path(__file__).resolve().parent
    complaints, pages = check(pathlib.Path(argv[1]) if len(argv) > 1 else here.parent.parent)
    for complaint in complaints:
        print(complaint)
    print(f"docs: {pages} pages, {len(complaints)} complaints")
    return 1 if complaints or not pages else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
