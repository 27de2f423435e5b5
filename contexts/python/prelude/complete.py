# SPDX-License-Identifier: MIT
"""Answers complete_request: what could stand at the cursor. Everything is offered that can be known
without running code of the user's objects (reach.py); only a __dir__ or a list of keys that a class
wrote for this purpose is called, and it has to be quick."""

import builtins
import keyword
import os
import re
import sys
import types
from functools import cached_property
from json import dumps

lexing = use("lexing")  # noqa: F821
reach = use("reach")  # noqa: F821
calls = use("calls")  # noqa: F821
modules = use("modules")  # noqa: F821
jedi_names = use("jedi_names")  # noqa: F821
within = use("deadline").within  # noqa: F821

LOOK_BACK = 200_000  # characters before the cursor that are read
PATIENCE = 0.5  # seconds for a __dir__, for keys
FILE_PATIENCE = 1.0  # seconds for folders
SCANNED = 300_000  # keys that are looked at
LISTED = 20_000  # names that a __dir__ may give, keys that are sorted
FOLDER_SCANNED = 20_000
SIGNED = 40  # with more matches none gets its signature
SIGNATURE_MAX = 1000  # characters

KEYWORDS = set(keyword.kwlist) | {"match", "case"}
CALLABLE = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, classmethod,
            staticmethod, types.MethodDescriptorType, types.WrapperDescriptorType,
            types.ClassMethodDescriptorType, types.MethodWrapperType)
GETTERS = (property, cached_property, types.GetSetDescriptorType, types.MemberDescriptorType)
STATEMENT_ENDS = (";", ":")


class Match:
    __slots__ = ("text", "kind", "value", "owner")

    def __init__(self, text, kind, value=reach.MISSING, owner=reach.MISSING):
        self.text, self.kind, self.value, self.owner = text, kind, value, owner

    def signature(self):
        """Of what is called without the object it is called on."""
        if self.kind not in ("function", "class"):
            return ""
        value = self.value
        if self.owner is not reach.MISSING:
            value = reach.attribute_or_missing(self.owner, self.text)
        return (calls.text_signature(value) or "")[:SIGNATURE_MAX]


def complete(code, cursor, space, most, most_bytes):
    """Returns the content of a complete_reply as JSON."""
    start, matches = candidates(code, cursor, space)
    matches = matches[:most]
    signed = len(matches) <= SIGNED
    texts, types_ = [], []
    for match in matches:
        most_bytes -= 2 * len(match.text) + 80
        if most_bytes < 0:
            break
        texts.append(match.text)
        entry = {"start": start, "end": cursor, "text": match.text, "type": match.kind}
        entry["signature"] = match.signature() if signed else ""
        types_.append(entry)
    return dumps({"status": "ok", "matches": texts, "cursor_start": start, "cursor_end": cursor,
                  "metadata": {"_jupyter_types_experimental": types_}})


def candidates(code, cursor, space):
    """Where the completed text starts, and the matches in order."""
    before = code[:cursor]
    skipped = 0
    if len(before) > LOOK_BACK:
        skipped = before.find("\n", len(before) - LOOK_BACK) + 1
        before = before[skipped:]
    spot = lexing.spot(before)
    if spot.comment:
        return cursor, []
    if spot.string is not None:
        length, matches = in_string(before, spot, space)
    else:
        length, matches = in_code(before, spot.level, space)
        matches += by_jedi(before, length, matches, space)
    return cursor - length, matches


# Code.


def in_code(before, level, space):
    """Length of the text to be completed, and the matches."""
    tokens = level.tokens
    prefix = ""
    last = len(tokens) - 1
    if tokens and tokens[last].end == len(before):
        if tokens[last].kind == "name":
            prefix = tokens[last].text
            last -= 1
        elif tokens[last].kind == "number":
            return 0, []
    found = imported(tokens[:last + 1], prefix)
    if found is not None:
        return len(prefix), found
    previous = tokens[last] if last >= 0 else None
    if previous is not None and previous.is_op("."):
        return len(prefix), attributes(value_before(before, level, last - 1, space), prefix)
    if previous is not None and previous.is_word("def", "class", "as"):
        return len(prefix), []
    found = arguments(before, level, last, prefix, space)
    if not prefix:
        found += keys_without_quote(before, level, last, space)
    return len(prefix), found + names(prefix, tokens[:last + 1], space)


def value_before(before, level, last, space):
    """The value that ends with token `last`."""
    first = level.start_of(last)
    if first is None:
        return reach.MISSING
    return reach.value_of(before[level.tokens[first].start:level.tokens[last].end], space)


def fits(name, prefix):
    """Private names only when asked for."""
    return type(name) is str and name.startswith(prefix) and (
        prefix.startswith("_") or not name.startswith("_"))


def kind_of(value):
    """The word JupyterLab has an icon for; `value` as a dictionary holds it."""
    if type(value) in CALLABLE:
        return "function"
    if reach.is_a(value, type):
        return "class"
    if reach.is_a(value, types.ModuleType):
        return "module"
    return "property" if type(value) in GETTERS else "instance"


def attributes(value, prefix):
    if value is reach.MISSING:
        return []
    found = reach.members(value)
    listed = found
    method = reach.own_dir(value)
    if method is not None:
        good, texts = within(PATIENCE, lambda: texts_of(method()))
        listed = texts if good else found
    chosen = {name for name in listed if fits(name, prefix) and name.isidentifier()}
    return [Match(name, kind_of(found.get(name)), owner=value) for name in in_order(chosen)]


def texts_of(things):
    """The strings among the first so many things."""
    return [str.__str__(each) for each, _ in zip(things, range(LISTED))
            if reach.is_a(each, str)]


def in_order(found):
    """Sorted, private ones last."""
    return sorted(found, key=lambda name: (name.startswith("_"), name))


def names(prefix, tokens, space):
    """Names of the cell above the cursor, of the context, builtins and keywords."""
    found = {word: Match(word, "keyword") for word in KEYWORDS if fits(word, prefix)}
    for name, value in list(vars(builtins).items()) + list(space.items()):
        if fits(name, prefix) and name.isidentifier():
            found[name] = Match(name, kind_of(value), value)
    for name in written(tokens):
        if fits(name, prefix) and name not in found:
            found[name] = Match(name, "statement")
    return [found[name] for name in in_order(found)]


def written(tokens):
    """Names that the cell itself binds: it has not run yet."""
    found = set()
    depth = 0
    for index, token in enumerate(tokens):
        if token.kind == "op":
            depth += (token.text in lexing.OPENING) - (token.text in lexing.CLOSING)
        if token.kind != "name" or keyword.iskeyword(token.text):
            continue
        after_word = index > 0 and tokens[index - 1].is_word("def", "class", "as", "for", "import")
        after = [each.text for each in tokens[index + 1:index + 3]]
        assigned = after[:1] == ["="] and after != ["=", "="] and depth <= 0
        if after_word or assigned and not (index > 0 and tokens[index - 1].is_op(".")):
            found.add(token.text)
    return found | parameters_written(tokens)


def parameters_written(tokens):
    """Parameters of the functions that the cell defines."""
    found = set()
    inside = False
    for index, token in enumerate(tokens):
        if token.is_op("(") and index > 1 and tokens[index - 2].is_word("def"):
            inside = True
        elif token.is_op(")"):
            inside = False
        elif inside and token.kind == "name" and tokens[index - 1].text in ("(", ",", "*"):
            found.add(token.text)
    return found


def arguments(before, level, last, prefix, space):
    """Keyword arguments of the call the cursor is in."""
    if not level.brackets or last < 0 or level.tokens[last].text not in ("(", ","):
        return []
    opener = level.brackets[-1]
    first = level.start_of(opener - 1) if level.tokens[opener].text == "(" else None
    if first is None or first > 0 and level.tokens[first - 1].is_word("def", "class"):
        return []
    callee = value_before(before, level, opener - 1, space)
    if callee is reach.MISSING:
        return []
    given = {level.tokens[at].text for at in range(opener, last)
             if level.tokens[at + 1].is_op("=")}
    return [Match(name + "=", "param") for name in calls.parameters(callee)
            if fits(name, prefix) and name not in given]


# Imports.


def imported(tokens, prefix):
    """Matches of an import statement; None when the cursor is not in one."""
    for first in range(len(tokens) - 1, -1, -1):
        token = tokens[first]
        begins = first == 0 or tokens[first - 1].kind == "newline" or (
            tokens[first - 1].text in STATEMENT_ENDS)
        if token.kind == "newline" or token.text == ";":
            return None
        if begins and token.is_word("import", "from"):
            return import_matches([each.text for each in tokens[first:]], prefix)
    return None


def import_matches(words, prefix):
    if words[0] == "from" and "import" not in words:
        return dotted(words[1:], prefix, "import")
    if words[-1] == "as":
        return []
    if words[0] == "from":
        package = "".join(words[1:words.index("import")])
        if words[-1] not in ("import", ",", "(") or package.startswith("."):
            return []
        return module_matches(prefix, modules.contents, package, kind="instance")
    start = len(words) - 1 - next(
        (at for at, word in enumerate(reversed(words)) if word in (",", "import")), 0)
    return dotted(words[start + 1:], prefix, "as")


def dotted(words, prefix, following):
    """Modules under what is written; the word that may follow when a name is finished."""
    if not words:
        return module_matches(prefix, modules.top)
    if words[0] == ".":
        return []
    if words[-1] != ".":
        return [Match(following, "keyword")] if following.startswith(prefix) else []
    return module_matches(prefix, modules.children, "".join(words[:-1]))


def module_matches(prefix, function, *args, kind="module"):
    good, found = within(FILE_PATIENCE, function, *args)
    chosen = {name for name in found if fits(name, prefix) and name.isidentifier()} if good else ()
    return [Match(name, kind) for name in in_order(chosen)]


# Strings.


def in_string(before, spot, space):
    """Keys of what is subscripted, or else names of files."""
    written_text = before[spot.string.start:]
    last = len(spot.level.tokens) - 2  # the string itself is the last token
    owner = subscripted(before, spot.level, last, space)
    if owner is not reach.MISSING:
        found = key_matches(owner, spot.string, written_text)
        if found:
            return len(written_text), found
    if spot.string.has_fields and "{" in written_text or "\n" in written_text:
        return 0, []
    if "\\" in written_text and "r" not in spot.string.prefix:
        return 0, []
    good, found = within(FILE_PATIENCE, paths, written_text)
    return len(os.path.basename(written_text)), found if good else []


def subscripted(before, level, last, space):
    """The value whose subscript the cursor is in: value["..., table[["...."""
    if last < 0 or not level.brackets or level.tokens[last].text not in ("[", ","):
        return reach.MISSING
    for at in reversed(level.brackets):
        if level.tokens[at].text != "[":
            return reach.MISSING
        if at > 0 and level.tokens[at - 1].ends_value():
            owner = value_before(before, level, at - 1, space)
            if at > 2 and level.tokens[at - 1].is_word("loc", "at"):
                owner = value_before(before, level, at - 3, space)  # table.loc[:, "...
            plain = last == at or not reach.is_a(owner, dict)
            return owner if plain else reach.MISSING
    return reach.MISSING


def keys_of(value):
    """Keys a subscript of the value takes."""
    numpy = sys.modules.get("numpy")
    pandas = sys.modules.get("pandas")
    if reach.is_a(value, dict):
        return [key for key, _ in zip(dict.keys(value), range(SCANNED))]
    if type(value) is type(os.environ):
        return list(value)
    method = reach.in_class(type(value), "_ipython_key_completions_")
    if type(method) is types.FunctionType:
        good, found = within(PATIENCE, lambda: list(zip(method(value), range(SCANNED))))
        return [key for key, _ in found] if good else []
    if pandas is not None and reach.is_a(value, reach.attribute(pandas, "DataFrame")):
        good, found = within(PATIENCE, lambda: list(zip(value.columns, range(SCANNED))))
        return [key for key, _ in found] if good else []
    if numpy is not None and reach.is_a(value, reach.attribute(numpy, "ndarray")):
        return list(value.dtype.names or ())
    return []


def key_matches(owner, string, written_text):
    """Keys that go on as the string does, written as they must be between its quotes."""
    keys = keys_of(owner)
    if "b" in string.prefix:
        keys = [key for key in keys if type(key) is bytes]
    else:
        keys = [str.__str__(key) for key in keys if reach.is_a(key, str)]  # numpy's too
        if not re.search(r"[\\'\"]", written_text):  # nothing that could be written otherwise
            keys = [key for key in keys if key.startswith(written_text)]
    texts = {between_quotes(key, string) for key in keys[:LISTED]} - {None}
    return [Match(text, "key") for text in in_order(
        {text for text in texts if text.startswith(written_text)})]


def between_quotes(key, string):
    text = repr(key).lstrip("b")
    quote, text = text[0], text[1:-1]
    if quote != string.quote[0]:
        text = text.replace("\\" + quote, quote).replace(string.quote[0], "\\" + string.quote[0])
    return None if "r" in string.prefix and "\\" in text else text


def keys_without_quote(before, level, last, space):
    """value[ and nothing yet."""
    if last < 1 or not level.tokens[last].is_op("[") or not level.tokens[last - 1].ends_value():
        return []
    owner = value_before(before, level, last - 1, space)
    if owner is reach.MISSING:
        return []
    plain = (str, int, float, bytes, bool, type(None))
    keys = {repr(key) for key in keys_of(owner) if type(key) in plain}
    return [Match(text, "key") for text in in_order(keys)]


def paths(text):
    """Names in a folder; folders end with a slash."""
    folder, prefix = os.path.split(text)
    folder = os.path.expanduser(folder) if folder.startswith("~") else folder
    found = []
    with os.scandir(folder or ".") as entries:
        for entry, _ in zip(entries, range(FOLDER_SCANNED)):
            hidden = entry.name.startswith(".") and not prefix
            if entry.name.startswith(prefix) and not hidden and entry.name.isprintable():
                found.append(entry.name + "/" if entry.is_dir() else entry.name)
    return [Match(name, "path") for name in sorted(found)]


def by_jedi(before, length, matches, space):
    """What jedi finds beyond ours, where it is wanted and quick."""
    known = {match.text for match in matches}
    prefix = before[len(before) - length:]
    return [Match(name, kind) for name, kind in jedi_names.find(before, space)
            if fits(name, prefix) and name not in known]
