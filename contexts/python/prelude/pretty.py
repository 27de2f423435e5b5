# SPDX-License-Identifier: MIT
"""Values as text/plain, the way IPython's users know it: long containers broken at commas, sets
sorted, classes and functions by name, `_repr_pretty_` asked. The printer has the methods that such
methods call. Registrations in IPython.lib.pretty count when the user has loaded it; it is never
imported for that. What differs from IPython on purpose is in docs/PYTHON.md."""

import os
import sys
import types
from collections import Counter, OrderedDict, UserList, defaultdict, deque
from itertools import islice

Layout = use("layout").Layout

ITEMS = 1000  # of one container; the rest is three dots
NO_MODULE = (None, "builtins", "exceptions", "__builtin__")  # names that need no prefix
SCALARS = frozenset((int, float, str, bool, bytes, complex, type(None)))


class Printer(Layout):
    """Knows how values look. This is what `_repr_pretty_(p, cycle)` gets."""

    verbose = False

    def __init__(self, printers, singletons, deferred):
        super().__init__()
        self.max_seq_length = ITEMS
        self.stack = []  # ids of the values we are in
        self.type_pprinters = printers
        self.singleton_pprinters = singletons
        self.deferred_pprinters = deferred
        self.is_default = printers is DEFAULTS

    def pretty(self, obj):
        """Adds a value."""
        if self.is_default and type(obj) in SCALARS:
            text = repr(obj)
            if not self.waiting or self.column + self.ahead + len(text) <= self.max_width:
                self.text(text)  # most values of most containers; groups would change nothing
                return
        cycle = id(obj) in self.stack
        self.stack.append(id(obj))
        self.begin_group()
        try:
            self.printer_of(obj)(obj, self, cycle)
        finally:
            self.end_group()
            self.stack.pop()

    def printer_of(self, obj):
        """The function for a value: of the value itself, or of the first class that has a say."""
        printer = self.singleton_pprinters.get(id(obj))
        if printer is not None:
            return printer
        for kind in classes_of(obj):
            printer = self.type_pprinters.get(kind) or self.deferred_printer(kind)
            printer = printer or own_printer(kind)
            if printer is not None:
                return printer
        return print_object

    def deferred_printer(self, kind):
        """One that was registered by the name of a class before that existed."""
        if not self.deferred_pprinters:
            return None
        key = (attribute(kind, "__module__"), attribute(kind, "__name__"))
        return self.deferred_pprinters.get(key)

    def items(self, values):
        """Goes through a container, with commas between, and stops where it gets too long."""
        for index, value in enumerate(values):
            if index:
                self.text(",")
                self.breakable()
            if self.max_seq_length and index >= self.max_seq_length:
                self.text("...")
                return
            yield value

    def _enumerate(self, seq):
        """Printers that others wrote for IPython call this one: they put the commas themselves."""
        numbered = enumerate(seq)
        yield from islice(numbered, self.max_seq_length or None)
        for _ in numbered:
            self.text(",")
            self.breakable()
            self.text("...")
            return


def attribute(obj, name, default=None):
    """getattr for objects that do not wish to be looked at."""
    try:
        return getattr(obj, name, default)
    except Exception:
        return default


def class_of(obj):
    """What it says it is, as proxies want it."""
    return attribute(obj, "__class__") or type(obj)


def classes_of(obj):
    order = attribute(class_of(obj), "__mro__")
    return order if isinstance(order, tuple) else type(obj).__mro__


def own_printer(kind):
    """The class's own way, when it has one."""
    members = kind.__dict__
    if "_repr_pretty_" in members:
        method = kind._repr_pretty_
        if callable(method):
            return method
    if "__repr__" in members and kind is not object and callable(attribute(kind, "__repr__")):
        return print_repr
    return None


def print_repr(obj, p, cycle):
    """repr(), whose line breaks keep the indentation."""
    p.begin_group()
    for index, line in enumerate(repr(obj).splitlines()):
        if index:
            p.break_()
        p.text(line)
    p.end_group()


def print_object(obj, p, cycle):
    """An instance that says nothing about itself."""
    kind = class_of(obj)
    if attribute(kind, "__repr__") is not object.__repr__:
        print_repr(obj, p, cycle)
        return
    p.begin_group(1, "<")
    p.pretty(kind)
    p.text(f" at 0x{id(obj):x}{' ...' if cycle else ''}")
    p.end_group(1, ">")


def sequence_printer(start, end):
    def print_sequence(obj, p, cycle):
        if cycle:
            p.text(f"{start}...{end}")
            return
        p.begin_group(len(start), start)
        for value in p.items(obj):
            p.pretty(value)
        if isinstance(obj, tuple) and len(obj) == 1:
            p.text(",")
        p.end_group(len(start), end)

    return print_sequence


def set_printer(start, end):
    def print_set(obj, p, cycle):
        if cycle:
            p.text(f"{start}...{end}")
            return
        if not len(obj):
            p.text(f"{type(obj).__name__}()")
            return
        p.begin_group(len(start), start)
        many = p.max_seq_length and len(obj) >= p.max_seq_length
        for value in p.items(obj if many else in_order(obj)):
            p.pretty(value)
        p.end_group(len(start), end)

    return print_set


def in_order(values):
    """Sorted, by their texts if need be, or as they come."""
    values = list(values)
    for key in (None, str):
        try:
            return sorted(values, key=key)
        except Exception:
            continue
    return values


def mapping_printer(start, end):
    def print_mapping(obj, p, cycle):
        if cycle:
            p.text("{...}")
            return
        p.begin_group(len(start), start)
        for key in p.items(obj.keys()):
            p.pretty(key)
            p.text(": ")
            p.pretty(obj[key])
        p.end_group(len(start), end)

    return print_mapping


class Call:
    """Something that looks like a call: a name, values, values by name."""

    def __init__(self, title, values=(), named=()):
        self.title = title
        self.values = values
        self.named = named

    def _repr_pretty_(self, p, cycle):
        start = f"{self.title}("
        members = [("", value) for value in self.values]
        members += [(f"{name}=", value) for name, value in dict(self.named).items()]
        p.begin_group(len(start), start)
        for index, (label, value) in enumerate(members):
            if index:
                p.text(",")
                p.breakable()
            if label:
                p.begin_group(len(label), label)
            p.pretty(value)
            if label:
                p.end_group(len(label))
        p.end_group(len(start), ")")


class Literally:
    """Text in a place where values go."""

    def __init__(self, text):
        self.text = text

    def _repr_pretty_(self, p, cycle):
        p.text(self.text)


def call_printer(arguments):
    """For classes that look like their own call; `arguments` gives values, and those by name."""

    def print_call(obj, p, cycle):
        values, named = ((Literally("..."),), ()) if cycle else arguments(obj)
        p.pretty(Call(obj.__class__.__name__, values, named))

    return print_call


def deque_arguments(obj):
    return (list(obj),), () if obj.maxlen is None else {"maxlen": obj.maxlen}


def counter_arguments(obj):
    return (dict(obj.most_common()),) if len(obj) else (), ()


def ordered_arguments(obj):
    return (list(obj.items()),) if len(obj) else (), ()


def print_namespace(obj, p, cycle):
    p.pretty(Call("namespace", (Literally("..."),)) if cycle
             else Call("namespace", named=obj.__dict__))  # fmt: skip


def print_exception(obj, p, cycle):
    kind = obj.__class__
    name = getattr(kind, "__qualname__", kind.__name__)
    if kind.__module__ not in ("builtins", "exceptions"):
        name = f"{kind.__module__}.{name}"
    p.pretty(Call(name, getattr(obj, "args", ())))


def print_class(obj, p, cycle):
    """A class by its full name, unless its metaclass knows better."""
    speaks = next((kind for kind in type(obj).__mro__ if "__repr__" in vars(kind)), None)
    if speaks is not type:
        print_repr(obj, p, cycle)
        return
    name = attribute(obj, "__qualname__")
    if not isinstance(name, str):
        name = obj.__name__ if isinstance(obj.__name__, str) else "<unknown type>"
    module = attribute(obj, "__module__")
    p.text(name if module in NO_MODULE else f"{module}.{name}")


def print_function(obj, p, cycle):
    """A function by its full name and what it takes."""
    from inspect import signature

    name = attribute(obj, "__qualname__", obj.__name__)
    module = obj.__module__
    if module and module not in NO_MODULE:
        name = f"{module}.{name}"
    try:
        name += str(signature(obj))
    except Exception:
        pass  # many builtins do not tell, and defaults may have a repr that raises
    p.text(f"<function {name}>")


def print_super(obj, p, cycle):
    p.begin_group(8, "<super: ")
    p.pretty(obj.__thisclass__)
    p.text(",")
    p.breakable()
    p.pretty(obj.__self__)
    p.end_group(8, ">")


def print_pattern(obj, p, cycle):
    """A regular expression as the call that makes it, the backslashes as they were typed."""
    import re

    names = ("IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "UNICODE", "VERBOSE", "DEBUG")
    flags = [f"re.{name}" for name in names if obj.flags & getattr(re, name)]
    values = [Literally("r" + repr(obj.pattern).replace("\\\\", "\\"))]
    if obj.flags:
        values.append(Literally("|".join(flags)))
    p.pretty(Call("re.compile", values))


def pattern_type():
    import re

    return re.Pattern


DEFAULTS = {
    tuple: sequence_printer("(", ")"),
    list: sequence_printer("[", "]"),
    dict: mapping_printer("{", "}"),
    set: set_printer("{", "}"),
    frozenset: set_printer("frozenset({", "})"),
    types.MappingProxyType: mapping_printer("mappingproxy({", "})"),
    type(os.environ): mapping_printer("environ{", "}"),
    defaultdict: call_printer(lambda obj: ((obj.default_factory, dict(obj)), ())),
    OrderedDict: call_printer(ordered_arguments),
    deque: call_printer(deque_arguments),
    Counter: call_printer(counter_arguments),
    UserList: call_printer(lambda obj: ((obj.data,), ())),
    types.SimpleNamespace: print_namespace,
    BaseException: print_exception,
    type: print_class,
    types.FunctionType: print_function,
    types.BuiltinFunctionType: print_function,
    super: print_super,
    pattern_type(): print_pattern,
}

IPYTHON = "IPython.lib.pretty"
registered = ({}, {}, {})  # without IPython: by class, by object, by name (formatters.py)


def registrations():
    """Ours, and what users have registered with IPython or us: by class, by object, by name."""
    try:
        module = sys.modules.get(IPYTHON)
    except Exception:
        module = None  # user code broke sys.modules
    names = () if module is None else ("_type_pprinters", "_singleton_pprinters",
                                       "_deferred_type_pprinters")
    theirs = [foreign(attribute(module, name)) for name in names] or ({}, {}, {})
    both = [{**ours, **other} for ours, other in zip(registered, theirs)]
    return ({**DEFAULTS, **both[0]} if both[0] else DEFAULTS), both[1], both[2]


def foreign(table):
    """The functions in a table of IPython's that are not its own, which do as ours do."""
    if not isinstance(table, dict):
        return {}
    return {key: function for key, function in table.items()
            if attribute(function, "__module__") != IPYTHON}


def pretty(value):
    """The text of a value."""
    printer = Printer(*registrations())
    try:
        printer.pretty(value)
        return printer.value()
    except RecursionError:
        return repr(value)  # C code goes deeper
