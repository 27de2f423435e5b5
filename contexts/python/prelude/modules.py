# SPDX-License-Identifier: MIT
"""Names of modules and of what is in them, for completion of imports. Nothing is imported: what is
not loaded is looked for in folders and, for plain source, read."""

import ast
import os
import sys
from importlib.machinery import PathFinder
from pkgutil import iter_modules

reach = use("reach")  # noqa: F821

SOURCE_MAX = 256 * 1024  # bytes of a module that is read for its names

folders = {}  # entry of sys.path -> (time of its last change, names)


def in_folder(path):
    """Names of the modules in a folder, remembered until it changes."""
    try:
        changed = os.stat(path or ".").st_mtime_ns
    except OSError:
        return ()
    known = folders.get(path)
    if path == "" or known is None or known[0] != changed:
        known = folders[path] = (changed, tuple(each.name for each in iter_modules([path or "."])))
    return known[1]


def top():
    """Everything that `import` could find."""
    names = set(sys.builtin_module_names) | set(sys.stdlib_module_names)
    names |= {name for name in list(sys.modules) if "." not in name}
    for path in list(sys.path):
        if isinstance(path, str):
            names.update(in_folder(path))
    return names


def children(package):
    """Submodules."""
    prefix = package + "."
    names = {name[len(prefix):].split(".")[0] for name in list(sys.modules)
             if name.startswith(prefix)}
    for path in folders_of(package):
        names.update(in_folder(path))
    return names


def folders_of(package):
    if package in sys.modules:
        path = dict.get(reach.instance_space(sys.modules[package]), "__path__", ())
    else:
        spec = find(package)
        path = () if spec is None else spec.submodule_search_locations or ()
    return [each for each in path if isinstance(each, str)]


def find(name):
    """Where a module is, found part by part, as an import would look but run nothing."""
    path = None
    spec = None
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        try:
            spec = PathFinder.find_spec(".".join(parts[:count]), path)
        except Exception:
            return None
        if spec is None:
            return None
        path = spec.submodule_search_locations
        if path is None and count < len(parts):
            return None
    return spec


def contents(name):
    """What `from name import` could take: names of a loaded module, or those its source binds."""
    if name in sys.modules:
        return set(reach.members(sys.modules[name])) | children(name)
    spec = find(name)
    if spec is None:
        return set()
    return bound_names(spec.origin) | children(name)


def bound_names(file):
    """Names that the top level of a source file binds."""
    if not file or not file.endswith(".py") or os.path.getsize(file) > SOURCE_MAX:
        return set()
    with open(file, "rb") as source:
        tree = ast.parse(source.read())
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((each.asname or each.name).split(".")[0] for each in node.names)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(each.id for each in targets if isinstance(each, ast.Name))
    return names - {"*"}
