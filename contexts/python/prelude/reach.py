# SPDX-License-Identifier: MIT
"""Finds the value of an expression without running code of its objects: no properties, no
__getattr__, no calls. Where a value cannot be had so, its class often can: from an annotation,
from the class that is called. Every look goes through the classes' own dictionaries, because
isinstance(), getattr() and even `in` would ask the object."""

import ast
import builtins
import sys
import types
from functools import cached_property, partial

TEXT_MAX = 10_000  # characters of an expression
DEPTH_MAX = 50  # of a chain

MISSING = object()  # nothing there, or nothing that can be known
MRO = type.__dict__["__mro__"]
SPACE = type.__dict__["__dict__"]

BOUND_IN_C = (types.MethodDescriptorType, types.WrapperDescriptorType,
              types.ClassMethodDescriptorType, types.MemberDescriptorType)
# Getters written in C that only read.
PLAIN_GETTERS = {"builtins", "types", "datetime", "_io", "collections", "functools", "decimal",
                 "array", "re", "numpy", "itertools"}
TRUSTED = (("pandas", "DataFrame"), ("pandas", "Series"), ("numpy", "ndarray"))
TEXT_METHODS = {name: str for name in (
    "capitalize casefold center expandtabs format join ljust lower lstrip removeprefix "
    "removesuffix replace rjust rstrip strip swapcase title translate upper zfill").split()}
TEXT_METHODS |= {"split": list, "rsplit": list, "splitlines": list, "encode": bytes,
                 "partition": tuple, "rpartition": tuple, "count": int, "find": int}


class Instance:
    """Some instance of a class: what a call or a property would give."""

    __slots__ = ("kind",)

    def __init__(self, kind):
        self.kind = kind


# Looking into objects.


def mro(kind):
    return MRO.__get__(kind)


def class_space(kind):
    return SPACE.__get__(kind)


def is_a(value, kind):
    """isinstance() that does not ask the value what it would like to be."""
    return kind in mro(type(value))


def in_class(kind, name):
    for base in mro(kind):
        space = class_space(base)
        if name in space:
            return space[name]
    return MISSING


def instance_space(value):
    """The dictionary of an instance; an empty one when there is none, or a class hides it."""
    found = in_class(type(value), "__dict__")
    if type(found) not in (types.GetSetDescriptorType, types.MemberDescriptorType):
        return {}
    space = found.__get__(value)
    if type(space) is dict:
        return space
    return dict(dict.items(space)) if is_a(space, dict) else {}


def has(value, method):
    return in_class(type(value), method) is not MISSING


# Attributes.


def attribute(value, name):
    if type(value) is Instance:
        found = in_class(value.kind, name)
        return MISSING if found is MISSING else bound(found, value, value.kind)
    if is_a(value, type):
        return attribute_of_class(value, name)
    own = dict.get(instance_space(value), name, MISSING)
    if is_a(value, types.ModuleType):
        return sys.modules.get(f"{module_name(value)}.{name}", MISSING) if own is MISSING else own
    found = in_class(type(value), name)
    if own is not MISSING and (found is MISSING or not has(found, "__set__")):
        return own
    return MISSING if found is MISSING else bound(found, value, type(value))


def attribute_or_missing(value, name):
    try:
        return attribute(value, name)
    except Exception:
        return MISSING  # a slot that is empty, a getter in C that refuses


def module_name(module):
    return dict.get(instance_space(module), "__name__", "")


def attribute_of_class(kind, name):
    members = class_space(kind).get("_member_map_")  # of an enumeration
    if type(members) is dict and name in members:
        return members[name]
    found = in_class(kind, name)
    if found is MISSING:
        return bound(in_class(type(kind), name), kind, type(kind))
    if type(found) is classmethod:
        return types.MethodType(found.__func__, kind)
    if type(found) is staticmethod:
        return found.__func__
    plain = (types.FunctionType, property, types.GetSetDescriptorType, *BOUND_IN_C)
    return MISSING if has(found, "__get__") and type(found) not in plain else found


def bound(found, value, kind):
    """What a descriptor gives, when that can be known without asking it."""
    how = type(found)
    known = type(value) is not Instance
    if how is types.FunctionType:
        return types.MethodType(found, value)
    if how is classmethod:
        return types.MethodType(found.__func__, kind)
    if how is staticmethod:
        return found.__func__
    if how is property:
        return promised(found.fget, kind)
    if how is cached_property:
        return promised(found.func, kind)
    if how in BOUND_IN_C:
        return found.__get__(value, kind) if known else found
    if how is types.GetSetDescriptorType:
        module = class_space(found.__objclass__).get("__module__", "builtins")
        return found.__get__(value) if known and module in PLAIN_GETTERS else MISSING
    is_accessor = how.__name__ in ("Accessor", "CachedAccessor")  # of pandas
    if is_accessor and "_accessor" in instance_space(found):
        return Instance(instance_space(found)["_accessor"])
    return MISSING if has(found, "__get__") else found


# What calls and properties promise.


def promised(function, owner):
    """The class that a function says it returns."""
    if type(function) is not types.FunctionType:
        return MISSING
    note = function.__annotations__.get("return", MISSING)
    if type(note) is str:
        note = named(note, function, owner)
    if type(note) is types.GenericAlias:
        note = note.__origin__
    if type(note) is types.UnionType:
        rest = [kind for kind in note.__args__ if kind is not type(None)]
        note = rest[0] if len(rest) == 1 else MISSING
    if note is MISSING or not is_a(note, type) or note is type(None):
        return MISSING
    return Instance(note)


def named(note, function, owner):
    """The class that an annotation names, as it stands in the source."""
    parts = [part.strip().split("[")[0] for part in note.strip("'\"").split("|")]
    parts = [part for part in parts if part != "None"]
    if len(parts) != 1:
        return MISSING
    if parts[0].endswith("Self"):
        return owner
    return walk(parts[0].split("."), [function.__globals__, vars(builtins)])


def walk(names, spaces):
    """A dotted name."""
    value = lookup(names[0], spaces)
    for name in names[1:]:
        value = MISSING if value is MISSING else attribute(value, name)
    return value


def result(callee):
    """What calling it would give."""
    if is_a(callee, type):
        return Instance(callee)
    if type(callee) is types.MethodType:
        owner = callee.__self__
        other = owner if is_a(owner, type) else type(owner)
        kind = owner.kind if type(owner) is Instance else other
        return promised(callee.__func__, kind)
    if type(callee) in (types.BuiltinMethodType, types.MethodDescriptorType):
        return result_in_c(callee)
    if callee is open:
        import io
        return Instance(io.TextIOWrapper)
    return promised(callee, MISSING)


def result_in_c(callee):
    owner = callee.__self__ if type(callee) is types.BuiltinMethodType else MISSING
    of_text = type(owner) is str or getattr(callee, "__objclass__", None) is str
    kind = TEXT_METHODS.get(callee.__name__) if of_text else None
    return MISSING if kind is None else Instance(kind)


# Items.


def item(value, key):
    kind = type(value)
    if is_a(value, dict) and in_class(kind, "__getitem__") is dict.__getitem__:
        return dict.get(value, key, MISSING)
    for sequence in (list, tuple, str, bytes, range):
        if is_a(value, sequence) and in_class(kind, "__getitem__") is sequence.__getitem__:
            return sequence.__getitem__(value, key)
    if is_trusted(value) and type(key) in (str, int):
        return value[key]
    return MISSING


def is_trusted(value):
    """Classes whose subscripts are known to change nothing."""
    for module, name in TRUSTED:
        if module in sys.modules and type(value) is attribute(sys.modules[module], name):
            return True
    return False


# Expressions.


def lookup(name, spaces):
    for space in spaces:
        if name in space:
            return space[name]
    return MISSING


def value_of(text, space):
    """The value of an expression, an Instance, or MISSING."""
    if len(text) > TEXT_MAX:
        return MISSING
    try:
        tree = ast.parse(f"({text}\n)", mode="eval").body
        return evaluate(tree, [space, vars(builtins)], 0)
    except (Exception, RecursionError):
        return MISSING  # whatever it is, it cannot be known


LITERALS = {ast.List: list, ast.ListComp: list, ast.Tuple: tuple, ast.Dict: dict,
            ast.DictComp: dict, ast.Set: set, ast.SetComp: set, ast.JoinedStr: str,
            ast.GeneratorExp: types.GeneratorType, ast.Lambda: types.FunctionType,
            ast.Compare: bool}


def evaluate(node, spaces, depth):
    how = type(node)
    if depth > DEPTH_MAX:
        return MISSING
    if how is ast.Constant:
        return node.value
    if how is ast.Name:
        return lookup(node.id, spaces)
    if how in LITERALS:
        return Instance(LITERALS[how])
    inner = {ast.Attribute: "value", ast.Subscript: "value", ast.Call: "func"}.get(how)
    value = MISSING if inner is None else evaluate(getattr(node, inner), spaces, depth + 1)
    if value is MISSING:
        return MISSING
    if how is ast.Attribute:
        return attribute(value, node.attr)
    if how is ast.Call:
        return result(value)
    return item(value, ast.literal_eval(node.slice))


# Lists of names.


def members(value):
    """Names of attributes, each with what the dictionaries hold under it: no getter has run."""
    kind = value.kind if type(value) is Instance else value if is_a(value, type) else type(value)
    found = {}
    for base in reversed(mro(kind)):
        found.update(class_space(base))
    if type(value) is Instance or is_a(value, type):
        return found
    if is_a(value, types.ModuleType):
        found = {}
    found.update(instance_space(value))
    return found


def own_dir(value):
    """The __dir__ that a class or a module wrote itself, ready to be called; None without one."""
    if type(value) is Instance or is_a(value, type):
        return None
    if is_a(value, types.ModuleType):
        method = dict.get(instance_space(value), "__dir__")
        return method if type(method) is types.FunctionType else None
    method = in_class(type(value), "__dir__")
    return partial(method, value) if type(method) is types.FunctionType else None
