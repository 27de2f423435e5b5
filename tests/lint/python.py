#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""python.py [ROOT] - checks the Python of the prelude.

Names that are imported, assigned or defined and never used, in a function or in the whole prelude
(C names functions of it too); parameters after the last used one; lengths of files, functions and
lines. A name that begins with _ inside a function is meant to be unused.
"""
import ast
import pathlib
import re
import symtable
import sys

PRELUDE = "contexts/python/prelude"
FILE_LINES = 400
FUNCTION_LINES = 60
LINE_LENGTH = 100

# Parameters that the callers of others give: importlib, IPython's display and its shell, signal.
PROTOCOLS = {"path", "target", "spec", "cycle", "signum", "frame", "channel", "detail_level",
             "options", "args", "kwargs"}


def free_names(table):
    """Names that functions inside `table` take from around them."""
    names = set()
    for child in table.get_children():
        names |= {symbol.get_name() for symbol in child.get_symbols()
                  if symbol.is_free() or symbol.is_global()}
        names |= free_names(child)
    return names


def is_made(symbol):
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def unused_in_function(table):
    inner = free_names(table)
    used = {symbol.get_name() for symbol in table.get_symbols()
            if symbol.is_referenced() or symbol.is_declared_global() or symbol.is_nonlocal()} | inner
    params = list(table.get_parameters())
    last = max((i for i, name in enumerate(params) if name in used), default=-1)
    for symbol in table.get_symbols():
        name = symbol.get_name()
        if name in used or name.startswith("_") or name in ("self", "cls"):
            continue
        if symbol.is_parameter() and (params.index(name) < last or name in PROTOCOLS):
            continue
        if symbol.is_parameter() or is_made(symbol):
            yield name


def walk_functions(table):
    for child in table.get_children():
        if child.get_type() == "function":
            yield child
        yield from walk_functions(child)


def module_names(table):
    """Names that a file makes at its top and does not use itself."""
    used = free_names(table) | {symbol.get_name() for symbol in table.get_symbols()
                                if symbol.is_referenced()}
    for symbol in table.get_symbols():
        name = symbol.get_name()
        if is_made(symbol) and name not in used and not name.startswith("__"):
            yield name, symbol.is_imported()


def decorated(tree):
    """Names at the top of a file that a decorator got: what it does with them is its business."""
    return {node.name for node in tree.body if getattr(node, "decorator_list", None)}


def line_of(tree, name):
    for node in ast.walk(tree):
        if getattr(node, "name", None) == name or getattr(node, "id", None) == name or \
                any((alias.asname or alias.name) == name for alias in getattr(node, "names", ())
                    if isinstance(alias, ast.alias)):
            return node.lineno
    return 1


def lengths(path, text, tree):
    lines = text.splitlines()
    if len(lines) > FILE_LINES:
        yield f"{path}: {len(lines)} lines, at most {FILE_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LENGTH:
            yield f"{path}:{number}: a line of {len(line)} characters, at most {LINE_LENGTH}"
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            size = node.end_lineno - node.lineno + 1
            if size > FUNCTION_LINES:
                yield f"{path}:{node.lineno}: a function of {size} lines, at most {FUNCTION_LINES}"


def check_file(path, text, elsewhere):
    """Complaints about one file; `elsewhere` is the text of all that may name what it defines."""
    tree = ast.parse(text, path)
    table = symtable.symtable(text, path, "exec")
    yield from lengths(path, text, tree)
    taken = decorated(tree)
    for name, is_import in module_names(table):
        if name in taken:
            continue
        if is_import or not re.search(rf"\b{re.escape(name)}\b", elsewhere):
            yield f"{path}:{line_of(tree, name)}: {name} is never used"
    for function in walk_functions(table):
        if function.get_name() in ("lambda", "listcomp", "genexpr", "dictcomp", "setcomp"):
            continue
        for name in unused_in_function(function):
            yield f"{path}:{function.get_lineno()}: {name} in {function.get_name()}() is never used"


def check(root):
    """Gives the complaints and the number of files looked at."""
    files = {file: file.read_text("utf-8") for file in sorted((root / PRELUDE).glob("*.py"))}
    host = "".join(file.read_text("utf-8") for file in sorted((root / PRELUDE).parent.glob("*.[ch]")))
    complaints = []
    for file, text in files.items():
        others = host + "".join(other for path, other in files.items() if path != file)
        complaints += check_file(file.relative_to(root).as_posix(), text, others)
    return complaints, len(files)


def main(argv):
    here = pathlib.Path(__file__).resolve().parent
    complaints, files = check(pathlib.Path(argv[1]) if len(argv) > 1 else here.parent.parent)
    for complaint in complaints:
        print(complaint)
    print(f"python: {files} files, {len(complaints)} complaints")
    return 1 if complaints or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
