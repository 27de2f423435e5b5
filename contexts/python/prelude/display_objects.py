# SPDX-License-Identifier: MIT
"""What the classes of IPython.display have in common where IPython is not installed: data that are
given, in a file or at an address (display_classes.py, display_media.py)."""

from os import PathLike, fspath, path

public = {}  # what the module IPython.display holds


def shown_as(module):
    """Makes a class one of the module's, by the name that its text shows."""
    def publish(cls):
        cls.__module__ = module
        public[cls.__name__] = cls
        return cls
    return publish


core = shown_as("IPython.core.display")
lib = shown_as("IPython.lib.display")


def fetch(url):
    """What is at an address, and the encoding that it is said to have."""
    from urllib.request import urlopen
    with urlopen(url) as answer:
        return answer.read(), answer.headers.get_content_charset() or "utf-8"


def is_address(text):
    return text.startswith(("http://", "https://"))


def is_file(text):
    try:
        return path.isfile(text)
    except (OSError, ValueError):
        return False  # too long for a name, or with a NUL


def located(data, url, filename):
    """(data, url, filename), where data that name an address or a file are what they name."""
    if isinstance(data, PathLike):
        data = fspath(data)
    if isinstance(data, str) and url is None and is_address(data):
        return None, data, None
    if isinstance(data, str) and filename is None and is_file(data):
        return None, None, data
    return data, url, filename


@core
class DisplayObject:
    """Something to look at."""

    is_text = True  # what files and addresses hold

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        data, self.url, self.filename = located(data, url, filename)
        self.data = data
        self.metadata = metadata or {}
        self.reload()
        self.check()

    def reload(self):
        """Reads the data anew."""
        if self.filename is not None:
            mode, encoding = ("r", "utf-8") if self.is_text else ("rb", None)
            with open(self.filename, mode, encoding=encoding) as file:
                self.data = file.read()
        elif self.url is not None:
            raw, encoding = fetch(self.url)
            self.data = raw.decode(encoding, "replace") if self.is_text else raw

    def check(self):
        """Raises TypeError when the data are nothing for this class."""

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__name__} object>"

    def form(self):
        """The data, with their metadata where there are any."""
        return (self.data, self.metadata) if self.metadata else self.data


@core
class TextDisplayObject(DisplayObject):
    """A DisplayObject of text."""

    def check(self):
        if self.data is not None and not isinstance(self.data, str):
            raise TypeError(f"{type(self).__name__} takes text, not {self.data!r}")
