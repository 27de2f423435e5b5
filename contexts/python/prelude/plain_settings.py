# SPDX-License-Identifier: MIT
"""The settings that IPython's formatter of text/plain has, where IPython is not installed: what
they are, and values as text by them (formatters.py). While all are as they were, the printer of
pretty.py writes by itself."""

import sys
import types

pretty = use("pretty")  # noqa: F821
NUMPY_DIGITS = 8  # what numpy shows of a float unless it is told


def float_format_of(precision):
    """The format of floats for a number of digits, a format or '', and the digits if they are
    told."""
    if "%" in precision:
        try:
            precision % 3.14
        except (TypeError, ValueError) as error:
            raise ValueError(f"{precision!r} is no format of a float") from error
        return precision, None
    if not precision:
        return "%r", NUMPY_DIGITS
    if not precision.isdecimal():
        raise ValueError(f"a precision is a format or a number of digits, not {precision!r}")
    return f"%.{int(precision)}f", int(precision)


class Settings:
    """What can be set."""

    pprint = True
    verbose = False
    max_width = pretty.Layout().max_width
    newline = "\n"
    max_seq_length = pretty.ITEMS
    float_format = "%r"
    precision = ""

    @property
    def float_precision(self):
        return self.precision

    @float_precision.setter
    def float_precision(self, value):
        precision = str(value)
        self.float_format, digits = float_format_of(precision)
        self.precision = precision
        if digits is not None and "numpy" in sys.modules:
            sys.modules["numpy"].set_printoptions(precision=digits)

    def has_settings(self):
        return any(getattr(self, name) != value for name, value in DEFAULTS.items())

    def text_of(self, obj):
        """The text of a value by these settings."""
        if not self.pprint:
            return repr(obj)
        printer = Printer(self)
        try:
            printer.pretty(obj)
            return printer.value()
        except RecursionError:
            return repr(obj)  # C code goes deeper


DEFAULTS = {name: getattr(Settings, name) for name in
            ("pprint", "verbose", "max_width", "newline", "max_seq_length", "float_format")}


class Printer(pretty.Printer):
    """The printer of texts, by settings."""

    def __init__(self, settings):
        printers, singletons, deferred = pretty.registrations()
        if settings.float_format != "%r":
            printers = {float: by_format(settings.float_format), **printers}
        super().__init__(printers, singletons, deferred)
        self.is_default = False
        for name in ("verbose", "max_width", "newline", "max_seq_length"):
            setattr(self, name, getattr(settings, name))

    def printer_of(self, obj):
        printer = super().printer_of(obj)
        return print_verbose if self.verbose and printer is pretty.print_object else printer


def by_format(float_format):
    return lambda obj, p, cycle: p.text(float_format % obj)


def print_verbose(obj, p, cycle):
    """An instance that says nothing about itself, with what it holds."""
    kind = pretty.class_of(obj)
    if cycle or pretty.attribute(kind, "__repr__") is not object.__repr__:
        pretty.print_object(obj, p, cycle)
        return
    p.begin_group(1, "<")
    p.pretty(kind)
    p.text(f" at 0x{id(obj):x}")
    for index, (name, value) in enumerate(members(obj)):
        if index:
            p.text(",")
        p.breakable()
        p.text(f"{name}=")
        with p.indent(len(name) + 1):
            p.pretty(value)
    p.end_group(1, ">")


def members(obj):
    """Names and values of an object but for its methods and what is nobody's business."""
    for name in dir(obj):
        if name.startswith("_"):
            continue
        try:
            value = getattr(obj, name)
        except AttributeError:
            continue
        if not isinstance(value, types.MethodType):
            yield name, value
