# SPDX-License-Identifier: MIT
"""display() with all its options, handles to update what was shown, clear_output(): the functions
of IPython.display, leading to the client. The plain display(x) never comes here (py_module.c)."""

from json import loads
from uuid import uuid4

import _pandia

bundle_of = _pandia.bundle_of
publish = _pandia.publish_display

DISPLAY, UPDATE, CLEAR = "display_data", "update_display_data", "clear_output"
to_json = use("plain_json").to_json  # noqa: F821
PLAIN = "text/plain"
LONGEST = 12  # bytes that a character takes as JSON, at most
BRACES = 64  # what stands around a member, or around all of them, at most
NOTES = 64 * 1024  # bytes kept for what was left out
attached = []  # IPython's shell, once it is there


def new_id():
    return uuid4().hex


class DisplayHandle:
    """Something that was shown and can be shown anew."""

    __module__ = "pandia_display"

    def __init__(self, display_id=None):
        self.display_id = new_id() if display_id is None else display_id

    def __repr__(self):
        return f"<{type(self).__name__} display_id={self.display_id}>"

    def display(self, obj, **options):
        """Shows an object under this id once more."""
        display(obj, display_id=self.display_id, **options)

    def update(self, obj, **options):
        """Shows an object wherever this id was shown."""
        update_display(obj, display_id=self.display_id, **options)


def display(*objs, include=None, exclude=None, metadata=None, transient=None, display_id=None,
            raw=False, clear=False, update=False, **options):
    """Shows objects in their richest form. Gives a handle when there is a display_id."""
    if display_id is True:
        display_id = new_id()
    if update and not isinstance(display_id, str):
        raise TypeError("display(update=True) needs the display_id to update")
    if display_id and not isinstance(display_id, str):
        raise TypeError("display_id must be a str or True")
    transient = dict(transient or {})
    if display_id:
        transient["display_id"] = display_id
    if clear:
        clear_output(wait=True)
    if not objs and display_id:
        send_by_publisher({}, metadata, transient, update)  # a place for what comes later
    for obj in objs:
        show_one(obj, raw, (include, exclude), metadata, transient, update)
    return DisplayHandle(display_id) if display_id else None


def show_one(obj, raw, wanted, metadata, transient, update):
    if raw:
        publish_display_data(obj, metadata, transient=transient, update=update)
        return
    include, exclude = wanted
    text = bundle_of(obj, include, exclude)
    if text is None:
        return  # it has shown itself
    bundle = loads(text)
    data = {mime: value for mime, value in bundle["data"].items()
            if (not include or mime in include) and not (exclude and mime in exclude)}
    metadata = joined(bundle["metadata"], metadata or {})
    if data:
        publish_display_data(data, metadata, transient=transient, update=update)


def joined(one, other):
    """Two dicts as one, and what both have of dicts as well."""
    both = {**one, **other}
    for key in one.keys() & other.keys():
        if isinstance(one[key], dict) and isinstance(other[key], dict):
            both[key] = joined(one[key], other[key])
    return both


def update_display(obj, *, display_id, **options):
    """Shows an object in place of what was shown under an id."""
    options["update"] = True
    display(obj, display_id=display_id, **options)


def publish_display_data(data, metadata=None, *, transient=None, update=False, **options):
    """Sends a finished bundle of MIME types."""
    if not isinstance(data, dict) or not isinstance(metadata or {}, dict):
        raise TypeError("data and metadata of a display must be dicts")
    send_by_publisher(data, metadata, transient, update)


def send_by_publisher(data, metadata, transient, update):
    for publisher in publishers():
        publisher.publish(data, metadata, transient=transient, update=update)
        return
    send(data, metadata, transient, update)


def publishers():
    """That of IPython's shell, which may be there, and may have been replaced to catch displays."""
    return [shell.display_pub for shell in attached]


def send(data, metadata=None, transient=None, update=False):
    """Sends a bundle to the client."""
    parts = {mime: to_json(as_text(value)) for mime, value in data.items()}
    beside = f'"metadata": {to_json(metadata or {})}, "transient": {to_json(transient or {})}'
    parts = fitting(parts, _pandia.DISPLAY_MAX - len(beside) - BRACES)
    members = ", ".join(f"{to_json(mime)}: {value}" for mime, value in parts.items())
    publish(UPDATE if update else DISPLAY, f'{{"data": {{{members}}}, {beside}}}')


def size_of(parts):
    """Bytes of the JSON of all types, each name and character at its longest."""
    return sum(len(value) + LONGEST * len(mime) + BRACES for mime, value in parts.items())


def fitting(parts, room):
    """The JSON of each type that there is room for. The text says at its end what was left out."""
    if size_of(parts) <= room:
        return parts
    kept, notes = dict(parts), ""
    for mime in sorted(parts.keys() - {PLAIN}, key=lambda mime: -len(parts[mime])):
        if size_of(kept) > room - NOTES:
            size = len(kept.pop(mime))
            note = f"\n... ({mime[:100]} of {size} bytes left out: over the limit of {room})"
            notes += note if len(notes + note) * LONGEST < NOTES else ""
    text = str(loads(kept.pop(PLAIN, '""')))
    most = max(0, room - NOTES - size_of(kept)) // LONGEST
    if len(text) > most:
        notes = f"\n... ({len(text) - most} more characters){notes}"
    return {PLAIN: to_json((text[:most] + notes).lstrip("\n")), **kept}


def as_text(value):
    """Bytes travel as base64."""
    if isinstance(value, (bytes, bytearray)):
        from base64 import b64encode
        return b64encode(value).decode("ascii")
    return value


def clear_output(wait=False):
    """Removes what the cell has shown; with `wait`, when something new comes."""
    for publisher in publishers():
        publisher.clear_output(wait)
        return
    send_clear(wait)


def send_clear(wait=False):
    publish(CLEAR, to_json({"wait": bool(wait)}))


class Publisher:
    """get_ipython().display_pub without IPython."""

    @staticmethod
    def publish(data, metadata=None, *, transient=None, update=False, **options):
        send(data, metadata, transient, update)

    clear_output = staticmethod(send_clear)


NAMES = ("display", "update_display", "publish_display_data", "clear_output", "DisplayHandle")


def fill(module):
    """Gives a module our functions: IPython's own would only print, or a module of this name."""
    for name in NAMES:
        setattr(module, name, globals()[name])
