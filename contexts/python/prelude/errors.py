# SPDX-License-Identifier: MIT
"""Tells what went wrong, in the manner of IPython: every frame with its lines of source, a cell by
its number, colours as terminals and notebooks know them. Frames and chains are capped before
anything is formatted: a traceback of a million frames is as quick as one of fifty."""

import linecache
import os
from collections import deque
from itertools import islice

RULE = "-" * 75
CONTEXT = 2  # lines shown before and after the one that failed
HEAD = 15  # frames kept at the outer end
TAIL = 25  # and at the inner end
CHAIN = 10  # exceptions in a row
GROUP = 10  # exceptions of one group
NESTED = 3  # groups in groups
TEXT = 100_000  # characters of a message
LINE = 2000  # characters of a line of source

CAUSE = "\nThe above exception was the direct cause of the following exception:\n"
CONTEXT_OF = "\nDuring handling of the above exception, another exception occurred:\n"
TO_EXIT = "To exit: use 'exit', 'quit', or Ctrl-D."

RED, GREEN, CYAN = ("31", "39"), ("32", "39"), ("36", "39")  # on, off


class Look:
    """What the texts depend on: which files are cells, and whether there are colours."""

    def __init__(self, cells, coloured):
        self.cells = cells  # file names of cells -> their execution counts
        self.coloured = coloured and wants_colours()

    def paint(self, text, colour):
        return f"\x1b[{colour[0]}m{text}\x1b[{colour[1]}m" if self.coloured and text else text


def wants_colours():
    """As no-color.org has it, for the environment of the context."""
    try:
        return not os.environ.get("NO_COLOR")
    except Exception:
        return True  # user code broke os.environ


def describe(value, traceback, cells, coloured):
    """Returns the name of the exception, its message, and the traceback as a list of texts.

    `cells` maps the file names of cells to their execution counts."""
    look = Look(cells, coloured)
    name = type(value).__name__
    if traceback is None and isinstance(value, SyntaxError):
        text = "\n".join(syntax_lines(value, look) + [summary(value, look)])
        return name, message(value), [text]
    texts = []
    chain = chain_of(value)
    for index, (link, words) in enumerate(chain):
        last = index == len(chain) - 1
        texts += one(link, traceback if last else link.__traceback__, look)
        if words is not None:
            texts.append(words)
    if isinstance(value, SystemExit):
        texts.append(TO_EXIT)
    return name, message(value), texts


def chain_of(value):
    """The exceptions that led here, oldest first, each with the words that join it to the next."""
    links = [(value, None)]
    seen = {id(value)}
    while len(links) < CHAIN:
        if value.__cause__ is not None:
            value, words = value.__cause__, CAUSE
        elif value.__context__ is not None and not value.__suppress_context__:
            value, words = value.__context__, CONTEXT_OF
        else:
            break
        if id(value) in seen:
            break
        seen.add(id(value))
        links.append((value, words))
    links.reverse()
    return links


def one(value, traceback, look, nested=0):
    """A single exception: heading, frames, summary."""
    name = type(value).__name__
    title = "Traceback (most recent call last)"
    space = " " * max(1, 75 - len(name) - len(title))
    texts = [look.paint(RULE, RED), look.paint(name, RED) + space + title]
    for entry, skipped in frames(traceback, look):
        texts.append(frame_text(entry, look) if entry else skipped)
    if isinstance(value, SyntaxError):
        texts += syntax_lines(value, look)
    texts.append(summary(value, look))
    return texts + group_texts(value, look, nested)


def group_texts(value, look, nested):
    """The members of an exception group, indented."""
    members = getattr(value, "exceptions", None)
    if not isinstance(members, tuple) or nested >= NESTED:
        return []
    texts = []
    for number, member in enumerate(members[:GROUP], 1):
        inner = "\n".join(one(member, member.__traceback__, look, nested + 1))
        heading = f"  +---- {number} of {len(members)} ----\n  | "
        texts.append(heading + inner.replace("\n", "\n  | "))
    if len(members) > GROUP:
        texts.append(f"  +---- and {len(members) - GROUP} more ----")
    return texts


def frames(traceback, look):
    """What is to be shown of a traceback: (entry, None), or (None, a mark for what is left out)."""
    traceback = without_ours(traceback, look.cells)
    head = []
    tail = deque(maxlen=TAIL)
    count = 0
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith("<pandia "):
            (head if len(head) < HEAD else tail).append(traceback)
            count += 1
        traceback = traceback.tb_next
    shown = [(entry, None) for entry in head]
    left_out = count - len(head) - len(tail)
    if left_out > 0:
        shown.append((None, f"    [... {left_out} frames left out ...]"))
    return shown + [(entry, None) for entry in tail]


def without_ours(traceback, cells):
    """Begins at the cell: the event loop and our own code below it concern nobody."""
    entry = traceback
    for _ in range(50):
        if entry is None:
            break
        if entry.tb_frame.f_code.co_filename in cells:
            return entry
        entry = entry.tb_next
    return traceback


def frame_text(entry, look):
    """A frame: where, the lines around, and an empty line."""
    code = entry.tb_frame.f_code
    number = entry.tb_lineno or code.co_firstlineno
    name = getattr(code, "co_qualname", code.co_name)
    inside = "" if code.co_name == "<module>" else ", in " + look.paint(name, CYAN)
    lines = [place(code.co_filename, number, look) + inside]
    source = source_of(code.co_filename, entry.tb_frame.f_globals)
    first = max(1, number - CONTEXT)
    for at in range(first, min(len(source), number + CONTEXT) + 1):
        text = source[at - 1].rstrip()
        if at == number:
            lines += failed_line(at, text, span_of(entry, text), look)
        else:
            lines.append(f"{look.paint(f'{at:>7}', GREEN)} {text[:LINE]}")
    return "\n".join(lines) + "\n"


def failed_line(number, text, span, look):
    """The line an arrow points at, and carets below the part that failed: unlike a colour they are
    still there in a log."""
    arrow = "-" * max(1, 5 - len(str(number))) + f"> {number}"
    lines = [f"{look.paint(arrow, GREEN)} {text[:LINE]}"]
    if span is not None:
        start, end = span
        blank = " " * (len(arrow) + 1) + spaces_for(text[:start])
        lines.append(blank + look.paint("^" * (end - start), RED))
    return lines


def span_of(entry, text):
    """Which characters of its line the frame was at, from Python 3.11 on; None when unknown, or
    when it is all of them and a mark would say nothing."""
    positions = getattr(entry.tb_frame.f_code, "co_positions", None)
    if positions is None or entry.tb_lasti < 0 or len(text) > LINE:
        return None
    place = next(islice(positions(), entry.tb_lasti // 2, None), None)
    if place is None or None in place or place[0] != entry.tb_lineno:
        return None
    _, last, start, end = place
    raw = text.encode("utf-8", "surrogatepass")
    start = len(raw[:start].decode("utf-8", "replace"))
    end = len(text) if last != entry.tb_lineno else len(raw[:end].decode("utf-8", "replace"))
    covered = text[start:end].strip()
    return None if not covered or covered == text.strip() else (start, end)


def spaces_for(text):
    """As wide as the text: tabs stay tabs."""
    return "".join(c if c.isspace() else " " for c in text)


def source_of(filename, space):
    """The lines of a file; none when user code broke what linecache needs."""
    try:
        return linecache.getlines(filename, space)
    except Exception:
        return []


def place(filename, number, look):
    """The words for a line of a file or cell."""
    if filename in look.cells:
        where = look.paint(f"In[{look.cells[filename]}], line {number}", GREEN)
        return look.paint("Cell ", CYAN) + where
    return look.paint("File ", CYAN) + look.paint(f"{filename}:{number}", GREEN)


def syntax_lines(value, look):
    """Where the parser stopped, with a caret below."""
    if value.filename is None or value.lineno is None:
        return []
    lines = ["  " + place(value.filename, value.lineno, look)]
    if not isinstance(value.text, str):
        return lines
    text = value.text.rstrip("\n")
    shown = text.lstrip(" \t\n\f")
    lines.append("    " + look.paint(shown[:LINE], RED))
    if value.offset is not None and value.offset >= 1:
        start = max(0, value.offset - 1 - (len(text) - len(shown)))
        end = getattr(value, "end_offset", None) or value.offset
        one_line = getattr(value, "end_lineno", None) in (None, value.lineno)
        width = max(1, end - value.offset) if one_line else max(1, len(shown) - start)
        if start < LINE:
            carets = "^" * min(width, max(1, len(shown) - start))
            lines.append("    " + spaces_for(shown[:start]) + carets)
    return lines


def message(value):
    """str(value), whatever its class does: the cell has failed already, and even an interrupt here
    can only mean that nobody wants to wait for these words."""
    try:
        text = value.msg if type(value) in (SyntaxError, IndentationError, TabError) else str(value)
        text = str(text)
    except BaseException:
        return f"<unprintable {type(value).__name__} object>"
    if len(text) > TEXT:
        text = f"{text[:TEXT]}... ({len(text) - TEXT} more characters)"
    return text


def summary(value, look):
    """The last line of a traceback, and the notes below it."""
    text = message(value)
    name = look.paint(type(value).__name__, RED)
    return "\n".join([f"{name}: {text}" if text else name] + notes_of(value))


def notes_of(value):
    notes = getattr(value, "__notes__", None)
    if not isinstance(notes, (list, tuple)):
        return []
    return [note for note in notes if isinstance(note, str)]
