#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi.py CC INCLUDE NM FILE... - checks that object files or archives use only the limited API.

What the limited API of Python 3.10 contains is taken from the headers themselves, preprocessed as
an extension would, so there is no list to keep. A name used but not declared there would tie the
engine to one version of Python.
"""
import re
import subprocess
import sys

LIMITED = "0x030a0000"
PYTHON_NAME = re.compile(r"_?Py[A-Za-z0-9_]*$")
# PyAPI_FUNC and PyAPI_DATA end in this attribute; the declared name is the first one that is
# followed by a parameter list, an array bound or the end of the declaration.
DECLARED = re.compile(r'visibility\s*\(\s*"default"\s*\)\s*\)\s*\)[^;{}]*?\b(_?Py\w+)\s*[(;\[]')


def declared_names(preprocessed):
    return set(DECLARED.findall(preprocessed))


def limited_api(compiler, include):
    """PY_SSIZE_T_CLEAN renames a few calls; both spellings belong to the API."""
    names = set()
    for clean in ("", "#define PY_SSIZE_T_CLEAN\n"):
        done = subprocess.run([compiler, "-E", "-P", f"-DPy_LIMITED_API={LIMITED}", f"-I{include}",
                               "-x", "c", "-"], input=clean + "#include <Python.h>\n", text=True,
                              check=True, stdout=subprocess.PIPE)
        names |= declared_names(done.stdout)
    return names


def used_names(listing):
    """Undefined Python names in the output of nm that are not defined beside it."""
    undefined, defined = set(), set()
    for line in listing.splitlines():
        words = line.split()
        if len(words) >= 2 and PYTHON_NAME.match(words[-1]):
            (undefined if words[-2] in "UwW" else defined).add(words[-1])
    return undefined - defined


def main(argv):
    compiler, include, nm, *files = argv[1:]
    allowed = limited_api(compiler, include)
    listing = subprocess.run([nm, *files], text=True, check=True, stdout=subprocess.PIPE).stdout
    used = used_names(listing)
    for name in sorted(used - allowed):
        print(f"{name} is not in the limited API {LIMITED}")
    print(f"abi: {len(used)} names used, {len(allowed)} allowed, {len(used - allowed)} complaints")
    return 1 if used - allowed or not used or not allowed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
