# SPDX-License-Identifier: MIT
"""sys.stdin as a file whose lines the client types. End of input is what it is to input()."""

import io
import sys


class Lines(io.RawIOBase):
    """The bytes below it, for those who read sys.stdin.buffer."""

    def __init__(self, text):
        self.text = text
        self.rest = b""

    def readable(self):
        return True

    def fileno(self):
        return 0

    def readinto(self, room):
        if not self.rest:
            self.rest = self.text.readline().encode("utf-8", "surrogatepass")
        count = min(len(room), len(self.rest))
        room[:count] = self.rest[:count]
        self.rest = self.rest[count:]
        return count


class Stdin(io.TextIOBase):
    """Asks for a line whenever it needs one."""

    encoding = "utf-8"
    errors = "strict"
    newlines = None
    line_buffering = True
    name = "<stdin>"
    mode = "r"

    def __init__(self, ask):
        self.ask = ask
        self.rest = ""  # typed and not read yet
        self.bytes = None

    @property
    def buffer(self):
        if self.bytes is None:
            self.bytes = io.BufferedReader(Lines(self))
        return self.bytes

    def readable(self):
        return True

    def fileno(self):
        return 0

    def close(self):
        """The next cell wants to read too."""

    def line(self):
        """The rest of the line, or a new one; nothing at the end of input."""
        if not self.rest:
            try:
                self.rest = self.ask() + "\n"
            except EOFError:
                return ""
        text, end, self.rest = self.rest.partition("\n")
        return text + end

    def readline(self, size=-1, /):
        text = self.line()
        if size is None or size < 0 or len(text) <= size:
            return text
        self.rest = text[size:] + self.rest
        return text[:size]

    def read(self, size=-1, /):
        parts = []
        left = float("inf") if size is None or size < 0 else size
        while left > 0:
            text = self.line() if left == float("inf") else self.readline(left)
            if not text:
                break
            parts.append(text)
            left -= len(text)
        return "".join(parts)


def install(ask):
    sys.stdin = Stdin(ask)
