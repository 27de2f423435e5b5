# SPDX-License-Identifier: MIT
"""Values by the formatters of a shell: IPython's own, or those that stand in for them
(formatters.py). The C side (py_forms.c) asks here for every value once there is a shell."""

import _pandia

PLAIN = "text/plain"
PLAIN_CLASSES = (int, str, float, bool, list, dict, tuple, bytes, set, frozenset, complex, range,
                 bytearray)
MODULE = "IPython.core.formatters"  # of the formatters that are nobody's own


def name_of(cls):
    return (getattr(cls, "__module__", None), getattr(cls, "__name__", None))


def decide_by(formatter, is_default):
    """Values are shown by a display formatter from now on; their texts where `is_default` says
    that it would not write what we write."""
    _pandia.set_forms("shell", lambda obj, include, exclude: by_shell(
        formatter, is_default, obj, include, exclude))
    _pandia.ask_for_plain()


def settings_of(plain):
    names = ("pprint", "max_width", "newline", "max_seq_length", "float_format", "verbose")
    return [getattr(plain, name, None) for name in names]


def add_form(mime, answer, data, metadata):
    if isinstance(answer, tuple) and len(answer) == 2:
        answer, more = answer
        if answer is not None and more is not None:
            metadata[mime] = more
    if answer is not None:
        data[mime] = answer


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
        if type(each).__module__ != MODULE or each.singleton_printers or \
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
