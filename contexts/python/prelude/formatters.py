# SPDX-License-Identifier: MIT
"""Who has a say in how objects look, beside their own methods: functions registered for a class,
for a class by its name, or for one object, per MIME type. They are kept here; once IPython's shell
is there, in its formatters. The C side (py_forms.c) is told when there is anything to ask, so that
values cost nothing before."""

from weakref import WeakSet

import _pandia

PLAIN = "text/plain"
TYPES = (PLAIN, *(mime for mime, method in _pandia.repr_types()))  # IPython's, in its order
PLAIN_CLASSES = (int, str, float, bool, list, dict, tuple, bytes, set, frozenset, complex, range,
                 bytearray)

extras = {}  # class -> {MIME type: function}, for contexts that are rich
attached = []  # the display formatter of IPython's shell, once there is one


def name_of(cls):
    return (getattr(cls, "__module__", None), getattr(cls, "__name__", None))


class Formatter:
    """The functions of one MIME type, by the names that IPython's formatters have."""

    enabled = True
    format_type = PLAIN

    def __init__(self, format_type=None, **options):
        self.format_type = format_type or self.format_type
        self.singleton_printers = {}
        self.type_printers = {}
        self.deferred_printers = {}

    def for_type(self, typ, func=None):
        """Registers a function for a class, or for one by its name; gives the one before."""
        if isinstance(typ, str):
            module, _, name = typ.rpartition(".")
            return self.for_type_by_name(module, name, func)
        old = self.type_printers.get(typ)
        if func is not None:
            self.type_printers[typ] = func
            announce(typ)
        return old

    def for_type_by_name(self, type_module, type_name, func=None):
        key = (type_module, type_name)
        old = self.deferred_printers.get(key)
        if func is not None:
            self.deferred_printers[key] = func
            announce(None)
        return old

    def pop(self, typ, default=None):
        """Forgets what was registered for a class."""
        nothing_for.clear()
        if isinstance(typ, str):
            module, _, name = typ.rpartition(".")
            return self.deferred_printers.pop((module, name), default)
        return self.type_printers.pop(typ, default)

    def lookup(self, obj):
        """The function for an object; KeyError when there is none."""
        printer = self.find(obj)
        if printer is None:
            raise KeyError(f"no {self.format_type} printer for {type(obj)!r}")
        return printer

    def lookup_by_type(self, typ):
        printer = self.type_printers.get(typ) or self.deferred_printers.get(name_of(typ))
        if printer is None:
            raise KeyError(f"no {self.format_type} printer for {typ!r}")
        return printer

    def find(self, obj):
        if id(obj) in self.singleton_printers:
            return self.singleton_printers[id(obj)]
        for cls in type(obj).__mro__:
            printer = self.type_printers.get(cls) or self.deferred_printers.get(name_of(cls))
            if printer is not None:
                return printer
        return None

    def __call__(self, obj):
        printer = self.find(obj)
        return None if printer is None else attempt(printer, obj)


class PlainFormatter(Formatter):
    """text/plain: its functions get the pretty printer too, which asks for them."""

    def __init__(self, format_type):
        super().__init__(format_type)
        pretty = use("pretty").registered  # noqa: F821
        self.type_printers, self.singleton_printers, self.deferred_printers = pretty

    def __call__(self, obj):
        return use("pretty").pretty(obj)  # noqa: F821


tables = {mime: (PlainFormatter if mime == PLAIN else Formatter)(mime) for mime in TYPES}
nothing_for = WeakSet()  # classes that nobody registered anything for


class DisplayFormatter:
    """What get_ipython().display_formatter is without IPython."""

    formatters = tables

    def __init__(self):
        announce(None)  # a formatter may be put into the dict, or out of it

    format_types = property(lambda self: list(tables))
    active_types = format_types

    def format(self, obj, include=None, exclude=None):
        """(data, metadata) of an object."""
        import json
        text = _pandia.bundle_of(obj, include, exclude)
        bundle = {"data": {}, "metadata": {}} if text is None else json.loads(text)
        return bundle["data"], bundle["metadata"]


def announce(cls):
    """Something new is registered: let the C side ask."""
    nothing_for.clear()
    _pandia.set_forms("printers", printed)
    if cls is None or cls in PLAIN_CLASSES or cls is object:
        _pandia.ask_for_plain()


def attempt(function, *args):
    """Calls what formats an object. A failure is told, and that form left out."""
    try:
        return function(*args)
    except NotImplementedError:
        return None
    except Exception:
        _pandia.show_traceback()
        return None


def add_form(mime, answer, data, metadata):
    if isinstance(answer, tuple) and len(answer) == 2:
        answer, more = answer
        if answer is not None and more is not None:
            metadata[mime] = more
    if answer is not None:
        data[mime] = answer


def printed(obj):
    """(data, metadata) of what is registered for an object; None when nothing is."""
    cls = type(obj)
    if cls in nothing_for:
        return None
    data, metadata, found = {}, {}, False
    for mime, table in tables.items():
        if type(table) is Formatter:
            printer = table.find(obj)
        else:  # somebody's own; that of text, if it is ours, is asked by the printer of texts
            printer = None if type(table) is PlainFormatter else table
        if printer is not None:
            found = True
            add_form(mime, attempt(printer, obj), data, metadata)
    if not found and not any(table.singleton_printers for table in tables.values()):
        nothing_for.add(cls)
    return (data, metadata) if data else None


def register(cls, mime, function):
    """For us: shows objects of a class by a function, giving data, (data, metadata) or None."""
    tables[mime].for_type(cls, function)
    for formatter in attached:
        formatter.formatters[mime].for_type(cls, function)


# Contexts for programs


def enrich():
    """Makes this context rich: programs get data beside what people look at."""
    use("rich_values").install(use("formatters"), use("imports").when_imported)  # noqa: F821


def register_extra(cls, mime, function):
    """For us: what a rich context gives beside the rest."""
    extras.setdefault(cls, {})[mime] = function
    _pandia.set_forms("extras", extra)
    if cls in PLAIN_CLASSES:
        _pandia.ask_for_plain()


def extra(obj):
    """(data, metadata) beyond what Jupyter shows; None when there is nothing."""
    data, metadata = {}, {}
    for cls in type(obj).__mro__:
        for mime, function in extras.get(cls, {}).items():
            if mime not in data:
                add_form(mime, attempt(function, obj), data, metadata)
    told = {mime: more for mime, more in metadata.items() if more}
    return (data, told) if data else None


# IPython's shell


def attach(formatter):
    """From now on the formatters of IPython's shell decide."""
    for mime, table in tables.items():
        if mime != PLAIN:
            for cls, function in table.type_printers.items():
                formatter.formatters[mime].for_type(cls, function)
            for (module, name), function in table.deferred_printers.items():
                formatter.formatters[mime].for_type_by_name(module, name, function)
    plain = formatter.formatters[PLAIN]
    before = {name: dict(getattr(plain, name)) for name in
              ("singleton_printers", "type_printers", "deferred_printers")}
    settings = settings_of(plain)

    def is_default():
        """Whether its text is what we would write."""
        now = formatter.formatters.get(PLAIN)
        return (now is plain and settings_of(now) == settings
                and all(getattr(now, name) == table for name, table in before.items()))

    attached.append(formatter)
    _pandia.set_forms("shell", lambda obj, include, exclude: by_shell(
        formatter, is_default, obj, include, exclude))
    _pandia.ask_for_plain()


def settings_of(plain):
    names = ("pprint", "max_width", "newline", "max_seq_length", "float_format", "verbose")
    return [getattr(plain, name, None) for name in names]


def by_shell(formatter, is_default, obj, include, exclude):
    """(data, metadata) by the shell's formatters, text only where it is not what we would write;
    None when the object has shown itself."""
    if type(obj) in PLAIN_CLASSES and is_default() and not is_registered(formatter, type(obj)):
        return {}, {}
    if formatter.ipython_display_formatter(obj):
        return None
    bundle = formatter.mimebundle_formatter(obj, include=include, exclude=exclude)
    data, metadata = ({}, {}) if bundle is None else (dict(bundle[0]), dict(bundle[1] or {}))
    for mime, each in formatter.formatters.items():
        if (mime == PLAIN and is_default()) or not is_wanted(mime, include, exclude):
            continue
        if mime in data and not has_printer(each, obj):
            continue
        add_form(mime, each(obj), data, metadata)
    return data, metadata


def is_registered(formatter, cls):
    """Whether a shell's formatters know anything of a builtin class, which has no methods of its
    own for them. A formatter of somebody's own may."""
    names = [name_of(each) for each in cls.__mro__]
    every = (formatter.ipython_display_formatter, formatter.mimebundle_formatter,
             *(each for mime, each in formatter.formatters.items() if mime != PLAIN))
    for each in every:
        if type(each).__module__ != "IPython.core.formatters" or each.singleton_printers or \
                not each.type_printers.keys().isdisjoint(cls.__mro__) or \
                not each.deferred_printers.keys().isdisjoint(names):
            return True
    return False


def is_wanted(mime, include, exclude):
    return not (include and mime not in include) and not (exclude and mime in exclude)


def has_printer(formatter, obj):
    try:
        formatter.lookup(obj)
    except KeyError:
        return False
    return True
