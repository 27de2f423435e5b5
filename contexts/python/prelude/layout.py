# SPDX-License-Identifier: MIT
"""Lays out text that may be broken at certain places, in groups: the half of the pretty printer
that knows nothing of values. Its methods have the names that `_repr_pretty_` of people's classes
calls."""

from collections import deque
from contextlib import contextmanager

WIDTH = 79  # columns; what fits is not broken


class Group:
    """Separators that are broken together or not at all."""

    __slots__ = ("depth", "undecided", "broken")

    def __init__(self, depth):
        self.depth = depth
        self.undecided = 0  # separators that wait
        self.broken = False


class Separator:
    """A place for a line break."""

    __slots__ = ("text", "indentation", "group")

    def __init__(self, text, indentation, group):
        self.text = text
        self.indentation = indentation
        self.group = group


class Layout:
    """Breaks lines. Texts and separators wait until the line is too long or comes to its end; when
    it is too long, the outermost group that can be broken is."""

    def __init__(self, max_width=WIDTH, newline="\n"):
        self.max_width = max_width
        self.newline = newline
        self.indentation = 0
        self.pieces = []  # what is decided
        self.column = 0  # where they end
        self.waiting = deque()  # texts and separators that are not
        self.ahead = 0  # their width
        outermost = Group(0)
        self.open_groups = [outermost]
        self.levels = [[outermost]]  # unbroken groups by depth

    def text(self, text):
        """Adds text that is never broken."""
        if not self.waiting:
            self.pieces.append(text)
            self.column += len(text)
            return
        self.waiting.append(text)
        self.ahead += len(text)
        self.make_fit()

    def breakable(self, sep=" "):
        """Adds a separator that becomes a line break when its group is too long for the line."""
        group = self.open_groups[-1]
        if group.broken:
            self.flush()
            self.new_line(self.indentation)
            return
        self.waiting.append(Separator(sep, self.indentation, group))
        group.undecided += 1
        self.ahead += len(sep)
        self.make_fit()

    def break_(self):
        """Adds a line break, whatever the width."""
        self.break_one()
        self.flush()
        self.new_line(self.indentation)

    def begin_group(self, indent=0, open=""):
        """Opens a group; `indent` holds for the lines in it."""
        if open:
            self.text(open)
        depth = self.open_groups[-1].depth + 1
        group = Group(depth)
        self.open_groups.append(group)
        if depth == len(self.levels):
            self.levels.append([])
        self.levels[depth].append(group)
        self.indentation += indent

    def end_group(self, dedent=0, close=""):
        """Closes the innermost group."""
        self.indentation -= dedent
        group = self.open_groups.pop()
        if not group.undecided:
            self.keep_whole(group)
        if close:
            self.text(close)

    @contextmanager
    def group(self, indent=0, open="", close=""):
        """A group as a with statement."""
        self.begin_group(indent, open)
        try:
            yield
        finally:
            self.end_group(indent, close)

    @contextmanager
    def indent(self, indent):
        """More indentation as a with statement."""
        self.indentation += indent
        try:
            yield
        finally:
            self.indentation -= indent

    def flush(self):
        """Decides all that waits."""
        while self.waiting:
            self.decide_first()

    def value(self):
        """The whole text."""
        self.flush()
        return "".join(self.pieces)

    def new_line(self, indentation):
        self.pieces.append(self.newline + " " * indentation)
        self.column = indentation

    def make_fit(self):
        """Breaks groups, outer ones first, until the line is short enough or none is left."""
        while self.column + self.ahead > self.max_width and self.break_one():
            pass

    def break_one(self):
        """Breaks the outermost group that has separators waiting: decides all up to its last one,
        and the text after that. False when there is none."""
        group = self.next_to_break()
        if group is None:
            return False
        while group.undecided or self.waiting and isinstance(self.waiting[0], str):
            self.decide_first()
        return True

    def next_to_break(self):
        """Groups outside of it that have no separator yet will break at their first."""
        for level in self.levels:
            ready = [place for place, group in enumerate(level) if group.undecided]
            if ready:
                group = level[ready[-1]]
                # The entry that goes is counted from the other end: so IPython keeps a sibling
                # whole, and its users see the same.
                level.pop(len(level) - 1 - ready[-1])
                group.broken = True
                return group
            while level:
                level.pop().broken = True
        return None

    def decide_first(self):
        item = self.waiting.popleft()
        if isinstance(item, str):
            self.ahead -= len(item)
            self.column += len(item)
            self.pieces.append(item)
            return
        group = item.group
        group.undecided -= 1
        self.ahead -= len(item.text)
        if group.broken:
            self.new_line(item.indentation)
            return
        self.column += len(item.text)
        self.pieces.append(item.text)
        if not group.undecided:
            self.keep_whole(group)

    def keep_whole(self, group):
        level = self.levels[group.depth]
        if group in level:
            level.remove(group)
