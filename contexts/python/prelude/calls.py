# SPDX-License-Identifier: MIT
"""Signatures of callables, without asking objects of unknown classes for anything."""

import inspect
import types
from functools import partial

reach = use("reach")  # noqa: F821, given to every file of ours

QUALNAME = type.__dict__["__qualname__"]


def text_signature(function, show=None):
    """(a, b=1) of a callable; None when it has none that can be known."""
    try:
        target, skip = function_behind(function)
        if target is None:
            return None
        sign = inspect.signature(target, follow_wrapped=False)
        left = [shown(each, show or brief) for each in list(sign.parameters.values())[skip:]]
        return str(sign.replace(parameters=left, return_annotation=noted(sign.return_annotation)))
    except Exception:
        return None  # made in C without one, or made to deceive


class Words:
    """Shows itself as given words."""

    def __init__(self, words):
        self.words = words

    def __repr__(self):
        return self.words


def brief(value):
    """A default as text, without asking objects of unknown classes."""
    if type(value) in (int, float, str, bytes, bool, type(None), complex):
        text = repr(value)
        return text if len(text) < 60 else "..."
    return "..."


def shown(parameter, show):
    if parameter.default is not parameter.empty:
        parameter = parameter.replace(default=Words(show(parameter.default)))
    return parameter.replace(annotation=noted(parameter.annotation))


def noted(annotation):
    """An annotation: the name of a class, what the builtin generics say, a text; else dots."""
    if annotation is inspect.Signature.empty:
        return annotation
    if type(annotation) is str:
        return Words(annotation[:200])
    if reach.is_a(annotation, type):
        return Words(QUALNAME.__get__(annotation))
    plain = (types.GenericAlias, types.UnionType)
    return annotation if type(annotation) in plain else Words("...")


def parameters(function):
    """Names that can be passed by keyword."""
    try:
        target, skip = function_behind(function)
        if target is None:
            return []
        found = list(inspect.signature(target, follow_wrapped=False).parameters.values())[skip:]
    except Exception:
        return []
    by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [each.name for each in found if each.kind in by_keyword]


def function_behind(callee):
    """The function that runs when it is called, and how many parameters are bound already."""
    how = type(callee)
    if how is types.FunctionType:
        return unwrapped(callee), 0
    if how is types.MethodType:
        function, skip = function_behind(callee.__func__)
        return function, skip + 1
    if how in (types.BuiltinFunctionType, types.MethodDescriptorType, types.MethodWrapperType):
        return callee, 0
    if how is partial:
        return callee, 0
    if type(callee) is reach.Instance:
        call = reach.in_class(callee.kind, "__call__")
    elif reach.is_a(callee, type):
        return constructor(callee)
    else:
        call = reach.in_class(how, "__call__")
    return (unwrapped(call), 1) if type(call) is types.FunctionType else (None, 0)


def constructor(kind):
    for base in reach.mro(kind):
        for name in ("__init__", "__new__"):
            function = reach.class_space(base).get(name)
            function = function.__func__ if type(function) is staticmethod else function
            if type(function) is types.FunctionType:
                return unwrapped(function), 1
    has_text = type(reach.class_space(kind).get("__text_signature__")) is str
    return (kind, 0) if has_text else (None, 0)


def unwrapped(function):
    for _ in range(20):
        inner = function.__dict__.get("__wrapped__")
        if type(inner) is not types.FunctionType:
            break
        function = inner
    return function
