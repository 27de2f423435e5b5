# SPDX-License-Identifier: MIT
"""The source of cells: whether it is whole, as a console asks after every line; its lines."""

import io
import warnings

ONLY_AST = 0x400
TOP_LEVEL_AWAIT = 0x2000
DONT_IMPLY_DEDENT = 0x200
ALLOW_INCOMPLETE = 0x4000  # known to 3.11 and later; before that the message has to tell

COMPOUND = {
    "AsyncFor", "AsyncFunctionDef", "AsyncWith", "ClassDef", "For", "FunctionDef", "If", "Match",
    "Try", "TryStar", "While", "With",
}  # fmt: skip
UNFINISHED = (
    "incomplete input",
    "unexpected EOF while parsing",
    "was never closed",
    "EOF while scanning triple-quoted string literal",
    "unterminated triple-quoted string literal",
    "unterminated triple-quoted f-string literal",
    "expected an indented block",
    "expected 'except' or 'finally' block",
    "unexpected character after line continuation character",
)
ENDING = ("return", "pass", "break", "continue", "raise")


MAGICS = ("autoawait", "hist", "history")  # what run_line_magic of shell.py knows
MENDINGS = 50  # lines of a cell that may be magics


def check(code):
    """Returns the status and the indent of the next line."""
    if not code.strip():
        return "complete", ""
    if code.startswith("%%"):
        return ("complete", "") if block_is_closed(code) else ("incomplete", "")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(code, "<cell>", "exec", ONLY_AST | TOP_LEVEL_AWAIT, True)
            compile(tree, "<cell>", "exec", TOP_LEVEL_AWAIT, True)  # `return` outside a function
    except SyntaxError as error:
        if is_unfinished(code, error):
            return "incomplete", indent_after(code)
        return "invalid", ""
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return "invalid", ""
    if tree.body and type(tree.body[-1]).__name__ in COMPOUND and not block_is_closed(code):
        return "incomplete", indent_after(code)
    return "complete", ""


def mend(code):
    """Python that does what a cell means which is none: code that was copied with its indentation,
    and magics. None when it is neither."""
    lines = without_indent(code).split("\n")
    for _ in range(MENDINGS):
        at = first_bad_line("\n".join(lines))
        if at is None:
            return "\n".join(lines)
        call = magic_call(lines[at]) if at < len(lines) else None
        if call is None:
            return None
        lines[at] = call
    return None


def without_indent(code):
    """The code moved to the left by the indent of its first line."""
    lines = code.split("\n")
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return "\n".join(line[len(indent):] if line.startswith(indent) else line for line in lines)


def first_bad_line(code):
    """Where the parser stops, from 0; None when it does not. That it begins a statement there is
    what tells a magic from the `%` inside a text or between two operands."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "<cell>", "exec", ONLY_AST | TOP_LEVEL_AWAIT, True)
    except SyntaxError as error:
        return max(0, (error.lineno or 1) - 1)
    return None


def magic_call(line):
    """The call that a line magic stands for, or None."""
    bare = line.lstrip()
    name, _, rest = bare[1:].partition(" ")
    if not bare.startswith("%") or name not in MAGICS:
        return None
    indent = line[: len(line) - len(bare)]
    return f"{indent}get_ipython().run_line_magic({name!r}, {rest.strip()!r})"


def block_is_closed(code):
    """A block that could go on ends with an empty line, or was written on a single one."""
    lines = code.split("\n")
    if not lines[-1].strip() and len(lines) > 1:
        return True
    return len([line for line in lines if line.strip()]) == 1


def is_unfinished(code, error):
    """True when more lines could mend it."""
    if code.rstrip(" \t").endswith("\\"):
        return True
    try:
        flags = ONLY_AST | TOP_LEVEL_AWAIT | DONT_IMPLY_DEDENT | ALLOW_INCOMPLETE
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code + "\n", "<cell>", "exec", flags, True)
    except SyntaxError as second:
        error = second
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return False
    message = str(error.msg)
    if "line continuation" in message:
        return False
    return any(words in message for words in UNFINISHED) and at_end(code, message)


def at_end(code, message):
    """A block that is missing in the middle of the source will not come any more."""
    if "expected an indented block" not in message:
        return True
    last = len(code.rstrip().split("\n"))
    return message.endswith(f" on line {last}")


def indent_after(code):
    """The white space a good editor would put at the start of the next line."""
    lines = [line for line in code.split("\n") if line.strip()]
    last = lines[-1] if lines else ""
    indent = last[: len(last) - len(last.lstrip())]
    bare = last.split("#", 1)[0].rstrip()
    if bare.endswith(":"):
        return indent + "    "
    if bare.lstrip().split(" ", 1)[0] in ENDING:
        return indent[:-4]
    return indent


def lines(text):
    """The lines of a cell as Python's parser counts them, each with its newline."""
    if not text.endswith("\n"):
        text += "\n"
    return io.StringIO(text, newline=None).readlines()
