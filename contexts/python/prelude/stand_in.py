# SPDX-License-Identifier: MIT
"""The part of IPython that shows things, where IPython is not installed: what notebooks and
libraries import to show values, and no more. Any other part of it stays missing, so that whoever
looks for the whole of it finds that it is not there."""

import _pandia

displays = use("displays")  # noqa: F821
formatters = use("formatters")  # noqa: F821
VERSION = (9, 0, 0, "pandia")  # whose displays these follow


class TerminalInteractiveShell:
    """Nobody is one of these here; libraries ask, to tell a terminal from a notebook."""


def display_of(mime):
    """display_html() and its kin: objects by one of their forms, or raw data of it."""
    def show(*objs, raw=False, metadata=None):
        for obj in objs:
            if raw:
                displays.publish_display_data({mime: obj}, {mime: metadata} if metadata else None)
            else:
                displays.display(obj, include=[mime], metadata=metadata)
    return show


def fill_top(module):
    module.get_ipython = _pandia.get_ipython
    module.version_info = VERSION
    module.__version__ = ".".join(map(str, VERSION[:3])) + "+pandia"
    from importlib import import_module
    for name in MODULES:  # IPython has its parts as attributes at once
        import_module(name)


def fill_display(module):
    displays.fill(module)
    vars(module).update(use("display_classes").public)  # noqa: F821
    module.display_pretty = display_of("text/plain")
    for mime, method in _pandia.repr_types():
        setattr(module, "display" + method[5:-1], display_of(mime))


def fill_lib_display(module):
    for cls in use("display_classes").public.values():  # noqa: F821
        if cls.__module__ == module.__name__:
            setattr(module, cls.__name__, cls)


def fill_publishers(module):
    add(module, *use("capturing").PUBLISHERS)  # noqa: F821
    module.publish_display_data = displays.publish_display_data


def fill_formatters(module):
    add(module, formatters.Formatter, formatters.BundleFormatter, formatters.SelfFormatter,
        formatters.FormatterWarning, formatters.DisplayFormatter, *formatters.CLASSES.values())
    module.format_display_data = format_display_data


def format_display_data(obj, include=None, exclude=None):
    """(data, metadata) of an object."""
    return _pandia.get_ipython().display_formatter.format(obj, include, exclude)


def add(module, *classes):
    for cls in classes:
        setattr(module, cls.__name__, cls)


class PrettyPrinter(use("layout").Layout):  # noqa: F821
    """A layout that is written to a file when it is flushed."""

    def __init__(self, output, max_width=79, newline="\n", max_seq_length=1000):
        super().__init__(max_width, newline)
        self.output, self.max_seq_length = output, max_seq_length

    def flush(self):
        super().flush()
        self.output.write("".join(self.pieces))
        self.pieces.clear()


class RepresentationPrinter(PrettyPrinter, use("pretty").Printer):  # noqa: F821
    """The same, of values."""

    def __init__(self, output, verbose=False, max_width=79, newline="\n", **tables):
        pretty = use("pretty")  # noqa: F821
        names = ("type_pprinters", "singleton_pprinters", "deferred_pprinters")
        known = pretty.registrations()
        pretty.Printer.__init__(self, *(own if tables.get(name) is None else tables[name]
                                        for name, own in zip(names, known)))
        self.output, self.verbose = output, verbose
        self.max_width, self.newline = max_width, newline
        self.max_seq_length = tables.get("max_seq_length", self.max_seq_length)


def fill_pretty(module):
    plain = formatters.tables["text/plain"]
    module.pretty = use("pretty").pretty  # noqa: F821
    module.pprint = lambda obj: print(module.pretty(obj))
    module.for_type = plain.for_type
    module.for_type_by_name = plain.for_type_by_name
    module.PrettyPrinter, module.RepresentationPrinter = PrettyPrinter, RepresentationPrinter


def latex_to_png(s, encode=False, backend=None, wrap=False, color="Black", scale=1.0):
    """A formula as a picture, where matplotlib is there to draw it and can; else None."""
    if backend not in (None, "matplotlib"):
        return None
    import io
    try:
        import matplotlib
        from matplotlib import font_manager, mathtext
    except ImportError:
        return None
    file = io.BytesIO()
    formula = s.replace("$$", "$")  # it knows of formulas within text only
    try:
        with matplotlib.rc_context({"savefig.transparent": True}):
            mathtext.math_to_image(f"${formula}$" if wrap else formula, file, format="png",
                                   prop=font_manager.FontProperties(size=12), dpi=120 * scale,
                                   color=color)
    except (ValueError, RuntimeError):
        return None  # more than matplotlib knows of LaTeX
    if encode:
        from base64 import encodebytes
        return encodebytes(file.getvalue())
    return file.getvalue()


MODULES = {
    "IPython": fill_top,
    "IPython.core": lambda module: None,
    "IPython.core.display": fill_display,
    "IPython.core.display_functions": displays.fill,
    "IPython.core.displaypub": fill_publishers,
    "IPython.core.formatters": fill_formatters,
    "IPython.core.getipython": lambda module: setattr(module, "get_ipython", _pandia.get_ipython),
    "IPython.display": fill_display,
    "IPython.lib": lambda module: None,
    "IPython.lib.display": fill_lib_display,
    "IPython.lib.latextools": lambda module: setattr(module, "latex_to_png", latex_to_png),
    "IPython.lib.pretty": fill_pretty,
    "IPython.terminal": lambda module: None,
    "IPython.terminal.interactiveshell": lambda module: setattr(
        module, "TerminalInteractiveShell", TerminalInteractiveShell),
    "IPython.utils": lambda module: None,
    "IPython.utils.capture": lambda module: add(module, *use("capturing").CAPTURES),  # noqa: F821
}


def fill(module):
    """Gives a module of the stand-in what it holds."""
    MODULES[module.__name__](module)
