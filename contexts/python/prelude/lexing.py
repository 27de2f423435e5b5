# SPDX-License-Identifier: MIT
"""Where a cursor stands in source that need not be whole: the tokens in front of it, the brackets
around it, whether it is inside a string or a comment. Knows nothing of values."""

import re
from keyword import iskeyword

TOKEN = re.compile(
    r"""(?P<space>[ \t\f]+|\\\r?\n)
      | (?P<newline>\r\n?|\n)
      | (?P<comment>\#[^\r\n]*)
      | (?P<quote>[bBfFrRtTuU]{0,2}(?:'{3}|\"{3}|'|\"))
      | (?P<number>\.?\d(?:[eE][+-]\d|[\w.])*)
      | (?P<name>[^\W\d]\w*)
      | (?P<op>.)""", re.VERBOSE | re.DOTALL)

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {")": "(", "]": "[", "}": "{"}
CONSTANTS = {"None", "True", "False"}
# These begin a statement wherever they stand: a bracket that is open before them was forgotten.
STATEMENTS = {"assert", "class", "def", "del", "global", "import", "nonlocal", "pass", "raise",
              "return", "try", "while", "with"}


class Token:
    __slots__ = ("kind", "text", "start", "end")

    def __init__(self, kind, text, start, end):
        self.kind, self.text, self.start, self.end = kind, text, start, end

    def is_op(self, text):
        return self.kind == "op" and self.text == text

    def is_word(self, *words):
        return self.kind == "name" and self.text in words

    def ends_value(self):
        """True when a call, a subscript or an attribute can follow it."""
        if self.kind == "name":
            return not iskeyword(self.text) or self.text in CONSTANTS
        return self.kind in ("string", "number") or self.kind == "op" and self.text in CLOSING


class Level:
    """A stretch of code: a cell, or a replacement field of an f-string in it."""

    def __init__(self):
        self.tokens = []
        self.brackets = []  # indexes of tokens that are still open
        self.pairs = {}  # index of a closing bracket -> index of its opening one

    def add(self, token):
        index = len(self.tokens)
        if token.kind == "op" and token.text in OPENING:
            self.brackets.append(index)
        elif token.kind == "op" and token.text in CLOSING:
            self.close(index, CLOSING[token.text])
        self.tokens.append(token)

    def close(self, index, opener):
        """Brackets that were forgotten inside are closed with it."""
        while self.brackets:
            last = self.brackets.pop()
            if self.tokens[last].text == opener:
                self.pairs[index] = last
                return

    def start_of(self, last):
        """Index of the first token of the value that ends with token `last`: a name or literal
        with all its attributes, calls and subscripts. None when no value ends there."""
        at = last
        while at >= 0 and self.tokens[at].ends_value():
            token = self.tokens[at]
            if token.kind == "op":
                at = self.pairs.get(at, -1)
                follows = at > 0 and token.text != "}" and self.tokens[at - 1].ends_value()
                if at < 0 or not follows:
                    return at if at >= 0 else None
                at -= 1
            elif at > 1 and token.kind == "name" and self.tokens[at - 1].is_op("."):
                at -= 2
            else:
                return at
        return None


class String:
    """A string literal that is open at the cursor."""

    def __init__(self, opening, start):
        self.quote = opening.lstrip("bBfFrRtTuU")
        self.prefix = opening[:len(opening) - len(self.quote)].lower()
        self.start = start  # of its content
        self.in_spec = False  # in the format of a replacement field
        self.has_fields = "f" in self.prefix or "t" in self.prefix


class Spot:
    """What is known of a place in the source."""

    def __init__(self, level, string=None, comment=False):
        self.level, self.string, self.comment = level, string, comment


def spot(code):
    """Looks at the end of `code`."""
    level = Level()
    outer = []  # f-strings we are in a field of, each with the level around it
    at = 0
    while at < len(code):
        match = TOKEN.match(code, at)
        kind, text, start, at = match.lastgroup, match.group(), match.start(), match.end()
        if kind == "comment" and at == len(code):
            return Spot(level, comment=True)
        string = None
        if kind == "quote":
            string, around = String(text, at), level
            around.add(Token("string", text, start, at))
        elif outer and not level.brackets and text in ("}", ":") and kind == "op":
            string, around = outer.pop()
            string.in_spec = text == ":"
        elif kind not in ("space", "comment"):
            add_code(level, Token(kind, text, start, at))
        if string is None:
            continue
        at, ending = literal(code, at, string)
        if ending == "open":
            return Spot(around, string=string)
        if ending == "field":
            outer.append((string, around))
            level = Level()
        else:
            around.tokens[-1].end = at
            level = around
    return Spot(level)


def add_code(level, token):
    """Adds what is neither string nor space. Line ends inside brackets mean nothing."""
    if token.kind == "newline":
        level.fresh_line = True
        if not level.brackets:
            level.add(token)
        return
    if level.brackets and token.is_word(*STATEMENTS) and getattr(level, "fresh_line", False):
        level.brackets.clear()
        level.add(Token("newline", "", token.start, token.start))
    level.fresh_line = False
    level.add(token)


def literal(code, at, string):
    """Goes through the text of a string; returns where it stops and why: the string is closed,
    open at the end of the source, or a replacement field begins."""
    while at < len(code):
        char = code[at]
        if char == "\\":
            at += 2
        elif code.startswith(string.quote, at) and not string.in_spec:
            return at + len(string.quote), "closed"
        elif char in "\r\n" and len(string.quote) == 1:
            return at, "closed"  # it was never closed; the next line is code again
        elif string.has_fields and char == "{":
            if not code.startswith("{{", at) or string.in_spec:
                return at + 1, "field"
            at += 2
        elif char == "}" and string.in_spec:
            string.in_spec = False
            at += 1
        else:
            at = plain_end(code, at + 1)
    return len(code), "open"


PLAIN = re.compile(r"[^\\'\"\r\n{}]*")


def plain_end(code, at):
    """Skips what no string cares about."""
    return PLAIN.match(code, at).end()
