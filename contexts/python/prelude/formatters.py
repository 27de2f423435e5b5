# SPDX-License-Identifier: MIT
"""Who has a say in how objects look, beside their own methods: functions registered for a class,
for a class by its name, or for one object, per MIME type. They are kept here; once IPython's shell
is there, in its formatters. The C side (py_forms.c) is told when there is anything to ask, so that
values cost nothing before."""

from weakref import WeakSet

import _pandia

forms = use("shell_forms")  # noqa: F821
PLAIN, PLAIN_CLASSES, MODULE = forms.PLAIN, forms.PLAIN_CLASSES, forms.MODULE
add_form, name_of, settings_of = forms.add_form, forms.name_of, forms.settings_of
TYPES = (PLAIN, *(mime for mime, method in _pandia.repr_types()))  # IPython's, in its order
PRINTERS = ("singleton_printers", "type_printers", "deferred_printers")
extras = {}  # class -> {MIME type: function}, for contexts that are rich
attached = []  # the display formatter of IPython's shell, once there is one
MISSING = object()
NOWHERE = 1 << 20  # so many frames up there is no line to be blamed
CANARY = "_ipython_canary_method_should_not_exist_"  # who has it answers to any name


class Formatter:
    """The functions of one MIME type, by the names that IPython's formatters have."""

    enabled = True  # else it gives nothing, whoever asks
    format_type = PLAIN
    print_method = None  # by which objects give this type themselves
    _return_type = str  # by this name in classes that people derive

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
        old = self.before(typ)
        if func is not None:
            self.type_printers[typ] = func
            announce(typ)
        return old

    def for_type_by_name(self, type_module, type_name, func=None):
        old = self.before(f"{type_module}.{type_name}")
        if func is not None:
            self.deferred_printers[type_module, type_name] = func
            announce(None)
        return old

    def before(self, typ):
        """What is registered for a class or a name, or None."""
        try:
            return self.lookup_by_type(typ)
        except KeyError:
            return None

    def pop(self, typ, default=MISSING):
        """Forgets what was registered for a class."""
        nothing_for.clear()
        key = key_of(typ) if isinstance(typ, str) else name_of(typ)
        found = typ
        if isinstance(typ, str):
            found = next((cls for cls in self.type_printers if name_of(cls) == key), None)
        for table, entry in ((self.type_printers, found), (self.deferred_printers, key)):
            if entry in table:
                return table.pop(entry)
        if default is MISSING:
            raise KeyError(f"no {self.format_type} printer for {typ!r}")
        return default

    def lookup(self, obj):
        """The function for an object; KeyError when there is none."""
        printer = self.find(obj)
        if printer is None:
            raise KeyError(f"no {self.format_type} printer for {type(obj)!r}")
        return printer

    def lookup_by_type(self, typ):
        """The function for a class, or for one by its name; KeyError when there is none."""
        printer = self.find_by_name(key_of(typ)) if isinstance(typ, str) else self.find_by_type(typ)
        if printer is None:
            raise KeyError(f"no {self.format_type} printer for {typ!r}")
        return printer

    def __contains__(self, typ):
        return self.before(typ) is not None

    def find(self, obj):
        if id(obj) in self.singleton_printers:
            return self.singleton_printers[id(obj)]
        return self.find_by_type(type(obj))

    def find_by_type(self, typ):
        for cls in typ.__mro__:
            printer = self.type_printers.get(cls) or self.deferred_printers.get(name_of(cls))
            if printer is not None:
                return printer
        return None

    def find_by_name(self, key):
        of_classes = (function for cls, function in self.type_printers.items()
                      if name_of(cls) == key)
        return self.deferred_printers.get(key) or next(of_classes, None)

    def __call__(self, obj):
        if not self.enabled:
            return None
        printer = self.find(obj)
        if printer is not None:
            return self.checked(attempt(printer, obj), "a printer")
        method = method_of(obj, self.print_method)
        return None if method is None else self.checked(attempt(method), f"{self.print_method}()")

    def checked(self, answer, who):
        """An answer, if it is what this type consists of."""
        data = answer[0] if isinstance(answer, tuple) and answer else answer
        if data is None or isinstance(data, self._return_type):
            return answer
        import warnings
        warnings.warn(f"{self.format_type} is left out: {who} returned an object of type "
                      f"{type(data).__name__}", FormatterWarning, stacklevel=NOWHERE)
        return None


class FormatterWarning(UserWarning):
    """Something that was to be shown is not what its type consists of."""


def key_of(text):
    module, _, name = text.rpartition(".")
    return module, name


def method_of(obj, name):
    """A method by which an object shows itself; None for what only seems to have it."""
    try:
        method = None if name is None else getattr(obj, name, None)
        if not callable(method) or getattr(obj, CANARY, None) is not None:
            return None
    except Exception:
        return None  # it does not wish to be looked at
    if isinstance(obj, type) and getattr(method, "__self__", None) is not obj:
        return None  # its instances have it
    return method


class PlainFormatter(use("plain_settings").Settings, Formatter):  # noqa: F821
    """text/plain: its functions get the pretty printer too, which asks for them."""

    print_method = "_repr_pretty_"

    def __init__(self, format_type=None, **options):
        super().__init__(format_type, **options)
        pretty = use("pretty").registered  # noqa: F821
        self.type_printers, self.singleton_printers, self.deferred_printers = pretty

    def find_by_type(self, typ):
        """A class of the printer's own counts as registered: so it can be put back."""
        printer = super().find_by_type(typ)
        if printer is None:
            pretty = use("pretty")  # noqa: F821
            known = (pretty.DEFAULTS.get(cls) for cls in typ.__mro__)
            printer = next(filter(None, known), pretty.print_repr if typ in PLAIN_CLASSES else None)
        return printer

    def is_default(self):
        """Whether the printer of texts writes the same without being asked from here."""
        return not self.singleton_printers and not self.has_settings()

    def __call__(self, obj):
        try:
            return self.text_of(obj)
        except Exception:
            return None  # the C side tries by itself, and tells what is wrong


class BundleFormatter(Formatter):
    """What gives several types at once."""

    format_type = "a bundle"
    print_method = "_repr_mimebundle_"
    _return_type = dict

    def __call__(self, obj, include=None, exclude=None):
        """(data, metadata)."""
        printer, method = self.find(obj), method_of(obj, self.print_method)
        if printer is not None:
            answer = attempt(printer, obj)
        else:
            wishes = {"include": include, "exclude": exclude}
            answer = None if method is None else attempt(lambda: method(**wishes))
        answer = self.checked(answer, "what is asked for it")
        if answer is None:
            return {}, {}
        return answer if isinstance(answer, tuple) else (answer, {})


class SelfFormatter(Formatter):
    """What shows itself."""

    format_type = "a display by itself"
    print_method = "_ipython_display_"

    def __call__(self, obj):
        """True when it has."""
        printer = self.find(obj)
        method = method_of(obj, self.print_method) if printer is None else lambda: printer(obj)
        return None if method is None else attempt(run, method)


def run(method):
    method()
    return True


def own_class(mime, method):
    """HTMLFormatter and its kin."""
    word = method[6:-1]
    name = f"{word.upper() if len(word) <= 4 else word.title()}Formatter"
    binary = mime == "application/pdf" or mime.startswith("image/") and "svg" not in mime
    kinds = (bytes, bytearray, str) if binary else (dict, list, str) if word == "json" else str
    return type(name, (Formatter,), {"format_type": mime, "print_method": method,
                                     "_return_type": kinds, "__doc__": f"{mime} of objects."})


CLASSES = {mime: own_class(mime, method) for mime, method in _pandia.repr_types()}
CLASSES[PLAIN] = PlainFormatter
for given, name in ((Formatter, "BaseFormatter"), (PlainFormatter, "PlainTextFormatter"),
                    (BundleFormatter, "MimeBundleFormatter"),
                    (SelfFormatter, "IPythonDisplayFormatter")):
    given.__name__ = given.__qualname__ = name
for given in (Formatter, FormatterWarning, BundleFormatter, SelfFormatter, *CLASSES.values()):
    given.__module__ = MODULE

tables = {mime: CLASSES[mime](mime) for mime in TYPES}
nothing_for = WeakSet()  # classes that nobody registered anything for


class DisplayFormatter:
    """What get_ipython().display_formatter is without IPython. From the first one on, values are
    shown by it."""

    formatters = tables
    mimebundle_formatter = BundleFormatter()
    ipython_display_formatter = SelfFormatter()

    def __init__(self):
        announce(None)  # a formatter may be put into the dict, or out of it
        forms.decide_by(self, lambda: tables.get(PLAIN) is plain and plain.is_default())

    format_types = property(lambda self: list(tables))

    @property
    def active_types(self):
        """The forms that are shown; text is, always."""
        return [mime for mime, table in tables.items() if getattr(table, "enabled", True)]

    @active_types.setter
    def active_types(self, wanted):
        for mime, table in tables.items():
            table.enabled = mime in wanted

    def format(self, obj, include=None, exclude=None):
        """(data, metadata) of an object."""
        import json
        text = _pandia.bundle_of(obj, include, exclude)
        bundle = {"data": {}, "metadata": {}} if text is None else json.loads(text)
        return tuple({mime: value for mime, value in bundle[name].items()
                      if forms.is_wanted(mime, include, exclude)} for name in ("data", "metadata"))

    def register_formatter(self, formatter):
        """Adds one of another type, or of a known one."""
        self.formatters[formatter.format_type] = formatter


DisplayFormatter.__module__ = MODULE
plain = tables[PLAIN]


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


def printed(obj):
    """(data, metadata) of what is registered for an object; None when nothing is."""
    cls = type(obj)
    if cls in nothing_for:
        return None
    data, metadata, found = {}, {}, False
    for mime, table in tables.items():
        if table is plain:
            continue  # the printer of texts asks it
        if type(table) is not CLASSES.get(mime) or table.find(obj) is not None:
            found = True
            add_form(mime, attempt(table, obj), data, metadata)
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
    # The traits make their dicts on first need: one for each of the threads that ask at once.
    before = {mime: {name: dict(getattr(each, name)) for name in PRINTERS}
              for mime, each in formatter.formatters.items()}[PLAIN]
    plain = formatter.formatters[PLAIN]
    settings = settings_of(plain)

    def is_default():
        """Whether its text is what we would write."""
        now = formatter.formatters.get(PLAIN)
        return (now is plain and settings_of(now) == settings
                and all(getattr(now, name) == table for name, table in before.items()))

    attached.append(formatter)
    forms.decide_by(formatter, is_default)
