# SPDX-License-Identifier: MIT
"""Answers inspect_request, and `name?` in a cell: what is known of an object, as text under the
labels that IPython has. Of the object's own code only its repr and its length are run, and they
have to be quick; all else is read from where it lies."""

import ast
import inspect
import linecache
import re
import sys
import types
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice

lexing = use("lexing")  # noqa: F821
reach = use("reach")  # noqa: F821
calls = use("calls")  # noqa: F821
within = use("deadline").within  # noqa: F821

LABEL = "\x1b[31m{}:\x1b[39m"
COLUMN = 13  # where values begin
PATIENCE = 0.5  # seconds for a repr
TEXT_MAX = 200  # characters of a repr
ITEMS_MAX = 100  # members of a container that is shown
DOC_MAX = 200_000
SOURCE_MAX = 500_000
CELLS_MAX = 200  # newest cells that are searched for a class

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType,
             types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType,
             types.ClassMethodDescriptorType)
FLAGS = type.__dict__["__flags__"]
HEAP_TYPE = 1 << 9
THING = r"""[\w.*]+(?:\[(?:-?\d+|'[^']*'|"[^"]*")\][\w.*]*)*"""
HELP = re.compile(rf"^(\s*)(\?{{0,2}})\s*({THING})\s*(\?{{0,2}})\s*;?\s*$")


# What is meant.


def look(code, cursor, detail, space, cells):
    """The text about what stands at the cursor; None when that is nothing we know."""
    for expression in meant(code, cursor):
        text = describe(expression, detail, space, cells)
        if text is not None:
            return text
    return None


def meant(code, cursor):
    """Expressions a question at the cursor may be about, the likeliest first: the name it is on,
    the function whose arguments it is in, the name it is behind."""
    end = cursor
    while end < len(code) and (code[end].isalnum() or code[end] == "_"):
        end += 1
    level = lexing.spot(code[:end]).level
    tokens = level.tokens
    last = len(tokens) - 1
    on_name = last >= 0 and tokens[last].kind == "name" and tokens[last].end == end > cursor
    keyword_name = on_name and level.brackets and code[end:].lstrip().startswith("=")
    found = []
    if on_name and not keyword_name:
        found.append(text_before(code, level, last))
    for opener in reversed(level.brackets[-1:]):
        if tokens[opener].text == "(":
            found.append(text_before(code, level, opener - 1))
    while last >= 0 and tokens[last].kind != "name":
        last = level.pairs.get(last, last) - 1  # past the arguments, to what they are given
    found.append(text_before(code, level, last))
    return [text for text in found if text]


def text_before(code, level, last):
    first = level.start_of(last) if last >= 0 else None
    return None if first is None else code[level.tokens[first].start:level.tokens[last].end]


def describe(expression, detail, space, cells):
    value = reach.value_of(expression, space)
    if value is reach.MISSING:
        return None
    return "\n".join(lines_of(fields(value, detail, cells)))


# What is known.


def fields(value, detail, cells):
    """Pairs of a label and a text, in the order in which they are shown."""
    if type(value) is reach.Instance:  # not the object, but what kind it is
        yield "Type", name_of(value.kind)
        yield "Docstring", documentation(value.kind)
        return
    is_class = reach.is_a(value, type)
    source = source_of(value, cells) if detail else None
    if is_class or type(value) in FUNCTIONS:
        yield "Init signature" if is_class else "Signature", signature(value)
        yield "Docstring", documentation(value)
        yield "Source", source
        if is_class:
            yield "Init docstring", init_documentation(value)
        yield "File", file_of(value, cells)
        yield "Type", name_of(type(value))
        if is_class:
            yield "Subclasses", subclasses(value)
        return
    yield "Call signature", signature(value)
    yield "Type", name_of(type(value))
    yield "String form", within(PATIENCE, string_form, value)[1]
    yield "Length", length(value)
    yield "File", file_of(value, cells)
    yield "Docstring", documentation(value)
    yield "Source", source


def lines_of(pairs):
    for label, text in pairs:
        if text is None:
            continue
        head = LABEL.format(label)
        if "\n" in text or label == "Source":
            yield f"{head}\n{text}"
        else:
            yield head + " " * max(1, COLUMN - len(label)) + text


def name_of(kind):
    return calls.QUALNAME.__get__(kind)


def string_form(value):
    """Its repr, of containers only the beginning."""
    kind = type(value)
    more = ""
    if kind in (list, tuple, set, frozenset, dict) and len(value) > ITEMS_MAX:
        more = f", ... {len(value)} in all"
        value = kind(islice(value.items() if kind is dict else value, ITEMS_MAX))
    elif kind in (str, bytes) and len(value) > TEXT_MAX:
        value = value[:TEXT_MAX + 1]
    text = str(value) if kind is not str else value
    text = text if len(text) <= TEXT_MAX else text[:TEXT_MAX] + "..."
    return text + more


def length(value):
    if not reach.has(value, "__len__"):
        return None
    good, count = within(PATIENCE, len, value)
    return str(count) if good else None


def documentation(value):
    """A docstring, from where the compiler put it."""
    text = reach.MISSING
    if type(value) in (types.MethodType, types.FunctionType, types.BuiltinFunctionType,
                       types.MethodDescriptorType, types.WrapperDescriptorType,
                       types.MethodWrapperType, types.ClassMethodDescriptorType, property):
        text = value.__doc__
    elif reach.is_a(value, type):
        text = class_documentation(value)
    else:
        text = dict.get(reach.instance_space(value), "__doc__")
        text = text if type(text) is str else class_documentation(type(value))
    if type(text) is not str:
        return "<no docstring>"
    return inspect.cleandoc(text[:DOC_MAX]) or "<no docstring>"


def class_documentation(kind):
    text = reach.class_space(kind).get("__doc__")
    if type(text) is types.GetSetDescriptorType or kind in (type, object):
        text = None
    if text is None and FLAGS.__get__(kind) & HEAP_TYPE == 0:  # made in C, its text is elsewhere
        text = type.__dict__["__doc__"].__get__(kind)
    return text


def init_documentation(kind):
    for base in reach.mro(kind):
        function = reach.class_space(base).get("__init__")
        if type(function) is types.FunctionType:
            text = function.__doc__
            return inspect.cleandoc(text) if type(text) is str else None
    return None


def signature(value):
    text = calls.text_signature(value, show)
    if text is None:
        return None
    name = getattr(value, "__name__", "") if type(value) in FUNCTIONS else ""
    return (name_of(value) if reach.is_a(value, type) else name) + text


def show(value):
    """The default of a parameter."""
    good, text = within(PATIENCE, repr, value)
    return text[:TEXT_MAX] if good and type(text) is str else "..."


def subclasses(kind):
    found = type.__subclasses__(kind)
    names = ", ".join(name_of(each) for each in found[:10])
    return names + (", ..." if len(found) > 10 else "") or None


# Where it comes from.


def code_behind(value):
    function, _ = (None, 0) if reach.is_a(value, type) else calls.function_behind(value)
    return function.__code__ if type(function) is types.FunctionType else None


def code_file(value):
    """The file of its code; that of its module when it was frozen into the interpreter."""
    code = code_behind(value)
    if code is None or not code.co_filename.startswith("<frozen "):
        return None if code is None else code.co_filename
    return calls.function_behind(value)[0].__globals__.get("__file__")


def file_of(value, cells):
    """The file or cell that defines a module, a class, or a function."""
    name = None
    if type(value) in FUNCTIONS or type(value) is partial:
        name = code_file(value)
    elif reach.is_a(value, types.ModuleType):
        name = dict.get(reach.instance_space(value), "__file__")
    elif reach.is_a(value, type):
        name = file_of_class(value, cells)
    if type(name) is not str:
        return None
    return f"Cell In[{cells[name]}]" if name in cells else name


def file_of_class(kind, cells):
    module = sys.modules.get(reach.class_space(kind).get("__module__"))
    name = None if module is None else dict.get(reach.instance_space(module), "__file__")
    if name is None:
        return next((cell for cell, _ in class_sources(kind, cells)), None)
    return name


def source_of(value, cells):
    try:
        if reach.is_a(value, type):
            text = class_source(value, cells)
        elif reach.is_a(value, types.ModuleType):
            text = "".join(linecache.getlines(file_of(value, {}) or ""))
        else:
            lines = linecache.getlines(code_file(value))
            text = "".join(inspect.getblock(lines[code_behind(value).co_firstlineno - 1:]))
    except Exception:
        return None  # no source, or not what it was
    return text[:SOURCE_MAX].rstrip("\n") or None


def class_source(kind, cells):
    for _, text in class_sources(kind, cells):
        return text
    return inspect.getsource(kind) if type(kind) is type else None


def class_sources(kind, cells):
    """The newest cell that defines the class, with its lines there."""
    path = name_of(kind).replace("<locals>.", "").split(".")
    for cell in islice(reversed(list(cells)), CELLS_MAX):
        lines = linecache.cache[cell][2] if cell in linecache.cache else ()
        if not any("class " in line and path[-1] in line for line in lines):
            continue
        try:
            node = definition(ast.parse("".join(lines)), path)
        except SyntaxError:
            continue
        if node is not None:
            first = min([node.lineno] + [each.lineno for each in node.decorator_list])
            yield cell, "".join(lines[first - 1:node.end_lineno])


def definition(tree, path):
    """The definition of a dotted name inside a tree."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name == path[0]:
                found = node if len(path) == 1 else definition_in(node, path[1:])
                if found is not None:
                    return found
    return None


def definition_in(node, path):
    return definition(ast.Module(body=node.body, type_ignores=[]), path)


# Help in cells.


def rewrite(code):
    """The source with its lines of help (`name?`, `?name`, `name??`) made calls; None when it has
    none. Lines keep their numbers."""
    lines = code.split("\n")
    if sum(1 for line in lines if line.strip()) == 1:
        lines = [line.lstrip() for line in lines]  # as it was copied out of something
    changed = False
    for number, line in enumerate(lines):
        match = HELP.match(line.rstrip("\r"))
        if match is None or not (match[2] or match[4]):
            continue
        detail = int(len(match[2] or match[4]) == 2)
        lines[number] = f"{match[1]}__import__('_pandia').page({match[3]!r}, {detail})"
        changed = True
    return "\n".join(lines) if changed else None


def page(expression, detail, space, cells):
    """The text of a page of help; None when there is no such thing."""
    if "*" in expression:
        return search(expression, space)
    return describe(expression, detail, space, cells)


def search(pattern, space):
    """Names that fit a pattern with `*`."""
    owner, _, last = pattern.rpartition(".")
    value = reach.value_of(owner, space) if owner else reach.MISSING
    if owner and value is reach.MISSING or "*" in owner:
        return None
    names = reach.members(value) if owner else {**vars(__import__("builtins")), **space}
    hidden = not last.startswith("_")
    found = sorted(name for name in names if type(name) is str and fnmatchcase(name, last)
                   and not (hidden and name.startswith("_")))
    return "\n".join(f"{owner}.{name}" if owner else name for name in found)
